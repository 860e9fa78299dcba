// cpp-httplib: `clients SET-UP METHOD=URL …` sends the requests one after another and prints the status and the length of
// each answer, or `error`.
#include <httplib.h>
#include <iostream>
#include <memory>
#include <string>

int main(int count, char **arguments) {
  std::unique_ptr<httplib::Client> client;
  for (int at = 2; at < count; at++) {
    const std::string request = arguments[at];
    const auto split = request.find('=');
    const auto path = request.find('/', split + 8);
    if (!client) {
      client = std::make_unique<httplib::Client>(request.substr(split + 1, path - split - 1));
      client->set_keep_alive(true);
    }
    const auto answer = request.rfind("POST", 0) == 0 ? client->Post(request.substr(path)) : client->Get(request.substr(path));
    if (answer) std::cout << answer->status << ' ' << answer->body.size() << std::endl;
    else std::cout << "error" << std::endl;
  }
}

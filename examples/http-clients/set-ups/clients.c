// neon and libcurl: `clients SET-UP METHOD=URL …` sends the requests one after another and prints the status and the length
// of each answer, or `error`. `:fixed` at the end of a name is the client without its repeats.
#include <curl/curl.h>
#include <neon/ne_request.h>
#include <neon/ne_session.h>
#include <neon/ne_uri.h>
#include <stdio.h>
#include <string.h>

static size_t count_bytes(char *bytes, size_t size, size_t number, void *length) {
  (void)bytes;
  *(size_t *)length += size * number;
  return size * number;
}

static int read_bytes(void *length, const char *bytes, size_t number) {
  count_bytes((char *)bytes, 1, number, length);
  return 0;
}

static int with_curl(int is_post, const char *url, int is_fixed, size_t *length) {
  static CURL *curl;
  long status = 0;
  if (!curl) curl = curl_easy_init();
  curl_easy_reset(curl);
  curl_easy_setopt(curl, CURLOPT_URL, url);
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, count_bytes);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, length);
  if (is_post) {
    curl_easy_setopt(curl, CURLOPT_POSTFIELDS, "");
    curl_easy_setopt(curl, CURLOPT_FRESH_CONNECT, (long)is_fixed);
  }
  if (curl_easy_perform(curl) != CURLE_OK) return 0;
  curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
  return (int)status;
}

static int with_neon(int is_post, const char *url, int is_fixed, size_t *length) {
  static ne_session *session;
  ne_uri uri;
  ne_uri_parse(url, &uri);
  if (!session) session = ne_session_create("http", uri.host, uri.port);
  if (is_fixed) ne_set_session_flag(session, NE_SESSFLAG_PERSIST, 0);
  ne_request *request = ne_request_create(session, is_post ? "POST" : "GET", uri.path);
  ne_add_response_body_reader(request, ne_accept_always, read_bytes, length);
  int status = ne_request_dispatch(request) == NE_OK ? ne_get_status(request)->code : 0;
  ne_request_destroy(request);
  return status;
}

int main(int count, char **arguments) {
  int is_curl = strncmp(arguments[1], "libcurl", 7) == 0;
  int is_fixed = strstr(arguments[1], ":fixed") != NULL;
  ne_sock_init();
  for (int at = 2; at < count; at++) {
    int is_post = strncmp(arguments[at], "POST=", 5) == 0;
    const char *url = strchr(arguments[at], '=') + 1;
    size_t length = 0;
    int status = (is_curl ? with_curl : with_neon)(is_post, url, is_fixed, &length);
    if (status) printf("%d %zu\n", status, length);
    else printf("error\n");
    fflush(stdout);
  }
}

-- socket.http of Lua: `lua5.4 clients.lua SET-UP METHOD=URL …` sends the requests one after another and prints the status and
-- the length of each answer, or `error`.
local http = require("socket.http")
local ltn12 = require("ltn12")

for index = 2, #arg do
  local method, url = arg[index]:match("^(%w+)=(.*)$")
  local chunks = {}
  local headers = method == "POST" and { ["content-length"] = "0" } or nil
  local done, status = http.request({ method = method, url = url, headers = headers, sink = ltn12.sink.table(chunks) })
  print(done and status .. " " .. #table.concat(chunks) or "error")
end

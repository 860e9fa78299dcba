#!/bin/sh
# Debian's erlang-inets 1:25.2.3+dfsg-1+deb12u4, on Debian 12.
# httpc sends a POST again by itself when the answer is a 503 with a Retry-After of one or two digits, after that pause
# and until another answer comes; the caller gets that alone. No option of the request names it. A 503 with three
# digits, or without the header, and a 429 are left to the caller.
set -eu
package=erlang-inets=1:25.2.3+dfsg-1+deb12u4
installed=$(dpkg-query --show --showformat '${Version}' "${package%%=*}" 2>/dev/null || true)
[ "$installed" = "${package#*=}" ] || { echo "needs $package, found: ${installed:-none}" >&2; exit 2; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

cat > find.escript <<'END'
#!/usr/bin/env escript
-mode(compile).

main(_) ->
    inets:start(),
    Busy = fun(Pause) -> "503 Busy\r\nRetry-After: " ++ Pause end,
    lists:foreach(fun try_one/1, [{"503, Retry-After: 0, twice", [Busy("0"), Busy("0")]},
                                  {"503, Retry-After: 1", [Busy("1")]},
                                  {"503, Retry-After: 100", [Busy("100")]},
                                  {"503", ["503 Busy"]},
                                  {"429, Retry-After: 0", ["429 Slow\r\nRetry-After: 0"]}]).

try_one({Name, Answers}) ->
    {ok, Listening} = gen_tcp:listen(0, [binary, {active, false}, {ip, {127, 0, 0, 1}}]),
    {ok, Port} = inet:port(Listening),
    Owner = self(),
    spawn(fun() -> serve(Listening, Owner, Answers ++ ["201 Created"]) end),
    Url = "http://127.0.0.1:" ++ integer_to_list(Port) ++ "/tasks",
    Request = {Url, [], "application/json", "{\"title\":\"one\"}"},
    {ok, {{_, Status, _}, _, _}} = httpc:request(post, Request, [{timeout, 9000}], []),
    io:format("~s: status ~b, requests ~b~n", [Name, Status, received(0)]).

serve(Listening, Owner, [Head | Rest]) ->
    {ok, Socket} = gen_tcp:accept(Listening),
    {ok, <<"POST /tasks", _/binary>>} = gen_tcp:recv(Socket, 0),
    Owner ! received,
    gen_tcp:send(Socket, ["HTTP/1.1 ", Head, "\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"]),
    gen_tcp:close(Socket),
    serve(Listening, Owner, Rest);
serve(_, _, []) -> ok.

received(Count) ->
    receive received -> received(Count + 1) after 0 -> Count end.
END
cat > expected <<'END'
503, Retry-After: 0, twice: status 201, requests 3
503, Retry-After: 1: status 201, requests 2
503, Retry-After: 100: status 503, requests 1
503: status 503, requests 1
429, Retry-After: 0: status 429, requests 1
END
escript find.escript > seen
diff expected seen && echo 'as found'

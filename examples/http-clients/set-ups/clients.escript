#!/usr/bin/env escript
%% httpc of Erlang: `escript clients.escript SET-UP METHOD=URL …` sends the requests one after another and prints the
%% status and the length of each answer, or `error`.

main([_ | Requests]) ->
    {ok, _} = application:ensure_all_started(inets),
    [show(Request) || Request <- Requests].

show(Request) ->
    [Method, Url] = string:split(Request, "="),
    case send(Method, Url) of
        {ok, {{_, Status, _}, _, Body}} -> io:format("~p ~p~n", [Status, length(Body)]);
        {error, _} -> io:format("error~n")
    end.

send("POST", Url) -> httpc:request(post, {Url, [], "application/json", ""}, [], []);
send(_, Url) -> httpc:request(get, {Url, []}, [], []).

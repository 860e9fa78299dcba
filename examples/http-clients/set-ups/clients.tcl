# The http package of Tcl: `tclsh clients.tcl SET-UP METHOD=URL …` sends the requests one after another and prints the
# status and the length of each answer, or `error`.
package require http

foreach request [lrange $argv 1 end] {
    regexp {^(\w+)=(.*)$} $request -> method url
    set options [expr {$method eq "POST" ? {-method POST -type application/json -query ""} : {}}]
    if {[catch {set token [http::geturl $url {*}$options]}] || [http::status $token] ne "ok"} {
        puts error
    } else {
        puts "[http::ncode $token] [string length [http::data $token]]"
    }
    flush stdout
}

#!/bin/sh
# Debian's libjson-java 2.4-3.1 (net.sf.json), on Debian 12.
# A text that reads like JSON does not stay a text: put() makes null of "null", a list of "[1]", an object of "{}" and
# a function of "function(){}", which is written so that nobody can read it. A document that has the text "null"
# is read with quotation marks around it. A title that people type in comes back as something else.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download --quiet --quiet -o APT::Sandbox::User=root libjson-java=2.4-3.1 libezmorph-java=1.0.6-4 \
  libcommons-lang-java libcommons-beanutils-java libcommons-collections3-java libcommons-logging-java > log
for package in *.deb; do dpkg-deb --extract "$package" .; done

cat > Find.java <<'END'
import net.sf.json.JSONObject;

public class Find {
    public static void main(String[] arguments) {
        for (String text : new String[] {"draft", "true", "12", "null", "[1]", "{}", "function(){}"}) {
            JSONObject made = new JSONObject();
            made.put("title", text);
            System.out.println(text + ": put " + made);
            System.out.println("  read " + JSONObject.fromObject("{\"title\":\"" + text + "\"}"));
        }
    }
}
END
cat > expected <<'END'
draft: put {"title":"draft"}
  read {"title":"draft"}
true: put {"title":"true"}
  read {"title":"true"}
12: put {"title":"12"}
  read {"title":"12"}
null: put {"title":null}
  read {"title":"\"null\""}
[1]: put {"title":[1]}
  read {"title":"[1]"}
{}: put {"title":{}}
  read {"title":"{}"}
function(){}: put {"title":function(){}}
  read {"title":"\"function(){}\""}
END
java -cp 'usr/share/java/*' Find.java > seen 2> errors || cat errors
diff expected seen && echo 'as found'

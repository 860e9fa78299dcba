#!/bin/sh
# Debian's libjson-simple-java 2.3.0-1, libjson-smart-java 2.2-2+deb12u1 and libgoogle-gson-java 2.10-1, on Debian 12.
# A map with a UUID or a URI is written by json-simple's JSONValue without quotation marks, by json-smart as {}, neither
# with an error: a service refuses the first, and the second has lost the id. So JSONValue with an enum and both with a
# character; a NaN of json-smart is no JSON. Gson writes texts, and refuses NaN; json-simple's newer Jsoner refuses ids.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download --quiet --quiet -o APT::Sandbox::User=root libjson-simple-java=2.3.0-1 \
  libjson-smart-java=2.2-2+deb12u1 libasm-java=9.4-1 libgoogle-gson-java=2.10-1 > log
for package in *.deb; do dpkg-deb --extract "$package" .; done

cat > Find.java <<'END'
import java.util.Collections;
import java.util.Map;

public class Find {
    interface Writer { String write(Map<String, Object> map); }

    static String written(Writer writer, Object value) {
        try {
            return writer.write(Collections.singletonMap("value", value));
        } catch (IllegalArgumentException error) {
            return "refused";
        }
    }

    @SuppressWarnings("deprecation")
    public static void main(String[] arguments) {
        for (Object value : new Object[] {
            "a", java.util.UUID.fromString("0f0e0d0c-0000-4000-8000-000000000001"),
            java.net.URI.create("http://mocked.test/"), Thread.State.NEW, 'x', Double.NaN,
        }) {
            System.out.println(value.getClass().getSimpleName());
            System.out.println("  json-simple " + written(org.json.simple.JSONValue::toJSONString, value));
            System.out.println("  json-smart " + written(net.minidev.json.JSONObject::toJSONString, value));
            System.out.println("  gson " + written(new com.google.gson.Gson()::toJson, value));
        }
    }
}
END
cat > expected <<'END'
String
  json-simple {"value":"a"}
  json-smart {"value":"a"}
  gson {"value":"a"}
UUID
  json-simple {"value":0f0e0d0c-0000-4000-8000-000000000001}
  json-smart {"value":{}}
  gson {"value":"0f0e0d0c-0000-4000-8000-000000000001"}
URI
  json-simple {"value":http://mocked.test/}
  json-smart {"value":{}}
  gson {"value":"http://mocked.test/"}
State
  json-simple {"value":NEW}
  json-smart {"value":"NEW"}
  gson {"value":"NEW"}
Character
  json-simple {"value":x}
  json-smart {"value":{}}
  gson {"value":"x"}
Double
  json-simple {"value":null}
  json-smart {"value":NaN}
  gson refused
END
java -cp 'usr/share/java/*' Find.java > seen 2> errors || cat errors
diff expected seen && echo 'as found'

#!/bin/sh
# Debian's libokhttp-java 3.13.1-3, on Debian 12.
# A POST that is answered with 408, or with 503 and `Retry-After: 0`, is sent again at once; the caller gets the second
# answer. retryOnConnectionFailure(false) stops the first, though no connection failed, and not the second. Other pauses
# and 429 are left to the caller, and a POST answered with 307 is not sent on.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download --quiet --quiet -o APT::Sandbox::User=root libokhttp-java=3.13.1-3 libokio-java=1.16.0-2 > log
for package in *.deb; do dpkg-deb --extract "$package" .; done

cat > Find.java <<'END'
import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicInteger;
import okhttp3.*;

public class Find {
    public static void main(String[] arguments) throws Exception {
        AtomicInteger received = new AtomicInteger();
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        server.createContext("/", exchange -> {
            exchange.getRequestBody().readAllBytes();
            String[] parts = exchange.getRequestURI().getPath().split("/");
            int status = received.incrementAndGet() == 1 ? Integer.parseInt(parts[1]) : 201;
            if (parts.length > 2) exchange.getResponseHeaders().set("Retry-After", parts[2]);
            if (status == 307) exchange.getResponseHeaders().set("Location", "/tasks");
            exchange.sendResponseHeaders(status, -1);
            exchange.close();
        });
        server.start();
        for (boolean option : new boolean[] {true, false}) {
            OkHttpClient client = new OkHttpClient.Builder().retryOnConnectionFailure(option).build();
            for (String path : new String[] {"408", "503/0", "503/1", "429/0", "307"}) {
                received.set(0);
                Request request = new Request.Builder().url("http://127.0.0.1:" + server.getAddress().getPort() + "/" + path)
                    .post(RequestBody.create(MediaType.parse("application/json"), "{}")).build();
                try (Response answer = client.newCall(request).execute()) {
                    System.out.println(path + ", option " + option + ": " + answer.code() + ", requests " + received.get());
                }
            }
        }
        server.stop(0);
        System.exit(0);
    }
}
END
cat > expected <<'END'
408, option true: 201, requests 2
503/0, option true: 201, requests 2
503/1, option true: 503, requests 1
429/0, option true: 429, requests 1
307, option true: 307, requests 1
408, option false: 408, requests 1
503/0, option false: 201, requests 2
503/1, option false: 503, requests 1
429/0, option false: 429, requests 1
307, option false: 307, requests 1
END
java -cp 'usr/share/java/*' Find.java > seen 2> errors || cat errors
diff expected seen && echo 'as found'

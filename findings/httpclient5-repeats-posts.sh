#!/bin/sh
# Debian's libhttpclient5-java 5.2.1-1 and libhttpclient-java 4.5.14-1, on Debian 12.
# The default client of HttpClient 5 sends a POST again when the answer is a 503 or a 429, after its Retry-After or a
# second, and gives out the second answer alone. It looks at the method only where a connection was lost. HttpClient 4
# gives out the first answer.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download --quiet --quiet -o APT::Sandbox::User=root libhttpclient5-java=5.2.1-1 libhttpcore5-java=5.2.1-1 \
  libhttpclient-java=4.5.14-1 libhttpcore-java=4.4.16-1 libslf4j-java=1.7.32-1 libcommons-logging-java=1.2-3 > log
for package in *.deb; do dpkg-deb --extract "$package" .; done

cat > Find.java <<'END'
import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hc.core5.http.ContentType;

public class Find {
    public static void main(String[] arguments) throws Exception {
        AtomicInteger received = new AtomicInteger();
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        server.createContext("/", exchange -> {
            exchange.getRequestBody().readAllBytes();
            int count = received.incrementAndGet();
            if (count == 1) exchange.getResponseHeaders().set("Retry-After", "1");
            int status = Integer.parseInt(exchange.getRequestURI().getPath().substring(1));
            exchange.sendResponseHeaders(count == 1 ? status : 201, -1);
            exchange.close();
        });
        server.start();
        for (String status : new String[] {"503", "429", "500"}) {
            String url = "http://127.0.0.1:" + server.getAddress().getPort() + "/" + status;
            received.set(0);
            try (var client = org.apache.hc.client5.http.impl.classic.HttpClients.createDefault()) {
                var post = new org.apache.hc.client5.http.classic.methods.HttpPost(url);
                post.setEntity(new org.apache.hc.core5.http.io.entity.StringEntity("{}", ContentType.APPLICATION_JSON));
                int seen = client.execute(post, answer -> answer.getCode());
                System.out.println(status + " to HttpClient 5: " + seen + ", requests " + received.get());
            }
            received.set(0);
            try (var client = org.apache.http.impl.client.HttpClients.createDefault()) {
                var post = new org.apache.http.client.methods.HttpPost(url);
                post.setEntity(new org.apache.http.entity.StringEntity("{}"));
                int seen = client.execute(post).getStatusLine().getStatusCode();
                System.out.println(status + " to HttpClient 4: " + seen + ", requests " + received.get());
            }
        }
        server.stop(0);
    }
}
END
cat > expected <<'END'
503 to HttpClient 5: 201, requests 2
503 to HttpClient 4: 503, requests 1
429 to HttpClient 5: 201, requests 2
429 to HttpClient 4: 429, requests 1
500 to HttpClient 5: 500, requests 1
500 to HttpClient 4: 500, requests 1
END
java -cp 'usr/share/java/*' Find.java > seen 2> errors || cat errors
diff expected seen && echo 'as found'

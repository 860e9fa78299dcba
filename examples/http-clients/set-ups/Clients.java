// HTTP clients for Java: `java … Clients.java SET-UP METHOD=URL …` sends the requests one after another and prints the
// status and the length of each answer, or `error`. `:fixed` at the end of a name is the client without its repeats.
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URL;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Supplier;

public class Clients {
  record Answer(int status, int length) {}

  interface Client {
    Answer send(String method, String url) throws Exception;
  }

  static Client httpUrlConnection() {
    return (method, url) -> {
      var connection = (HttpURLConnection) new URL(url).openConnection();
      connection.setRequestMethod(method);
      if (method.equals("POST")) {
        connection.setDoOutput(true);
        connection.getOutputStream().close();
      }
      int status = connection.getResponseCode();
      try (InputStream body = status < 400 ? connection.getInputStream() : connection.getErrorStream()) {
        return new Answer(status, body.readAllBytes().length);
      }
    };
  }

  static Client httpClient() {
    var client = java.net.http.HttpClient.newHttpClient();
    return (method, url) -> {
      var request = java.net.http.HttpRequest.newBuilder(URI.create(url))
          .method(method, java.net.http.HttpRequest.BodyPublishers.noBody()).build();
      var answer = client.send(request, java.net.http.HttpResponse.BodyHandlers.ofByteArray());
      return new Answer(answer.statusCode(), answer.body().length);
    };
  }

  static Client apache4(boolean retries) {
    var builder = org.apache.http.impl.client.HttpClients.custom();
    var client = retries ? builder.build() : builder.disableAutomaticRetries().build();
    return (method, url) -> {
      var request = org.apache.http.client.methods.RequestBuilder.create(method).setUri(url).build();
      try (var answer = client.execute(request)) {
        var body = org.apache.http.util.EntityUtils.toByteArray(answer.getEntity());
        return new Answer(answer.getStatusLine().getStatusCode(), body.length);
      }
    };
  }

  static Client apache5(boolean retries) {
    var builder = org.apache.hc.client5.http.impl.classic.HttpClients.custom();
    var client = retries ? builder.build() : builder.disableAutomaticRetries().build();
    return (method, url) -> {
      var request = org.apache.hc.core5.http.io.support.ClassicRequestBuilder.create(method).setUri(url).build();
      try (var answer = client.execute(request)) {
        var body = org.apache.hc.core5.http.io.entity.EntityUtils.toByteArray(answer.getEntity());
        return new Answer(answer.getCode(), body.length);
      }
    };
  }

  static Client commons(int repeats) {
    var client = new org.apache.commons.httpclient.HttpClient();
    var handler = new org.apache.commons.httpclient.DefaultHttpMethodRetryHandler(repeats, false);
    return (method, url) -> {
      var request = method.equals("POST")
          ? new org.apache.commons.httpclient.methods.PostMethod(url)
          : new org.apache.commons.httpclient.methods.GetMethod(url);
      if (repeats == 0) request.getParams().setParameter("http.method.retry-handler", handler);
      try {
        return new Answer(client.executeMethod(request), request.getResponseBody().length);
      } finally {
        request.releaseConnection();
      }
    };
  }

  static Client okHttp(boolean repeats) {
    var client = new okhttp3.OkHttpClient.Builder().retryOnConnectionFailure(repeats).build();
    return (method, url) -> {
      var body = method.equals("POST") ? okhttp3.RequestBody.create(null, new byte[0]) : null;
      try (var answer = client.newCall(new okhttp3.Request.Builder().url(url).method(method, body).build()).execute()) {
        return new Answer(answer.code(), answer.body().bytes().length);
      }
    };
  }

  static final Map<String, Supplier<Client>> setUps = Map.ofEntries(
      Map.entry("HttpURLConnection", Clients::httpUrlConnection),
      Map.entry("HttpURLConnection:fixed", Clients::httpUrlConnection),
      Map.entry("java.net.http.HttpClient", Clients::httpClient),
      Map.entry("Apache HttpClient 4", () -> apache4(true)),
      Map.entry("Apache HttpClient 4:fixed", () -> apache4(false)),
      Map.entry("Apache HttpClient 5", () -> apache5(true)),
      Map.entry("Apache HttpClient 5:fixed", () -> apache5(false)),
      Map.entry("Commons HttpClient", () -> commons(3)),
      Map.entry("Commons HttpClient:fixed", () -> commons(0)),
      Map.entry("OkHttp", () -> okHttp(true)),
      Map.entry("OkHttp:fixed", () -> okHttp(false)));

  public static void main(String[] arguments) {
    if (arguments[0].endsWith(":fixed")) System.setProperty("sun.net.http.retryPost", "false");
    var client = setUps.get(arguments[0]).get();
    for (String request : Arrays.copyOfRange(arguments, 1, arguments.length)) {
      String[] parts = request.split("=", 2);
      try {
        var answer = client.send(parts[0], parts[1]);
        System.out.println(answer.status() + " " + answer.length());
      } catch (Exception error) {
        System.out.println("error");
        System.err.println(error);
      }
    }
    System.exit(0);
  }
}

// The work with HttpURLConnection of Java: creates a task, runs it and polls it to its end. A run that is answered 409 may
// go on already, which the task shows. `fixed` as the first argument: the library sends each POST once.
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URL;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.regex.Pattern;

public class Work {
  record Answer(int status, String body, String retryAfter) {
    /** A text or a literal of the body, which a whole program would read with a library. */
    String field(String name) {
      var found = Pattern.compile("\"" + name + "\":\\s*\"?((?:[^\"\\\\,}]|\\\\.)*)").matcher(body);
      return found.find() ? found.group(1).replaceAll("\\\\(.)", "$1") : "";
    }

    Answer success() {
      if (status < 300) return this;
      throw new IllegalStateException(field("error") + ": " + field("message"));
    }
  }

  static Answer send(String method, String path, String body) throws IOException {
    var url = new URL(System.getenv("WORK_AGENT_BASE_URL") + "/api/cli/" + path);
    var connection = (HttpURLConnection) url.openConnection();
    connection.setRequestMethod(method);
    connection.setReadTimeout(20_000);
    connection.setRequestProperty("Authorization", "Bearer " + System.getenv("WORK_AGENT_API_KEY"));
    connection.setRequestProperty("Content-Type", "application/json");
    if (method.equals("POST")) {
      connection.setDoOutput(true);
      try (var out = connection.getOutputStream()) {
        out.write(body.getBytes(StandardCharsets.UTF_8));
      }
    }
    int status = connection.getResponseCode();
    try (var in = status < 400 ? connection.getInputStream() : connection.getErrorStream()) {
      var text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      if (!text.strip().endsWith("}")) throw new IOException("the answer is cut");
      return new Answer(status, text, connection.getHeaderField("Retry-After"));
    }
  }

  static long millis(String retryAfter) {
    if (retryAfter == null) return 1_000;
    if (retryAfter.matches("\\d+")) return Long.parseLong(retryAfter) * 1_000;
    var until = ZonedDateTime.parse(retryAfter, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
    return Math.max(0, Duration.between(Instant.now(), until).toMillis()) + 1_000;
  }

  /** The answer to a request, which is sent again after a 429 or 503, and a GET also after a lost answer. */
  static Answer answerTo(String method, String path, String body) throws Exception {
    for (int attempt = 0; attempt < 6; attempt++) {
      try {
        var answer = send(method, path, body);
        if (answer.status != 429 && answer.status != 503) return answer;
        Thread.sleep(millis(answer.retryAfter));
      } catch (IOException lost) {
        if (method.equals("POST")) throw lost;
      }
    }
    throw new IllegalStateException("the service is away for too long");
  }

  /** Whether a task has a run that it did not have before. */
  static boolean hasBegun(String path, String before) throws Exception {
    var now = answerTo("GET", path, "").success();
    return now.field("finished").equals("true") || !now.field("status").equals(before);
  }

  /** Requests the run; after a lost answer it looks first whether there is one. */
  static void start(String path, String before) throws Exception {
    try {
      var answer = answerTo("POST", path + "/run", "");
      var isBusy = answer.field("error").equals("busy");
      if (!isBusy && !(answer.status == 409 && hasBegun(path, before))) answer.success();
    } catch (IOException lost) {
      if (!hasBegun(path, before)) start(path, before);
    }
  }

  public static void main(String[] arguments) throws Exception {
    if (arguments.length > 0) System.setProperty("sun.net.http.retryPost", "false");
    try {
      var task = answerTo("POST", "tasks", "{\"text\":\"Say hello\"}").success();
      var path = "tasks/" + URLEncoder.encode(task.field("id"), StandardCharsets.UTF_8).replace("+", "%20");
      start(path, task.field("status"));
      for (int looks = 0; looks < 120; looks++) {
        var now = answerTo("GET", path, "").success();
        if (now.field("finished").equals("true")) {
          System.out.println(now.field("status"));
          return;
        }
        Thread.sleep(1_000);
      }
      throw new IllegalStateException("the run takes too long");
    } catch (IOException | IllegalStateException error) {
      System.err.println(error.getMessage());
      System.exit(1);
    }
  }
}

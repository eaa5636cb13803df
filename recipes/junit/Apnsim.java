import com.google.gson.Gson;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.opentest4j.AssertionFailedError;

/**
 * A push service for a test: where it is, and what can be asked of it.
 *
 * <pre>{@code
 * @ExtendWith(Apnsim.Extension.class)
 * class OrdersTest {
 *     @Test
 *     void anOrderIsAnnounced(Apnsim apnsim) {
 *         String token = apnsim.device("alice");
 *         myProvider.push(token, apnsim.port("http2"), apnsim.path("ca"));
 *         apnsim.await("device:alice alert~\"order\"");
 *     }
 * }
 * }</pre>
 *
 * <p>Copy this file into the package of your tests. It reads JSON with Gson. APNSIM_BIN says where the program is;
 * otherwise it is looked for on the PATH.
 */
public final class Apnsim {
    static final String PROGRAM = System.getenv().getOrDefault("APNSIM_BIN", "apnsim");

    /** The topic of the provider's certificate. */
    static final String TOPIC = "com.example.app";

    private static final HttpClient CLIENT = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private static final Gson GSON = new Gson();

    private final JsonObject endpoints;

    private Apnsim(JsonObject endpoints) {
        this.endpoints = endpoints;
    }

    static Apnsim create(String control) {
        return new Apnsim(parse(request("POST", control + "/api/v1/sandboxes", null)));
    }

    String host() {
        return text("host");
    }

    /** The port of "gateway", "feedback" or "http2". */
    int port(String listener) {
        return endpoints.get(listener).getAsInt();
    }

    /** The file "ca", "authKey", "providerCertificate", "providerKey" or "providerP12" (its password is "apnsim"). */
    Path path(String file) {
        return Path.of(text(file));
    }

    /** A provider token (JWT) of now, for a provider that does not sign its own with the authKey. */
    String providerToken() {
        return run("certs", "jwt", "--certs", path("authKey").getParent().toString());
    }

    /** Adds a device with the app, and returns the device token of the app. */
    String device(String name) {
        return device(name, true);
    }

    String device(String name, boolean online) {
        Object body = Map.of("online", online, "apps", List.of(Map.of("topic", TOPIC)));
        return api("PUT", "/devices/" + segment(name), body)
            .getAsJsonArray("apps").get(0).getAsJsonObject().get("token").getAsString();
    }

    /** The alerts that a device has shown, oldest first. */
    List<String> alerts(String name) {
        return api("GET", "/devices/" + segment(name) + "/inbox", null).getAsJsonArray("notifications").asList().stream()
            .map(shown -> shown.getAsJsonObject().getAsJsonObject("payload").getAsJsonObject("aps"))
            .map(aps -> aps.get("alert").getAsString()).toList();
    }

    /** Returns the notifications that match, once there is one; fails with what came nearest otherwise. */
    List<JsonObject> await(String query) {
        return await(query, 1, "5s");
    }

    List<JsonObject> await(String query, int count, String timeout) {
        Object body = Map.of("query", query, "count", Map.of("atLeast", count), "timeout", timeout);
        WaitResult result = GSON.fromJson(api("POST", "/notifications/wait", body), WaitResult.class);
        if (result.satisfied) return result.notifications;
        List<String> lines = new ArrayList<>();
        lines.add("%s of %s: %d within %s; nearest:".formatted(result.expected, query, result.matched, result.waited));
        for (NearMiss miss : result.nearMisses) {
            for (Difference at : miss.differences) {
                lines.add("  %s %s: expected %s, found %s".formatted(miss.id, at.path, at.expected, at.found));
            }
        }
        if (result.nearMisses.isEmpty()) lines.add("  nothing");
        throw new AssertionFailedError(String.join("\n", lines));
    }

    private record WaitResult(boolean satisfied, String expected, int matched, String waited,
        List<JsonObject> notifications, List<NearMiss> nearMisses) {}

    private record NearMiss(String id, List<Difference> differences) {}

    private record Difference(String path, String expected, String found) {}

    /** Everything that happened, as text. */
    String journal() {
        return run("watch", "--all", "--for", "1s", "--control", text("control"), "--sandbox", text("id"));
    }

    /** One request to the control API; the JSON of its answer, or null. */
    JsonObject api(String method, String path, Object body) {
        return parse(request(method, text("control") + text("base") + path, body));
    }

    /** A name as a part of a path, whatever is in it. */
    private static String segment(String name) {
        return URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private String text(String endpoint) {
        return endpoints.get(endpoint).getAsString();
    }

    private static String run(String... command) {
        try {
            Process process = start(command);
            return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
    }

    private static Process start(String... command) throws IOException {
        return new ProcessBuilder(Stream.concat(Stream.of(PROGRAM), Stream.of(command)).toList())
            .redirectError(ProcessBuilder.Redirect.INHERIT).start();
    }

    private static JsonObject parse(String text) {
        return text.isEmpty() ? null : JsonParser.parseString(text).getAsJsonObject();
    }

    private static String request(String method, String url, Object body) {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url))
            .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(GSON.toJson(body)))
            .header("Content-Type", "application/json").build();
        try {
            HttpResponse<String> answer = CLIENT.send(request, BodyHandlers.ofString());
            if (answer.statusCode() >= 300) throw new IllegalStateException(method + " " + url + ": " + answer.body());
            return answer.body();
        } catch (IOException | InterruptedException error) {
            throw new IllegalStateException(method + " " + url, error);
        }
    }

    /** Gives each test an {@link Apnsim} of its own, and reports its journal if the test fails. */
    public static final class Extension implements ParameterResolver, AfterEachCallback {
        private static final Namespace NAMESPACE = Namespace.create(Extension.class);

        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext test) {
            return parameter.getParameter().getType() == Apnsim.class;
        }

        /** A sandbox in the simulator that all tests of the run share. */
        @Override
        public Apnsim resolveParameter(ParameterContext parameter, ExtensionContext test) {
            Store run = test.getRoot().getStore(NAMESPACE);
            Simulator simulator = run.getOrComputeIfAbsent(Simulator.class, key -> Simulator.start(), Simulator.class);
            return test.getStore(NAMESPACE)
                .getOrComputeIfAbsent(Apnsim.class, key -> Apnsim.create(simulator.control()), Apnsim.class);
        }

        /** A test that failed reports the journal of its sandbox. */
        @Override
        public void afterEach(ExtensionContext test) {
            Apnsim apnsim = test.getStore(NAMESPACE).get(Apnsim.class, Apnsim.class);
            if (apnsim == null) return;
            if (test.getExecutionException().isPresent()) test.publishReportEntry("apnsim journal", apnsim.journal());
            apnsim.api("DELETE", "", null);
        }

        /** The process. {@code cat} ends when its input does, and with it the simulator, which outlives no run. */
        private record Simulator(Process process, String control) implements Store.CloseableResource {
            static Simulator start() {
                try {
                    Process process = Apnsim.start("exec", "--log-level", "error", "--",
                        "sh", "-c", "echo \"$APNSIM_CONTROL_URL\"; exec cat");
                    BufferedReader output = process.inputReader();
                    String control = output.readLine(); // written once every listener is bound
                    if (control == null) throw new IllegalStateException(Apnsim.PROGRAM + " did not start");
                    return new Simulator(process, control);
                } catch (IOException error) {
                    throw new UncheckedIOException(error);
                }
            }

            @Override
            public void close() throws Exception {
                process.getOutputStream().close();
                process.waitFor();
            }
        }
    }
}

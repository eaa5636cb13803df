import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.Gson;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How a push provider is tested: four questions, over both interfaces. */
@ExtendWith(Apnsim.Extension.class)
class OrdersTest {
    enum Interface {
        BINARY, HTTP2;

        Provider connect(Apnsim apnsim) throws Exception {
            return this == BINARY ? new BinaryProvider(apnsim) : new Http2Provider(apnsim);
        }
    }

    @ParameterizedTest
    @EnumSource
    void itArrives(Interface which, Apnsim apnsim) throws Exception {
        try (Provider provider = which.connect(apnsim)) {
            provider.send("Your order is on its way", apnsim.device("alice/2 iPad"));
            List<JsonObject> arrived = apnsim.await("device:\"alice/2 iPad\" alert~\"order\"");
            assertEquals("delivered", arrived.get(0).get("outcome").getAsString());
            assertEquals(List.of("Your order is on its way"), apnsim.alerts("alice/2 iPad"));
        }
    }

    @ParameterizedTest
    @EnumSource
    void aWaitInVainSaysWhatCameNearest(Interface which, Apnsim apnsim) throws Exception {
        try (Provider provider = which.connect(apnsim)) {
            provider.send("order #17", apnsim.device("bob"));
            AssertionError failure = assertThrows(
                AssertionError.class, () -> apnsim.await("device:bob alert~\"Order\"", 1, "200ms"));
            String nearest = "payload.aps.alert: expected contains \"Order\", found \"order #17\"";
            assertTrue(failure.getMessage().contains(nearest), failure.getMessage());
        }
    }

    @Test
    void whatWasSentAfterAnErrorHasToBeSentAgain(Apnsim apnsim) throws Exception {
        String[] tokens = Stream.of("carol", "dave", "erin").map(apnsim::device).toArray(String[]::new);
        apnsim.api("POST", "/faults", Map.of("when", Map.of("nth", 2), "reply", Map.of("status", 8), "times", 1));
        int failed;
        try (BinaryProvider provider = new BinaryProvider(apnsim)) {
            provider.send("Hello", tokens);
            BinaryProvider.Failure failure = provider.failure();
            assertEquals(new BinaryProvider.Failure(8, 1), failure);
            failed = failure.identifier();
        }
        apnsim.await("device:erin outcome:discarded");
        try (BinaryProvider provider = new BinaryProvider(apnsim)) {
            provider.send("Hello", List.of(tokens).subList(failed + 1, tokens.length).toArray(String[]::new));
            apnsim.await("device:erin outcome:delivered");
        }
    }

    @Test
    void aRemovedAppIsAnsweredWith410AndTheTime(Apnsim apnsim) throws Exception {
        String token = apnsim.device("frank");
        apnsim.api("POST", "/devices/frank/uninstall", Map.of("topic", Apnsim.TOPIC));
        HttpResponse<String> answer = new Http2Provider(apnsim).push("Hello?", token);
        JsonObject body = JsonParser.parseString(answer.body()).getAsJsonObject();
        assertEquals(410, answer.statusCode());
        assertEquals("Unregistered", body.get("reason").getAsString());
        // Only a token that the app registers after this time is worth another try.
        Instant removed = Instant.ofEpochMilli(body.get("timestamp").getAsLong());
        assertTrue(Duration.between(removed, Instant.now()).abs().toSeconds() < 60, removed.toString());
    }

    @ParameterizedTest
    @EnumSource
    void aDeviceThatWasOfflineShowsTheLastOne(Interface which, Apnsim apnsim) throws Exception {
        try (Provider provider = which.connect(apnsim)) {
            String token = apnsim.device("grace", false);
            provider.send("first", token);
            provider.send("second", token);
            apnsim.await("device:grace", 2, "5s");
            assertEquals(List.of(), apnsim.alerts("grace"));
            apnsim.api("POST", "/devices/grace/online", null);
            assertEquals(List.of("second"), apnsim.alerts("grace"));
        }
    }
}

/** Stands in for your provider: what both interfaces have in common. */
interface Provider extends AutoCloseable {
    void send(String alert, String... tokens) throws Exception;

    @Override
    default void close() throws IOException {}

    static String payload(String alert) {
        return new Gson().toJson(Map.of("aps", Map.of("alert", alert)));
    }

    /** Trusts the simulator. The keys are those of the provider's certificate, where the interface needs one. */
    static SSLContext tls(Apnsim apnsim, KeyManager... keys) throws GeneralSecurityException, IOException {
        KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
        trusted.load(null);
        try (InputStream ca = Files.newInputStream(apnsim.path("ca"))) {
            trusted.setCertificateEntry("apnsim", CertificateFactory.getInstance("X.509").generateCertificate(ca));
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys, trust.getTrustManagers(), null);
        return context;
    }
}

/** The binary interface, where success is silence. */
final class BinaryProvider implements Provider {
    /** The error packet: its status, and the identifier of the notification that it is about. */
    record Failure(int status, int identifier) {}

    private final SSLSocket socket;

    BinaryProvider(Apnsim apnsim) throws GeneralSecurityException, IOException {
        char[] password = "apnsim".toCharArray();
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(KeyStore.getInstance(apnsim.path("providerP12").toFile(), password), password);
        socket = (SSLSocket) Provider.tls(apnsim, keys.getKeyManagers())
            .getSocketFactory().createSocket(apnsim.host(), apnsim.port("gateway"));
        socket.setSoTimeout(60_000);
    }

    /** Writes a frame for each token; identifiers count from 0. */
    @Override
    public void send(String alert, String... tokens) throws IOException {
        ByteArrayOutputStream frames = new ByteArrayOutputStream();
        for (int identifier = 0; identifier < tokens.length; identifier++) {
            ByteArrayOutputStream items = new ByteArrayOutputStream();
            item(items, 1, HexFormat.of().parseHex(tokens[identifier]));
            item(items, 2, Provider.payload(alert).getBytes(StandardCharsets.UTF_8));
            item(items, 3, ByteBuffer.allocate(4).putInt(identifier).array());
            DataOutputStream frame = new DataOutputStream(frames);
            frame.writeByte(2);
            frame.writeInt(items.size());
            items.writeTo(frame);
        }
        frames.writeTo(socket.getOutputStream());
    }

    private static void item(ByteArrayOutputStream items, int id, byte[] data) throws IOException {
        DataOutputStream output = new DataOutputStream(items);
        output.writeByte(id);
        output.writeShort(data.length);
        output.write(data);
    }

    Failure failure() throws IOException {
        DataInputStream input = new DataInputStream(socket.getInputStream());
        input.readByte();
        return new Failure(input.readUnsignedByte(), input.readInt());
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}

/** A request for each notification, which is answered. */
final class Http2Provider implements Provider {
    private final HttpClient client;
    private final String origin;
    private final String bearer;

    Http2Provider(Apnsim apnsim) throws GeneralSecurityException, IOException {
        client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_2).sslContext(Provider.tls(apnsim)).build();
        origin = "https://" + apnsim.host() + ":" + apnsim.port("http2");
        bearer = "bearer " + apnsim.providerToken();
    }

    @Override
    public void send(String alert, String... tokens) throws IOException, InterruptedException {
        for (String token : tokens) push(alert, token);
    }

    HttpResponse<String> push(String alert, String token) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(origin + "/3/device/" + token))
            .POST(BodyPublishers.ofString(Provider.payload(alert)))
            .header("authorization", bearer).header("apns-topic", Apnsim.TOPIC).build();
        return client.send(request, BodyHandlers.ofString());
    }
}

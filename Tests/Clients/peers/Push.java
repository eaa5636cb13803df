import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * Pushes with the JDK's HttpClient: java Push.java ORIGIN CA [PKCS12].
 *
 * <p>Each line of the standard input is a request, fields between tabs: method, path, body, then {@code name: value}. The
 * requests before an empty line, or the end, begin at once and are answered before anything else is read; each line that
 * is printed is the answer to the request of that line: status, apns-id and body, or "error" and why.
 */
class Push {
    static String origin;
    static HttpClient client;

    public static void main(String[] arguments) throws Exception {
        origin = arguments[0];
        client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_2)
            .sslContext(context(arguments[1], arguments.length > 2 ? arguments[2] : null))
            .build();
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, UTF_8));
        List<String> requests = new ArrayList<>();
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (!line.isEmpty()) {
                requests.add(line);
                continue;
            }
            answer(requests);
            requests.clear();
        }
        answer(requests);
        // The client's threads would go on for a while.
        System.exit(0);
    }

    static void answer(List<String> requests) {
        List<CompletableFuture<String>> answers = requests.stream().map(Push::push).toList();
        for (CompletableFuture<String> answer : answers) System.out.println(answer.join());
        System.out.flush();
    }

    static CompletableFuture<String> push(String line) {
        String[] fields = line.split("\t", -1);
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(origin + fields[1])).method(
            fields[0], fields[0].equals("GET") ? BodyPublishers.noBody() : BodyPublishers.ofString(fields[2]));
        for (String field : Arrays.asList(fields).subList(3, fields.length)) {
            String[] parts = field.split(": ", 2);
            request.header(parts[0], parts[1]);
        }
        return client.sendAsync(request.build(), BodyHandlers.ofString()).handle((answer, error) -> {
            if (error == null) return words(answer);
            Throwable cause = error.getCause() == null ? error : error.getCause();
            return "error\t" + cause.getMessage();
        });
    }

    static String words(HttpResponse<String> answer) {
        String id = answer.headers().firstValue("apns-id").orElse("");
        String version = answer.version() == HttpClient.Version.HTTP_2 ? "" : "over HTTP/1.1: ";
        return version + answer.statusCode() + "\t" + id + "\t" + answer.body();
    }

    static SSLContext context(String ca, String identity) throws Exception {
        KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
        trusted.load(null, null);
        try (FileInputStream file = new FileInputStream(ca)) {
            trusted.setCertificateEntry("ca", CertificateFactory.getInstance("X.509").generateCertificate(file));
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        if (identity != null) {
            char[] password = "apnsim".toCharArray();
            KeyStore store = KeyStore.getInstance("PKCS12");
            try (FileInputStream file = new FileInputStream(identity)) {
                store.load(file, password);
            }
            keys.init(store, password);
        }
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(identity == null ? null : keys.getKeyManagers(), trust.getTrustManagers(), null);
        return context;
    }
}

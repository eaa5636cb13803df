public import APNSimCore
import APNSimTLS
import APNSimWire

/// A setting of the server.
public typealias ServerSetting = ConfigurationSetting<ServerConfiguration>

extension ConfigurationSetting where Root == ServerConfiguration {
  /// The setting of that name.
  public static func named(_ name: String) -> ServerSetting? { all.first { $0.name == name } }

  /// The table of all settings, in the order help texts list them.
  public static let all: [ServerSetting] = [
    text(
      "host",
      or: "loopback",
      \.listening.host,
      "where to listen; loopback is 127.0.0.1 and ::1",
      values: "an address such as 0.0.0.0 or ::1, a name, or loopback"
    ),
    port("gatewayPort", \.listening.gatewayPort, "the port of the gateway"),
    port("feedbackPort", \.listening.feedbackPort, "the port of the feedback service"),
    port(
      "sandboxGatewayPort",
      \.listening.sandboxGatewayPort,
      "the port of the sandbox gateway, with environment both"
    ),
    port(
      "sandboxFeedbackPort",
      \.listening.sandboxFeedbackPort,
      "the port of the sandbox feedback service, with environment both"
    ),
    number(
      "http2Port",
      0...65_535,
      or: "off",
      \.listening.http2Port,
      "the port of requests over HTTP/2",
      values: "a port from 0 (any free one) to 65535, or off"
    ),
    number(
      "sandboxHttp2Port",
      0...65_535,
      or: "off",
      \.listening.sandboxHTTP2Port,
      "the port of the sandbox's requests over HTTP/2, with environment both",
      values: "a port from 0 (any free one) to 65535, or off"
    ),
    number(
      "devicePort",
      0...65_535,
      or: "off",
      \.listening.devicePort,
      "the port where devices of either environment connect",
      values: "a port from 0 (any free one) to 65535, or off"
    ),
    choice("environment", \.listening.environment, "the environment to serve, or both"),
    toggle("ephemeral", \.listening.ephemeral, "bind every listener to a free port"),
    toggle(
      "asApple",
      \.listening.asApple,
      "stand in Apple's place: Apple's ports and names, both environments by the name that is asked for, providers' own keys "
        + "and certificates"
    ),
    port("controlPort", \.control.port, "the port of the control API, plain HTTP"),
    text(
      "controlToken",
      or: "none",
      \.control.token,
      "the bearer token of the control API; required with a host beyond loopback",
      values: "a token, or none"
    ),
    toggle("insecureControl", \.control.isInsecure, "allow the control API beyond loopback without a token"),
    toggle(
      "shareCredentials",
      \.control.sharesCredentials,
      "let the control API hand out the provider's certificate and keys (GET /api/v1/credentials)"
    ),
    choice(
      "page",
      \.control.page,
      "the page for people on the control API's port; read-only leaves its steering out, the API stays as it is"
    ),
    toggle("noControl", \.control.isOn, "turn the control API off", isOpposite: true),
    choice("tlsMin", \.tls.minimum, "the lowest TLS version"),
    choice("tlsMax", \.tls.maximum, "the highest TLS version; 1.2 keeps refusals inside the handshake"),
    choice(
      "trust",
      \.tls.trust,
      "which provider certificates are accepted: ca, those from our CA or a given one; any, whoever issued them"
    ),
    value(
      "authKey",
      "files (comma-separated), the text of one in PEM, or none",
      \.requests.authKeys,
      "further keys whose provider tokens are good, AuthKey_ID.p8, each with :TEAM where only that team's are"
    ) {
      // Base64 without its marks is no file's name and no key that says what it is.
      KeyText.hasKey($0) && !KeyText.hasMark($0) ? nil : list($0)
    } text: {
      $0.isEmpty ? "none" : $0.joined(separator: ",")
    },
    text(
      "keyId",
      or: "none",
      \.requests.keyID,
      "the identifier of the authKey that has none in its name: one that is given as text, or another file",
      values: "an identifier, or none"
    ),
    choice(
      "providerTokens",
      \.requests.providerTokens,
      "which provider tokens are good: known, those that a known key signed; any, all that are well-formed"
    ),
    number(
      "maxStreams",
      1...100_000,
      \.requests.maxStreams,
      "requests that an HTTP/2 connection may have open at once"
    ),
    number(
      "firstTokenStreams",
      1...100_000,
      or: "off",
      \.requests.firstTokenStreams,
      "the same until the first good provider token; Apple's documents say 1",
      values: "1 to 100000, or off"
    ),
    files("clientCa", \.tls.clientAuthorityFiles, "additional CAs for provider certificates"),
    files("crl", \.tls.revocationListFiles, "additional revocation lists; reloaded when they change"),
    value(
      "serverName",
      "DNS names and addresses (comma-separated), or none",
      \.tls.serverNames,
      "further names in the gateway's certificate, which is made anew under its key when they change"
    ) { text in
      if text == "none" { return [] }
      let names = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      return names.allSatisfy { CertificateTemplate.isServerName($0) } ? names : nil
    } text: {
      $0.isEmpty ? "none" : $0.joined(separator: ",")
    },
    value("certs", "a directory", \.files.certificates, "the CA and certificates, made on first start") {
      $0.isEmpty ? nil : $0
    } text: {
      $0
    },
    time(
      "readDelay",
      .zero ... .seconds(1),
      \.timing.readDelay,
      "how long reads of a busy connection are gathered; 0 is off"
    ),
    time(
      "linger",
      .milliseconds(1)...aYear,
      \.timing.linger,
      "close a provider silent for this long after an error; one that keeps sending, after five times as long"
    ),
    time(
      "idleTimeout",
      .milliseconds(1)...aYear,
      \.timing.idleTimeout,
      "close a connection silent for this long in real time: its peer may have vanished"
    ),
    time(
      "handshakeTimeout",
      .milliseconds(1)...aYear,
      \.timing.handshakeTimeout,
      "how long a TLS handshake may take"
    ),
    time(
      "requestTimeout",
      .milliseconds(1)...aYear,
      \.timing.requestTimeout,
      "refuse a request over HTTP/2 that was begun this long ago and is not finished"
    ),
    time(
      "endingPause",
      .zero...aYear,
      \.timing.endingPause,
      "the pause between an error response and close_notify",
      note: " (with 0, some clients drop the response)"
    ),
    time(
      "feedbackPause",
      .milliseconds(50)...aYear,
      \.timing.feedbackPause,
      "the pause between the last tuple and close_notify",
      note: " (with less, clients lose the last tuple)"
    ),
    time("drain", .zero...aYear, \.timing.drain, "how long a shutdown waits to finish what was received"),
    number(
      "maxConnections",
      1...1_000_000,
      \.capacity.connections,
      "open connections at once; further ones wait, and silent ones make way"
    ),
    number(
      "maxHandshakes",
      1...1_000_000,
      \.capacity.handshakes,
      "unfinished handshakes at once; beyond that, the oldest is dropped"
    ),
    size(
      "maxHeld",
      1 << 20...1 << 40,
      \.capacity.heldBytes,
      "bytes of unfinished requests and unread answers of all HTTP/2 connections; one that finds no room ends"
    ),
    number(
      "loops",
      1...256,
      or: "auto",
      \.capacity.loops,
      "event loops; auto is one per core, at most 4",
      values: "1 to 256, or auto"
    ),
    file(
      "record",
      \.files.record,
      "record the journal to this file; compressed if its name ends in .gz; a recording that is there becomes FILE.previous, and "
        + "SIGHUP continues in a new file of the name where there is no controlling terminal"
    ),
    file(
      "endpointsFile",
      \.files.endpoints,
      "write addresses and certificates here, as JSON, once every listener is bound"
    ),
    file("keyLog", \.tls.keyLogFile, "write TLS session secrets here for Wireshark, as with SSLKEYLOGFILE"),
  ]

  private static func port(_ name: String, _ path: any Path<Int>, _ help: String) -> ServerSetting {
    number(name, 0...65_535, path, help, values: "a port from 0 (any free one) to 65535")
  }

  /// A year in nanoseconds is far from overflowing, even multiplied.
  private static let aYear = Duration.seconds(365 * 86_400)

  private static func time(
    _ name: String,
    _ range: ClosedRange<Duration>,
    _ path: any Path<Duration>,
    _ help: String,
    note: String = ""
  ) -> ServerSetting {
    let (least, most) = (DurationText.text(range.lowerBound), DurationText.text(range.upperBound))
    return value(name, "a duration from \(least) to \(most)\(note)", path, help) { text in
      DurationText.parse(text).flatMap { range.contains($0) ? $0 : nil }
    } text: {
      DurationText.text($0)
    }
  }

  private static func file(_ name: String, _ path: any Path<String?>, _ help: String) -> ServerSetting {
    text(name, or: "none", path, help, values: "a file, or none")
  }

  private static func files(_ name: String, _ path: any Path<[String]>, _ help: String) -> ServerSetting {
    value(name, "files (comma-separated), or none", path, help) {
      list($0)
    } text: {
      $0.isEmpty ? "none" : $0.joined(separator: ",")
    }
  }

  private static func list(_ text: String) -> [String]? {
    if text == "none" { return [] }
    let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    return parts.allSatisfy { !$0.isEmpty } ? parts : nil
  }
}

/// The text form of real durations in settings: that of `TimeSpan`, and microseconds as in `250us`.
enum DurationText {
  static func parse(_ text: String) -> Duration? {
    if text == "off" { return .zero }
    if text.hasSuffix("us") {
      guard let count = Int64(text.dropLast(2)), count >= 0 else { return nil }
      return .microseconds(count)
    }
    guard let span = TimeSpan(text), span >= .zero else { return nil }
    return .milliseconds(span.milliseconds)
  }

  static func text(_ duration: Duration) -> String {
    let (seconds, attoseconds) = duration.components
    let (milliseconds, overflow) = seconds.multipliedReportingOverflow(by: 1000)
    let microseconds = attoseconds / 1_000_000_000_000
    guard !overflow else { return TimeSpan(milliseconds: .max).description }
    if microseconds % 1000 != 0 {
      let (whole, overflow) = milliseconds.multipliedReportingOverflow(by: 1000)
      return overflow ? "\(seconds)s" : "\(whole + microseconds)us"
    }
    return TimeSpan(milliseconds: milliseconds + microseconds / 1000).description
  }
}

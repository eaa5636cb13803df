internal import APNSimTLS

/// The table of all settings, in the order help texts list them.
extension ServerSetting {
  public static let all: [ServerSetting] = [
    ServerSetting(
      name: "host",
      values: "an address such as 0.0.0.0 or ::1, a name, or loopback",
      help: "where to listen; loopback is 127.0.0.1 and ::1",
      write: { text, configuration in
        guard !text.isEmpty else { return false }
        configuration.listening.host = text == "loopback" ? nil : text
        return true
      },
      read: { $0.listening.host ?? "loopback" }
    ),
    port("gatewayPort", \.listening.gatewayPort, "the port of the gateway"),
    port("feedbackPort", \.listening.feedbackPort, "the port of the feedback service"),
    port(
      "sandboxGatewayPort",
      \.listening.sandboxGatewayPort,
      "the sandbox's gateway, with environment both"
    ),
    port(
      "sandboxFeedbackPort",
      \.listening.sandboxFeedbackPort,
      "the sandbox's feedback, with environment both"
    ),
    ServerSetting(
      name: "devicePort",
      values: "a port from 0 (any free one) to 65535, or off",
      help: "where devices connect, of either environment",
      write: { text, configuration in
        guard text != "off" else {
          configuration.listening.devicePort = nil
          return true
        }
        guard let port = Int(text), (0...65_535).contains(port) else { return false }
        configuration.listening.devicePort = port
        return true
      },
      read: { $0.listening.devicePort.map { "\($0)" } ?? "off" }
    ),
    choice("environment", \.listening.environment, "which environment is served, or both"),
    toggle("ephemeral", "every listener on any free port", { $0.listening.ephemeral }) {
      $0.listening.ephemeral = $1
    },
    port("controlPort", \.control.port, "the port of the control API, plain HTTP"),
    ServerSetting(
      name: "controlToken",
      values: "a token, or none",
      help: "what clients of the control API say as bearer token; needed with a host beyond loopback",
      write: { text, configuration in
        guard !text.isEmpty else { return false }
        configuration.control.token = text == "none" ? nil : text
        return true
      },
      read: { $0.control.token ?? "none" }
    ),
    toggle(
      "insecureControl",
      "the control API beyond loopback without a token",
      { $0.control.isInsecure }
    ) { $0.control.isInsecure = $1 },
    toggle("noControl", "no control API", { !$0.control.isOn }) { $0.control.isOn = !$1 },
    choice("tlsMin", \.tls.minimum, "the lowest TLS version"),
    choice("tlsMax", \.tls.maximum, "the highest TLS version; 1.2 keeps refusals inside the handshake"),
    choice("trust", \.tls.trust, "ca: certificates of our CA or a given one; any: every certificate"),
    files("clientCa", \.tls.clientAuthorityFiles, "further CAs of provider certificates"),
    files("crl", \.tls.revocationListFiles, "further revocation lists; read again when they change"),
    ServerSetting(
      name: "certs",
      values: "a directory",
      help: "CA and certificates, made on first start",
      write: { text, configuration in
        guard !text.isEmpty else { return false }
        configuration.files.certificates = text
        return true
      },
      read: { $0.files.certificates }
    ),
    time("readDelay", \.timing.readDelay, "reads of a busy connection are gathered this long; 0 is off"),
    time("linger", \.timing.linger, "a provider is read and discarded this long after an error"),
    time(
      "idleTimeout",
      \.timing.idleTimeout,
      "a connection silent for this wall time is closed: its peer may have vanished"
    ),
    time("handshakeTimeout", \.timing.handshakeTimeout, "a TLS handshake may take this long"),
    time("feedbackPause", \.timing.feedbackPause, "between the last tuple and close_notify; 50ms at least"),
    time("drain", \.timing.drain, "a shutdown waits this long for what was received"),
    count("maxConnections", 1...1_000_000, \.capacity.connections, "connections at once; more wait"),
    count(
      "maxHandshakes",
      1...1_000_000,
      \.capacity.handshakes,
      "unfinished handshakes; then the oldest goes"
    ),
    ServerSetting(
      name: "loops",
      values: "1 to 256, or auto",
      help: "event loops; auto is one per core, at most 4",
      write: { text, configuration in
        guard text != "auto" else {
          configuration.capacity.loops = nil
          return true
        }
        guard let count = Int(text), (1...256).contains(count) else { return false }
        configuration.capacity.loops = count
        return true
      },
      read: { $0.capacity.loops.map { "\($0)" } ?? "auto" }
    ),
    file("record", \.files.record, "the journal is recorded to this file"),
    file("endpointsFile", \.files.endpoints, "addresses and certificates, as JSON, once everything is bound"),
    file("keyLog", \.tls.keyLogFile, "TLS session secrets for Wireshark, as SSLKEYLOGFILE"),
  ]

  private static func toggle(
    _ name: String,
    _ help: String,
    _ read: @escaping @Sendable (ServerConfiguration) -> Bool,
    write: @escaping @Sendable (inout ServerConfiguration, Bool) -> Void
  ) -> ServerSetting {
    ServerSetting(
      name: name,
      values: "on, off",
      help: help,
      isSwitch: true,
      write: { text, configuration in
        switch text {
        case "on", "true", "yes": write(&configuration, true)
        case "off", "false", "no": write(&configuration, false)
        default: return false
        }
        return true
      },
      read: { read($0) ? "on" : "off" }
    )
  }

  private typealias Path<Value> = WritableKeyPath<ServerConfiguration, Value> & Sendable

  private static func choice<Value: RawRepresentable & CaseIterable & Sendable>(
    _ name: String,
    _ path: any Path<Value>,
    _ help: String
  ) -> ServerSetting where Value.RawValue == String {
    ServerSetting(
      name: name,
      values: Value.allCases.map(\.rawValue).joined(separator: ", "),
      help: help,
      write: { text, configuration in
        guard let value = Value(rawValue: text) else { return false }
        configuration[keyPath: path] = value
        return true
      },
      read: { $0[keyPath: path].rawValue }
    )
  }

  private static func port(_ name: String, _ path: any Path<Int>, _ help: String) -> ServerSetting {
    number(name, "a port from 0 (any free one) to 65535", 0...65_535, path, help)
  }

  private static func count(
    _ name: String,
    _ range: ClosedRange<Int>,
    _ path: any Path<Int>,
    _ help: String
  ) -> ServerSetting {
    number(name, "a number from \(range.lowerBound) to \(range.upperBound)", range, path, help)
  }

  private static func number(
    _ name: String,
    _ values: String,
    _ range: ClosedRange<Int>,
    _ path: any Path<Int>,
    _ help: String
  ) -> ServerSetting {
    ServerSetting(
      name: name,
      values: values,
      help: help,
      write: { text, configuration in
        guard let value = Int(text), range.contains(value) else { return false }
        configuration[keyPath: path] = value
        return true
      },
      read: { "\($0[keyPath: path])" }
    )
  }

  private static func time(_ name: String, _ path: any Path<Duration>, _ help: String) -> ServerSetting {
    ServerSetting(
      name: name,
      values: "a time such as 250us, 50ms, 2s, 2h",
      help: help,
      write: { text, configuration in
        guard let value = DurationText.parse(text) else { return false }
        configuration[keyPath: path] = value
        return true
      },
      read: { DurationText.text($0[keyPath: path]) }
    )
  }

  private static func file(_ name: String, _ path: any Path<String?>, _ help: String) -> ServerSetting {
    ServerSetting(
      name: name,
      values: "a file, or none",
      help: help,
      write: { text, configuration in
        guard !text.isEmpty else { return false }
        configuration[keyPath: path] = text == "none" ? nil : text
        return true
      },
      read: { $0[keyPath: path] ?? "none" }
    )
  }

  private static func files(_ name: String, _ path: any Path<[String]>, _ help: String) -> ServerSetting {
    ServerSetting(
      name: name,
      values: "files (comma separated), or none",
      help: help,
      write: { text, configuration in
        guard text != "none" else {
          configuration[keyPath: path] = []
          return true
        }
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard parts.allSatisfy({ !$0.isEmpty }) else { return false }
        configuration[keyPath: path] = parts
        return true
      },
      read: { $0[keyPath: path].isEmpty ? "none" : $0[keyPath: path].joined(separator: ",") }
    )
  }
}

import APNSimCore
import APNSimProvider
import ArgumentParser

/// The options of `apnsim replay --to`: which services, how fast, with which certificate.
struct NetworkReplayOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Replay over TLS, acting as the captured providers, against the gateway there.",
      valueName: "host:port"
    )
  )
  var to: String?

  @Option(
    name: .customLong("feedback-to"),
    help: ArgumentHelp(
      "Where to repeat captured feedback connections (default: the port after that of --to).",
      valueName: "host:port"
    )
  )
  var feedbackTo: String?

  @Option(
    name: .customLong("http2-to"),
    help: ArgumentHelp(
      """
      Where to repeat captured HTTP/2 connections (default: --to, where the capture has no others; else the port two \
      after it).
      """,
      valueName: "host:port"
    )
  )
  var requestsTo: String?

  @Option(
    name: .customLong("auth-key"),
    help: ArgumentHelp(
      """
      A key that signs the provider tokens anew, AuthKey_<ID>.p8, which tokens of other keys are signed by too; may be \
      repeated (default: the keys in --certs).
      """,
      valueName: "file[:team]"
    ),
    completion: .file(extensions: ["p8"])
  )
  var authKey: [String] = []

  @Flag(name: .customLong("no-feedback"), help: "Leave out captured feedback connections.")
  var isWithoutFeedback = false

  @Option(help: "1x (the default) keeps the capture's pace; 10x is ten times as fast; max makes no pauses.")
  var speed: ReplayPace?

  @Flag(
    name: .customLong("join"),
    help: "Join frames into large writes instead of cutting the stream as captured."
  )
  var isJoined = false

  @Option(
    help: ArgumentHelp(
      "How long to wait for a recorded answer: 5s, 500ms (default: 5s).",
      valueName: "duration"
    )
  )
  var timeout: DurationArgument?

  @OptionGroup var credentials: CredentialOptions

  func validate() throws {
    for (name, text) in [("--to", to), ("--feedback-to", feedbackTo), ("--http2-to", requestsTo)] {
      if let text, Self.address(text) == nil {
        throw ValidationError("\(name) \(text): expected HOST:PORT, as in 127.0.0.1:2195 or [::1]:2195")
      }
    }
    try timeout?.requireSome("--timeout")
  }

  /// Splits `127.0.0.1:2195`, `localhost:2195` or `[::1]:2195`.
  static func address(_ text: String) -> (host: String, port: UInt16)? {
    guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]), port > 0
    else {
      return nil
    }
    var host = text[..<colon]
    if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
    return host.isEmpty ? nil : (String(host), port)
  }

  /// The services that are replayed against.
  struct Targets {
    var gateway: ProviderTarget?
    var feedback: ProviderTarget?
    var requests: NetworkReplay.Requests?

    /// `gateway connections go to 127.0.0.1:2195, those of HTTP/2 to 127.0.0.1:2197 (--http2-to)`; nil for a capture of one
    /// listener's connections.
    func note(_ listeners: Set<Listener>?) -> String? {
      let places: [(Listener, String, ProviderTarget?, String)] = [
        (.gateway, "gateway connections go", gateway, "--to"),
        (.feedback, "those of the feedback service", feedback, "--feedback-to"),
        (.http2, "those of HTTP/2", requests?.target, "--http2-to"),
      ]
      let texts = places.compactMap { listener, what, target, flag in
        listeners?.contains(listener) == true ? target.map { "\(what) to \($0.address) (\(flag))" } : nil
      }
      return texts.count > 1 ? texts.joined(separator: ", ") : nil
    }
  }

  /// - Parameter listeners: those of the capture; nil where that is not known before it is read.
  func targets(_ listeners: Set<Listener>?, _ environment: [String: String]) throws -> Targets? {
    guard let to, let address = Self.address(to) else { return nil }
    var targets = Targets()
    let others = listeners.map { $0.subtracting([.http2, .device]) }
    if others?.isEmpty != true || listeners?.contains(.http2) != true {
      targets.gateway = try target(address, .gateway, environment)
      let feedback = feedbackTo.flatMap(Self.address) ?? (address.host, address.port &+ 1)
      if !isWithoutFeedback, feedback.port != 0 {
        targets.feedback = try target(feedback, .feedback, environment)
      }
    }
    if listeners?.contains(.http2) != false {
      let (next, isOver) = address.port.addingReportingOverflow(2)
      let usual: (host: String, port: UInt16)? =
        targets.gateway == nil ? address : isOver ? nil : (address.host, next)
      if let place = requestsTo.flatMap(Self.address) ?? usual {
        targets.requests = try requests(place, environment)
      }
    }
    return targets
  }

  private func requests(
    _ address: (host: String, port: UInt16),
    _ environment: [String: String]
  ) throws -> NetworkReplay.Requests {
    var bare = try target(address, .http2, environment)
    var certificate: ProviderTarget? = bare
    if !bare.showsCertificate {
      // The certificate of the gateway's providers, where there is one.
      certificate = try? target(address, .gateway, environment)
    }
    certificate?.showsCertificate = true
    bare.showsCertificate = false
    let keys = try ReplayKeys.find(authKey, credentials, environment)
    return NetworkReplay.Requests(
      target: bare,
      certificateTarget: certificate,
      tokens: try ReplayTokens(keys)
    )
  }

  private func target(
    _ address: (host: String, port: UInt16),
    _ service: ProviderTarget.Service,
    _ environment: [String: String]
  ) throws -> ProviderTarget {
    var options = try EndpointOptions.parse([])
    options.host = address.host
    options.port = address.port
    options.credentials = credentials
    return try ProviderTarget.resolve(options, service: service, environment: environment)
  }
}

extension ReplayPace: ExpressibleByArgument {
  /// `1x`, `10x`, `0.5x`, `max`
  init?(argument: String) {
    if argument == "max" {
      self = .maximum
    } else {
      guard argument.hasSuffix("x"), let factor = Double(argument.dropLast()), factor > 0, factor <= 1_000_000
      else { return nil }
      self.init(factor: factor)
    }
  }
}

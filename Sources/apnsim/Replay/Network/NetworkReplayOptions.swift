import APNSimProvider
import ArgumentParser
import Foundation

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
    for (name, text) in [("--to", to), ("--feedback-to", feedbackTo)] {
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

  /// The gateway, and the feedback service if it is read.
  func targets(_ environment: [String: String]) throws -> (
    gateway: ProviderTarget, feedback: ProviderTarget?
  )? {
    guard let to, let gateway = Self.address(to) else { return nil }
    let feedback = feedbackTo.flatMap(Self.address) ?? (gateway.host, gateway.port &+ 1)
    return (
      try target(gateway, .gateway, environment),
      isWithoutFeedback || feedback.port == 0 ? nil : try target(feedback, .feedback, environment)
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

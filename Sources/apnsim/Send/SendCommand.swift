import APNSimProvider
import APNSimScenario
import APNSimWire
import ArgumentParser
import NIOCore
import Synchronization

/// `apnsim send`: a provider on the command line.
struct SendCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "send",
    abstract: "Send notifications as a provider and print what comes back.",
    usage: """
      apnsim send FILE|- --to TOKEN… [options]
      apnsim send FILE|- --to TOKEN… --api http2 [options]
      apnsim send FILE|- --to TOKEN… --api http2 --count N [--rate R] [--connections C] [--streams S]
      apnsim send --demo [--api http2]
      """,
    discussion: """
      FILE is a payload, such as an .apns file of "xcrun simctl push"; - is stdin. In the binary protocol, success is \
      silence: "send" waits for --timeout after the last notification, and no answer means success. With --api http2 \
      every notification has its answer, which is printed with what it means. Many of them are a load test: how long \
      answers took is said at the end, with what has none.

      Exit codes: 0 nothing was refused, or --demo went as expected; 1 a notification was refused; 2 the connection \
      broke, a request had no answer, or a file cannot be read; 69 the server is not reachable; 78 a file is not a \
      payload.
      """
  )

  @Argument(
    help: ArgumentHelp("Payload files; - for stdin.", valueName: "file"),
    completion: .file(extensions: ["apns", "json"])
  )
  var files: [String] = []

  @Option(
    name: .customLong("to"),
    parsing: .upToNextOption,
    help: ArgumentHelp(
      "Device tokens in hex digits, also as NSData prints them (\"<0a0b 0c0d>\"), or in Base64.",
      valueName: "token"
    )
  )
  var tokens: [String] = []

  @Option(help: "The interface: binary (port 2195) or http2 (port 2197).")
  var api = SendInterface.binary

  @OptionGroup var requests: RequestOptions

  @Option(
    help: ArgumentHelp(
      "The format: 0 (simple), 1 (enhanced) or 2 (framed) (default: 2).",
      valueName: "number"
    )
  )
  var command: UInt8?

  @Option(
    help: """
      The identifier of the first notification, a number or 0x and hex digits; the others count up from it. \
      Not with command 0 (default: 1).
      """
  )
  var identifier: SendIdentifier?

  @Option(
    parsing: .unconditional,
    help: """
      The expiration date: seconds since 1970 (-2147483648 to 4294967295), 2012-06-01T00:00:00Z, or +1h from now; \
      0 is never stored. Not with command 0. Without it, an offline device gets the notification however late it \
      comes: command 1 has 2147483647 then, command 2 nothing.
      """
  )
  var expiry: SendExpiry?

  @Option(
    help: ArgumentHelp(
      "The priority: 10 (at once) or 5; command 2 and http2 only, where it may also be 1.",
      valueName: "number"
    )
  )
  var priority: UInt8?

  @Option(
    help: ArgumentHelp(
      "How many notifications to send, cycling through files and tokens.",
      valueName: "number"
    )
  )
  var count: Int?

  @Option(
    help: ArgumentHelp(
      "Notifications per second (default: as fast as the server takes them).",
      valueName: "number"
    )
  )
  var rate: Double?

  @Option(
    help: ArgumentHelp(
      "How long to wait for an answer after the last notification or answer (default: 1s, with http2 10s).",
      valueName: "duration"
    )
  )
  var timeout: DurationArgument?

  @Flag(help: "Send the file's bytes unchanged and unchecked.")
  var raw = false

  @Flag(help: "Send good notifications of each kind and bad ones, and explain what comes back.")
  var demo = false

  @OptionGroup var endpoint: EndpointOptions
  @OptionGroup var output: OutputOptions

  func validate() throws {
    if demo, let extra = files.first ?? (tokens.isEmpty ? nil : "--to") ?? shaping.first {
      throw ValidationError("--demo brings its own notifications: leave out \(extra)")
    }
    if !demo, files.isEmpty { throw ValidationError("missing the payload FILE (or - for stdin)") }
    guard files.filter({ $0 == "-" }).count <= 1 else { throw ValidationError("stdin can be read only once") }
    if !demo, tokens.isEmpty { throw ValidationError("missing --to TOKEN") }
    try api == .http2 ? validateRequests() : validateFrames()
    if let count, !(1...100_000_000).contains(count) {
      throw ValidationError("--count must be a number from 1 to 100000000")
    }
    if let rate, !(rate > 0 && rate <= 10_000_000) {
      throw ValidationError("--rate must be more than 0 and at most 10000000")
    }
    try timeout?.requireSome("--timeout")
  }

  private func validateRequests() throws {
    let frames = [
      ("--command", command != nil), ("--identifier", identifier != nil), ("--expiry", expiry != nil),
    ]
    if let extra = frames.first(where: { $0.1 }) {
      throw ValidationError("\(extra.0) belongs to the binary interface: leave it out, or --api http2")
    }
    if requests.jwt != nil, endpoint.credentials.cert != nil || endpoint.credentials.key != nil {
      throw ValidationError("--jwt and --cert are mutually exclusive: leave one out")
    }
    let total = count ?? files.count * tokens.count
    if let connections = requests.connections, connections > max(1, total) {
      throw ValidationError(
        "--connections \(connections) is more than there are notifications: \(Number.grouped(total))"
      )
    }
    if requests.id != nil, count.map({ $0 > 1 }) ?? (files.count * tokens.count > 1) {
      throw ValidationError("--id is for a single notification")
    }
  }

  private func validateFrames() throws {
    if let extra = requests.all.first { throw ValidationError("\(extra) requires --api http2") }
    guard format <= 2 else { throw ValidationError("--command must be 0, 1 or 2") }
    if priority != nil, format != 2 { throw ValidationError("--priority requires command 2") }
    if format == 0, let extra = shaping.first(where: { $0 == "--identifier" || $0 == "--expiry" }) {
      throw ValidationError("\(extra) cannot be used with command 0, which has none")
    }
  }

  private var format: UInt8 { command ?? 2 }

  /// Over HTTP/2 every request has an answer, so that a long wait is for a server in trouble alone.
  private var patience: Duration { timeout?.duration ?? .seconds(api == .http2 ? 10 : 1) }

  /// The given options that shape notifications.
  private var shaping: [String] {
    let given = [
      ("--command", command != nil), ("--identifier", identifier != nil), ("--expiry", expiry != nil),
      ("--priority", priority != nil), ("--count", count != nil), ("--rate", rate != nil), ("--raw", raw),
    ]
    return given.filter { $0.1 }.map { $0.0 } + requests.shaping
  }

  func run() async throws {
    let tokens = try TokenArgument.bytes(tokens)
    let environment = ProcessVariables.all
    if api == .http2 { return try await request(tokens, environment) }
    let target = try ProviderTarget.resolve(endpoint, service: .gateway, environment: environment)
    if demo {
      try await DemoRun(tokens: tokens, patience: patience, output: output).run(on: target)
    } else {
      try await send(to: tokens, at: target)
    }
  }

  private func request(_ tokens: [[UInt8]], _ environment: [String: String]) async throws {
    let target = try ProviderTarget.resolve(endpoint, service: .http2, environment: environment)
    let pushes = try files.map { try PushFile.load($0, isRaw: raw) }
    var (token, stale) = (requests.jwt, String?.none)
    if !target.showsCertificate, token == nil || demo {
      let mint = try ProviderTokenMint.find(endpoint, environment: environment)
      token = try token ?? mint.token()
      stale = try mint.token(age: 7_200)
    }
    let run = RequestRun(
      target: target,
      options: requests,
      token: token,
      patience: patience,
      output: output
    )
    if demo { return try await run.demonstrate(stale: stale) }
    try await run.send(
      pushes,
      to: tokens,
      count: count ?? pushes.count * tokens.count,
      rate: rate,
      priority: priority
    )
  }

  /// The last moment of a signed expiry, valid in either edition.
  private static let latestExpiry: UInt32 = 0x7FFF_FFFF

  private func send(to tokens: [[UInt8]], at target: ProviderTarget) async throws {
    let pushes = try files.map { try PushFile.load($0, isRaw: raw) }
    for push in pushes { push.warn(about: target) }
    let plan = NotificationPlan(
      payloads: pushes.map(\.payload),
      tokens: tokens,
      count: count ?? pushes.count * tokens.count,
      template: NotificationFrame(
        command: format,
        expiry: expiry?.seconds ?? (format == 1 ? Self.latestExpiry : nil),
        priority: priority,
        token: [],
        payload: []
      ),
      firstIdentifier: identifier?.rawValue ?? 1
    )
    let connection = try await ProviderConnection.open(target, timeout: .opening(patience))
    let bar = SendProgress(total: plan.count)
    defer { bar.finish() }
    let exchange = SendExchange(
      plan: plan,
      rate: rate,
      patience: patience,
      progress: { bar.update($0) }
    )
    let report = try await exchange.run(over: connection)
    bar.finish()
    let summary = SendSummary(report, target: target)
    Output.lines(try output.isJSON ? [JSONLine.text(SendResult(report))] : summary.lines(output.style))
    if !output.isJSON { for hint in summary.hints { Output.note("hint: \(hint)") } }
    if !report.isSuccess { throw CommandFailure.quiet(summary.status) }
  }
}

/// A progress bar that the writing task may move.
final class SendProgress: Sendable {
  private let bar: Mutex<ProgressBar>
  /// A few notifications are written before anybody could read the bar.
  private let isWorthIt: Bool

  init(total: Int) {
    bar = Mutex(ProgressBar(total: total, noun: "notifications"))
    isWorthIt = total >= 1000
  }

  func update(_ done: Int) {
    if isWorthIt { bar.withLock { $0.update(done) } }
  }

  func finish() { bar.withLock { $0.finish() } }
}

import APNSimServer
import NIOHTTP1
import Synchronization

/// Everything that the requests of one control API share: its spaces, its limits, and counts of what is open.
final class ControlServices: Sendable {
  let limits: ControlLimits
  let redaction: CaptureRedaction
  /// The recording that is shown; nil where a simulator runs.
  let recording: ShownRecording?
  /// The state that outlives the process of the main simulator; nil where there is none.
  let durable: DurableState?
  let sandboxes: Sandboxes
  let streams: OpenCount
  let waits: OpenCount
  /// Large bodies are read one after the other.
  let largeBodies = Turns()
  /// The name of this process for clients that come back, which no other one has.
  let process = String(UInt64.random(in: 0 ... .max), radix: 36)
  private let state = Mutex(State())

  private struct State {
    var main: Space?
    var url: String?
  }

  init(
    redaction: CaptureRedaction,
    limits: ControlLimits,
    recording: ShownRecording? = nil,
    durable: DurableState? = nil
  ) {
    self.recording = recording
    self.durable = durable
    self.redaction = redaction
    self.limits = limits
    sandboxes = Sandboxes(most: limits.sandboxes)
    streams = OpenCount(of: "streams", most: limits.streams)
    waits = OpenCount(of: "waits", most: limits.waits)
  }

  /// The main simulator; nil until the control API starts beside it.
  var main: Space? { state.withLock { $0.main } }

  /// The base URL of the control API; nil until it has a port.
  var url: String? { state.withLock { $0.url } }

  /// The endpoints of the main simulator; nil until it listens.
  var endpoints: Endpoints? { main?.server.endpoints }

  /// The endpoints of a server for whoever sent a request. Where it listens on every address, only the client knows by which
  /// name it reaches this machine: the name of its Host header.
  func endpoints(of server: SimulatorServer, for request: HTTPRequest) -> Endpoints? {
    guard var endpoints = server.endpoints else { return nil }
    endpoints.control = url
    guard let host = server.configuration.listening.host, ["0.0.0.0", "::"].contains(host),
      case let name = AccessGuard.name(of: request.host), !name.isEmpty
    else { return endpoints }
    endpoints.host = String(name)
    endpoints.control = "http://\(request.host)"
    return endpoints
  }

  /// True if whoever has access may have the provider's private keys.
  var sharesCredentials: Bool { main?.server.configuration.control.sharesCredentials ?? false }

  /// The parts that are not ready yet, or not any more.
  var missing: [String] {
    let state = trouble == nil ? [] : ["state"]
    guard let main else { return state.isEmpty ? ["simulator"] : state }
    // A recording has no listeners.
    return recording == nil ? state + main.server.missing : []
  }

  /// The reason why the durable state takes nothing in, for people.
  var trouble: String? { durable?.trouble(main?.simulator) }

  /// Names the main simulator, before the control API has a port.
  func begin(_ main: Space) { state.withLock { $0.main = main } }

  /// Names the base URL, once the control API has a port.
  func listens(at url: String) { state.withLock { $0.url = url } }

  /// The simulator that a path means.
  /// - Throws: `ProblemDetails` 404 for a sandbox that there is not, 503 while the main simulator is starting.
  func space(_ sandbox: String?) throws(ProblemDetails) -> Space {
    if let sandbox {
      guard let space = sandboxes[sandbox] else { throw .notFound("sandbox", sandbox) }
      return space
    }
    guard let main else {
      throw ProblemDetails(
        .serviceUnavailable,
        title: "Not ready",
        detail: trouble ?? "the simulator is starting"
      )
    }
    return main
  }
}

/// The number of open answers of one kind, event streams or waits, and its limit.
///
/// A sandbox has at most as many of them as are left to the others: none alone can take all.
final class OpenCount: Sendable {
  private let counts = Mutex<(all: Int, ofSandbox: [String: Int])>((0, [:]))
  private let most: Int
  private let name: String

  init(of name: String, most: Int) {
    self.name = name
    self.most = most
  }

  var open: Int { counts.withLock { $0.all } }

  /// Takes a place for the lifetime of the result: an answer may be discarded before its body begins.
  /// - Parameter sandbox: nil for the simulator itself.
  /// - Throws: `ProblemDetails` 503 if there are too many.
  func enter(_ sandbox: String?) throws(ProblemDetails) -> Place {
    let detail: String? = counts.withLock { counts in
      guard counts.all < most else { return "\(most) \(name) are already open, the maximum" }
      if let sandbox {
        let own = counts.ofSandbox[sandbox] ?? 0
        guard own < most - counts.all else {
          return "the sandbox has \(own) \(name), as many as are left to the others"
        }
        counts.ofSandbox[sandbox] = own + 1
      }
      counts.all += 1
      return nil
    }
    if let detail { throw ProblemDetails(.serviceUnavailable, title: "Too many \(name)", detail: detail) }
    return Place(of: self, sandbox)
  }

  private func leave(_ sandbox: String?) {
    counts.withLock { counts in
      counts.all -= 1
      guard let sandbox, let own = counts.ofSandbox[sandbox] else { return }
      counts.ofSandbox[sandbox] = own > 1 ? own - 1 : nil
    }
  }

  /// One open answer.
  final class Place: Sendable {
    private let all: OpenCount
    private let sandbox: String?

    fileprivate init(of all: OpenCount, _ sandbox: String?) { (self.all, self.sandbox) = (all, sandbox) }

    deinit { all.leave(sandbox) }
  }
}

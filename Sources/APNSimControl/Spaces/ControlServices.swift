internal import APNSimServer
internal import HTTPTypes
internal import Hummingbird
internal import Synchronization

/// Everything that the requests of one control API share: its spaces, its limits, and counts of what is open.
final class ControlServices: Sendable {
  let limits: ControlLimits
  let redaction: CaptureRedaction
  let sandboxes: Sandboxes
  let streams: OpenCount
  let waits: OpenCount
  private let state = Mutex(State())

  private struct State {
    var main: Space?
    var url: String?
  }

  init(redaction: CaptureRedaction, limits: ControlLimits) {
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

  /// The parts that are not ready yet, or not any more.
  var missing: [String] { main?.server.missing ?? ["simulator"] }

  /// Names the main simulator, before the control API has a port.
  func begin(_ main: Space) { state.withLock { $0.main = main } }

  /// Names the base URL, once the control API has a port.
  func listens(at url: String) { state.withLock { $0.url = url } }

  /// The simulator that a path means.
  /// - Throws: `Problem` 404 for a sandbox that there is not, 503 while the main simulator is starting.
  func space(_ sandbox: String?) throws(Problem) -> Space {
    if let sandbox {
      guard let space = sandboxes[sandbox] else { throw .notFound("sandbox", sandbox) }
      return space
    }
    guard let main else {
      throw Problem(.serviceUnavailable, title: "Not ready", detail: "the simulator is starting")
    }
    return main
  }
}

/// How many answers of one kind are open, and how many there may be: event streams, waits.
final class OpenCount: Sendable {
  private let count = Atomic<Int>(0)
  private let most: Int
  private let name: String

  init(of name: String, most: Int) {
    self.name = name
    self.most = most
  }

  var open: Int { count.load(ordering: .relaxed) }

  /// Takes a place for as long as what is returned lives: an answer may be thrown away before its body begins.
  /// - Throws: `Problem` 503 when there are too many.
  func enter() throws(Problem) -> Place {
    let place = Place(of: self)
    guard open <= most else {
      throw Problem(
        .serviceUnavailable,
        title: "Too many \(name)",
        detail: "\(most) \(name) are already open, the maximum"
      )
    }
    return place
  }

  /// One that is open.
  final class Place: Sendable {
    private let all: OpenCount

    fileprivate init(of all: OpenCount) {
      self.all = all
      all.count.add(1, ordering: .relaxed)
    }

    deinit { all.count.subtract(1, ordering: .relaxed) }
  }
}

import APNSimCore
import APNSimServer

/// The outcome of some traffic: the output and the end of every connection, and the journal.
struct Course: Sendable {
  struct Ending: Hashable, Sendable, CustomStringConvertible {
    var reply: [UInt8] = []
    var how = "open"
    var description: String { "\(how) \(reply)" }
  }

  var connections: [Ending] = []
  var feedback: [[UInt8]] = []
  /// The lines of the journal after its header, without the parts that only a network has.
  var journal: [String] = []
  /// The length of the journal after each step.
  var lengths: [Int] = []
  /// The connections that ended with each step, in order.
  var endings: [[Int]] = []

  /// Peers have ports and TLS has a cipher; without a network both are empty.
  static func withoutNetwork(_ line: String) -> String {
    guard line.contains(#""event":"connection"#) else { return line }
    return line.replacing(/"peer":"[^"]*"/, with: #""peer":"""#)
      .replacing(/"cipher":"[^"]*"/, with: #""cipher":"""#)
  }

  /// The first line in which two journals differ, for people.
  static func difference(_ left: [String], _ right: [String]) -> String? {
    for index in 0..<max(left.count, right.count) {
      let (one, other) = (left.dropFirst(index).first, right.dropFirst(index).first)
      if one != other { return "line \(index):\n  \(one ?? "-")\n  \(other ?? "-")" }
    }
    return nil
  }
}

/// The world in which traffic happens.
enum TrafficWorld {
  static func prepare(_ options: inout TestServer.Options) {
    options.scenario.clock = .virtual(start: options.start)
    // A provider may take its time.
    options.server.timing.linger = .seconds(30)
    options.server.timing.feedbackPause = .milliseconds(50)
    options.scenario.devices = [
      device("online", Frames.online),
      device("offline", Traffic.offline, isOnline: false),
      device("removed", Traffic.removed, isInstalled: false),
    ]
    options.scenario.feedback = Frames.tuples(2)
  }

  private static func device(
    _ name: String,
    _ token: [UInt8],
    isOnline: Bool = true,
    isInstalled: Bool = true
  ) -> DeviceSpecification {
    DeviceSpecification(
      name: name,
      isOnline: isOnline,
      apps: [AppSpecification(app: Traffic.app, token: token, isInstalled: isInstalled)]
    )
  }
}

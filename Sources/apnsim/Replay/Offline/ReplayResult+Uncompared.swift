import APNSimCapture
import APNSimWire

/// The parts of a capture that a replay could not compare, while it compared the rest.
extension ReplayResult {
  struct Uncompared {
    /// The noun alone: `feedback lists`.
    var subject: String
    /// The amount, and the reason it was not compared.
    var reason: String
  }

  var uncompared: [Uncompared] {
    var list: [Uncompared] = []
    func add(_ count: Int, _ noun: String, of subject: String, _ why: String) {
      guard count > 0 else { return }
      list.append(Uncompared(subject: subject, reason: "\(Number.counted(count, noun)) not compared\(why)"))
    }
    add(
      uncomparedConnections,
      "connection",
      of: "the answers on connections with gaps",
      ": some of \(uncomparedConnections == 1 ? "its" : "their") bytes are missing"
    )
    // A capture without any answers says that instead.
    add(
      hasRecordedAnswers ? unseenConnections : 0,
      "connection",
      of: "the answers on connections recorded one way",
      ": the capture does not have what came back"
    )
    add(
      openConnections,
      "connection",
      of: "the last answers on connections without an end",
      " to the end, which the capture does not show"
    )
    add(
      unexplainedLists,
      "feedback list",
      of: "feedback lists",
      ": the capture does not say what was in \(unexplainedLists == 1 ? "it" : "them") before (a scenario's "
        + #""feedback" does: --scenario FILE)"#
    )
    return list
  }
}

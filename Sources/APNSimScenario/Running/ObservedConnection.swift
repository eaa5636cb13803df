package import APNSimCore
import APNSimWire

/// One connection as its scripted provider observed it, and as the simulator reports it.
package struct ObservedConnection: Sendable {
  package var name: String
  /// The simulator's number of it; nil for one that was refused or never made.
  package var id: ConnectionID?
  package var received: [UInt8] = []
  /// The answers to requests, `200`, `410 Unregistered`, and the frames that came in place of one (``SeenFrame``).
  package var answers: [String] = []
  /// The number of TLS records received; nil where records cannot be observed.
  package var records: Int? = 0
  package var ending = TrafficEnding.open
  package var alert: UInt8?
  package var view: ConnectionView?

  package init(name: String) { self.name = name }

  /// The number of whole feedback tuples received.
  package var tuples: Int { FeedbackTupleDecoder.tuples(in: received).count }
}

extension ConnectionTest {
  /// The differences between a connection and what is expected; empty where there are none.
  /// - Parameter isRemote: true for one observed over a network, where records may be joined and a gateway that has
  /// stopped reading looks like any silent one.
  package func differences(from sight: ObservedConnection, isRemote: Bool) -> [ScenarioOutcome.Difference] {
    var differences: [ScenarioOutcome.Difference] = []
    func compare(_ path: String, _ isRight: Bool, _ expected: String, _ actual: String) {
      if !isRight { differences.append(.init(path: path, expected: expected, actual: actual)) }
    }
    if let received {
      let (wanted, found) = (Hex.encode(received), Hex.encode(sight.received))
      compare(
        "received",
        received == sight.received,
        wanted.isEmpty ? "nothing" : wanted,
        found.isEmpty ? "nothing" : found
      )
    }
    if let answers {
      // Frames are looked at where some are expected.
      let hasFrames = answers.contains(where: SeenFrame.isFrame)
      let seen = sight.answers.filter { hasFrames || !SeenFrame.isFrame($0) }
      let isRight = answers.count == seen.count && zip(answers, seen).allSatisfy(SeenFrame.means)
      compare("answers", isRight, answers.joined(separator: ", "), sight.answers.joined(separator: ", "))
    }
    if let ending {
      let isSilence = isRemote && ending == .stopReading && sight.ending == .open
      compare("ending", isSilence || ending == sight.ending, ending.rawValue, sight.ending.rawValue)
    }
    if let alert { compare("alert", alert == sight.alert, "\(alert)", sight.alert.map { "\($0)" } ?? "none") }
    if let records, let found = sight.records {
      compare("records", records.holds(for: found), records.description, "\(found)")
    }
    if let tuples {
      compare("tuples", tuples.holds(for: sight.tuples), tuples.description, "\(sight.tuples)")
    }
    for count in counts {
      let found = sight.view.map { count.name.value(in: $0) } ?? 0
      compare(count.name.rawValue, count.test.holds(for: found), count.test.description, "\(found)")
    }
    return differences
  }

  /// The whole test in words, for a report.
  var summary: String {
    var parts: [String] = []
    if let received {
      parts.append(received.isEmpty ? "received nothing" : "received \(Hex.encode(received))")
    }
    if let answers { parts.append("answers \(answers.joined(separator: ", "))") }
    if let ending { parts.append("ending \(ending.rawValue)") }
    if let alert { parts.append("alert \(alert)") }
    if let records { parts.append("\(records) record\(records.isOne ? "" : "s")") }
    if let tuples { parts.append("\(tuples) tuple\(tuples.isOne ? "" : "s")") }
    parts += counts.map { "\($0.test) \($0.name.rawValue)" }
    return parts.joined(separator: ", ")
  }
}

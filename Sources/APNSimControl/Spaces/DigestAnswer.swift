import APNSimCore
import APNSimWire

/// The data of an event `digest`.
struct DigestAnswer: JSONObject {
  let digest: JournalDigest
  /// The newest notifications that match, newest first.
  let newest: [NotificationView]

  static let shape = JSONShape<Self>(
    "Digest",
    "What happened since the digest before it.",
    example: """
      {"seq": 1050, "time": "2012-06-01T00:00:00.250Z", "received": 4, "matched": 4, "rejected": 1,
       "outcomes": {"delivered": 3, "rejected:410 Unregistered": 1}, "newest": [], "skipped": 4, "changed": ["n41"],
       "cleared": false, "clock": false, "faults": false, "connections": true, "devices": false, "feedback": false}
      """
  ) {
    $0.member("seq", "The last sequence number that it covers, as is the event's `id`.") { $0.digest.seq }
    $0.member("time", "Simulated.") { $0.digest.time }
    $0.member("received", "Notifications that came in.", .least(0)) { $0.digest.received }
    $0.member("matched", "Those of them that match the query.", .least(0)) { $0.digest.matched }
    $0.member("rejected", "Those of these whose outcome is rejected.", .least(0)) { $0.digest.rejected }
    $0.member(
      "outcomes",
      "Those that match, by outcome, and by status and reason where they were rejected.",
      schema: .object([
        .init("type", "object"),
        .init(key: "additionalProperties", value: .type("integer").described("", [.least(1)])),
      ])
    ) { $0.writeOutcomes(to: &$1) }
    $0.list("newest", "The newest ones that match, newest first.", counts: 0...JournalDigest.mostNewest) {
      $0.newest
    }
    $0.member("skipped", "How many match that are not in `newest`.", .least(0)) {
      $0.digest.matched - $0.digest.newest.count
    }
    $0.list(
      "changed",
      "Notifications whose state changed after they came in, whether they match or not.",
      counts: 0...JournalDigest.mostChanged
    ) { $0.digest.changed.map { NotificationNumber($0) } }
    $0.optional("changedMore", "Further ones changed.") { $0.digest.hasMoreChanged ? true : nil }
    $0.optional(
      "missed",
      "So many records left the history before they could be counted; anything may have changed.",
      .least(1)
    ) { $0.digest.missed > 0 ? $0.digest.missed : nil }
    $0.member("cleared", "The history was cleared.") { $0.digest.wasCleared }
    $0.member(
      "clock",
      "The clock was moved, stopped or started; likewise below: something about that happened."
    ) { $0.digest.kinds.contains(.clock) }
    $0.member("faults") { $0.digest.kinds.contains(.faults) }
    $0.member("connections") { $0.digest.kinds.contains(.connections) }
    $0.member("devices") { $0.digest.kinds.contains(.devices) }
    $0.member("feedback") { $0.digest.kinds.contains(.feedback) }
  }

  private func writeOutcomes(to writer: inout JSONWriter) {
    writer.beginObject()
    for (name, count) in digest.outcomes.map({ ($0.text, $1) }).sorted(by: { $0.0 < $1.0 }) {
      writer.key(name)
      writer.int(count)
    }
    writer.endObject()
  }
}

/// The data of the event `hello`, with which a stream of digests begins.
struct DigestHello: JSONObject {
  let seq: UInt64
  let process: String
  let kept: Range<UInt64>

  static let shape = JSONShape<Self>(
    "DigestHello",
    example: #"{"seq": 1042, "process": "1y2p0ij32e8e7", "kept": 57, "oldest": "n1"}"#
  ) {
    $0.member("seq", "The sequence number after which digests begin.") { $0.seq }
    $0.member("process", "Another name after the program was started anew.") { $0.process }
    $0.member("kept", "How many notifications the history has.", .least(0)) { $0.kept.count }
    $0.member("oldest", "The oldest of them.") {
      $0.kept.isEmpty ? nil : NotificationNumber($0.kept.lowerBound)
    }
  }
}

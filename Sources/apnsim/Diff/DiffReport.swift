import APNSimCapture
import APNSimCore
import APNSimWire

/// The difference of two captures: an entry for each difference.
struct DiffReport: Report {
  typealias Entry = DiffEntry
  static let list: StaticString = "differences"
  /// The most connections with gaps that are named.
  private static let mostGaps = 10

  let diff: CaptureDiff
  /// The captures, with their files' names.
  let a: (path: String, digest: CaptureDigest)
  let b: (path: String, digest: CaptureDigest)

  /// There may be millions.
  var entries: some Collection<DiffEntry> {
    diff.differences.lazy.map { [a, b] difference in
      DiffEntry(
        difference: difference,
        a: difference.a.map { a.digest.items[$0] },
        b: difference.b.map { b.digest.items[$0] }
      )
    }
  }

  // MARK: Text

  var mostShown: Int { 100 }

  func head(_ style: Style) -> [String] {
    ["A  \(a.path): \(sum(a.digest))", "B  \(b.path): \(sum(b.digest))"] + notes("A", a.digest)
      + notes("B", b.digest)
  }

  func end(_ style: Style) -> [String] {
    let more = diff.differences.count - mostShown
    let rest = more > 0 ? ["and \(Number.grouped(more)) more (--json lists all)"] : []
    var same = "\(Number.counted(diff.matched, "notification"))"
    if diff.matchedTuples > 0 { same += " and \(Number.counted(diff.matchedTuples, "feedback tuple"))" }
    same += " in both"
    let different = style.paint(Number.counted(diff.differences.count, "difference"), .red)
    return rest + [diff.isSame ? style.paint("\(same), no differences", .green) : "\(same); \(different)"]
  }

  private func notes(_ name: String, _ digest: CaptureDigest) -> [String] {
    let answers = digest.answersWithoutRequest
    let unasked = "\(Number.counted(answers, "answer")) without requests, not compared"
    return ([answers > 0 ? unasked : nil, digest.gaps.text, gaps(digest)].compactMap { $0 } + digest.notes)
      .map { "\(name)  \($0)" }
  }

  private func sum(_ digest: CaptureDigest) -> String {
    "\(Number.counted(digest.notifications, "notification")) on "
      + Number.counted(digest.connections, "connection")
      + (digest.hasOnlyRequests ? "" : ", \(Number.counted(digest.errors.count, "error response"))")
      + (digest.tuples.isEmpty ? "" : ", \(Number.counted(digest.tuples.count, "feedback tuple"))")
  }

  /// `bytes are missing on c1: what was in them shows as only in the other`
  private func gaps(_ digest: CaptureDigest) -> String? {
    let connections = digest.broken.sorted()
    guard !connections.isEmpty else { return nil }
    let more =
      connections.count > Self.mostGaps
      ? " and \(Number.grouped(connections.count - Self.mostGaps)) more" : ""
    let names = connections.prefix(Self.mostGaps).map(\.description).joined(separator: ", ") + more
    return "bytes are missing on \(names): what was in them shows as only in the other"
  }

  // MARK: JSON

  func writeHead(to writer: inout JSONWriter) {
    writer.member("same", diff.isSame)
    writer.member("matched", diff.matched)
    writer.member("matchedTuples", diff.matchedTuples)
    if diff.isPairingTokens { writer.member("redacted", true) }
    for (key, digest) in [("a" as StaticString, a.digest), ("b", b.digest)] {
      writer.object(key) { writer in
        writer.member("notifications", digest.notifications)
        writer.member("connections", digest.connections)
        writer.member("errors", digest.errors.count)
        writer.member("feedbackTuples", digest.tuples.count)
        writer.member("gaps", digest.broken.sorted().map(\.description))
        digest.gaps.write(to: &writer)
        digest.damage?.write(to: &writer)
        writer.member("notes", digest.notes)
      }
    }
  }

  // MARK: JUnit

  var suite: String { "apnsim diff \(a.path) \(b.path)" }

  var cases: [TestCase] {
    [TestCase(group: "captures", name: "\(Number.counted(diff.matched, "notification")) in both")]
  }

  var remarks: [String] { head(.plain) }
}

/// The parts of one recording, as a rotation leaves them: every part but the first continues the one before it.
enum CaptureParts {
  /// Looks whether parts follow one another without a gap, for which all but the last are read.
  /// - Throws: `CaptureFailure` where they do not.
  static func check(_ paths: [String]) throws(CaptureFailure) {
    guard paths.count > 1, let first = paths.first else { return }
    for path in paths where !CaptureFile.canBeReread(path) {
      throw CaptureFailure(.unreadable, path: path, reason: "is no file: the parts of a recording are files")
    }
    var earlier = try CaptureReader(path: first)
    if earlier.header.continues {
      throw refusal(
        first,
        "continues a recording at event \(earlier.header.completeFrom), and the part before it is missing here: "
          + "name all parts, the oldest first"
      )
    }
    for path in paths.dropFirst() {
      let part = try CaptureReader(path: path)
      let last = try lastEvent(of: earlier)
      try check(part, after: last, of: earlier)
      earlier = part
    }
  }

  private static func check(
    _ part: CaptureReader,
    after last: UInt64,
    of earlier: CaptureReader
  ) throws(CaptureFailure) {
    let header = part.header
    guard header.continues else {
      throw refusal(part.path, "begins a recording of its own, and does not continue \(earlier.path)")
    }
    guard header.isRedacted == earlier.header.isRedacted else {
      throw refusal(part.path, "does not continue \(earlier.path): only one of the two is redacted")
    }
    guard header.rules == earlier.header.rules else {
      throw refusal(part.path, "does not continue \(earlier.path): their outcomes are by other `rules`")
    }
    guard header.completeFrom == last &+ 1 else {
      let places = "continues at event \(header.completeFrom), but \(earlier.path) ends with event \(last)"
      throw refusal(
        part.path,
        header.completeFrom > last
          ? "\(places): the part between them is missing"
          : "\(places): the parts are not in order, the oldest first, or one is there twice"
      )
    }
  }

  /// The sequence number of a part's last event, or the one before its first.
  private static func lastEvent(of part: CaptureReader) throws(CaptureFailure) -> UInt64 {
    var last = part.header.completeFrom &- 1
    while let entry = part.next() { last = entry.seq }
    if let damage = part.damage {
      throw refusal(part.path, "is damaged, so that no other part can follow it: \(damage)")
    }
    return last
  }

  private static func refusal(_ path: String, _ reason: String) -> CaptureFailure {
    CaptureFailure(.notAJournal, path: path, reason: reason)
  }
}

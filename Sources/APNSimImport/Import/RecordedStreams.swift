import APNSimCapture
import APNSimCore

/// A simulator's recording of the streams of its connections, as an import has it: a request without its
/// verdict, and its answer when that left.
struct RecordedStreams {
  /// The answers that leave later than their requests' lines say them, by notification.
  private var late: [UInt64: CapturedAnswer] = [:]
  private static let mostLate = 100_000

  /// The happening that an entry, the reader's last one, tells of; nil for one that is about no stream.
  mutating func take(_ entry: CaptureEntry, in reader: CaptureReader) -> (ConnectionID, [StreamHappening])? {
    switch entry.kind {
    case .bytesIn(let id, let evidence, _, .some(let facts)) where facts.answer != nil:
      guard let answer = reader.answer, answer.status != nil else { return (id, [.request(evidence)]) }
      guard answer.isLater else { return (id, [.request(evidence), .answered(answer)]) }
      if late.count < Self.mostLate { late[facts.number] = answer }
      return (id, [.request(evidence)])
    case .stream(let id, .answered(let answer)):
      guard let number = answer.notification else { return (id, [.answered(answer)]) }
      return (id, late.removeValue(forKey: number).map { [.answered($0)] } ?? [])
    case .stream(let id, let happening): return (id, [happening])
    case .other("faultFired"): return reader.faultFrame.map { ($0.0, [$0.1]) }
    default: return nil
    }
  }
}

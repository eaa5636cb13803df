import APNSimCapture

/// A capture is read up to its end or its damage, plain or gzip; what was read, written and read again is the same.
enum CaptureProperty {
  static func violation(_ input: [UInt8]) -> String? {
    guard let first = read(input) else { return nil }
    let entries = first.entries.compactMap(rewritable)
    var writer = CaptureWriter(CaptureHeader())
    for entry in entries { writer.write(entry) }
    guard let second = read(writer.takeLines()) else { return "what was written is no capture" }
    if let damage = second.damage { return "what was written is damaged: \(damage)" }
    return second.entries.map(\.kind) == entries.map(\.kind) ? nil : "the entries do not come back"
  }

  private static func read(_ bytes: [UInt8]) -> (entries: [CaptureEntry], damage: CaptureDamage?)? {
    guard let reader = try? CaptureReader(name: "fuzzed", bytes: bytes) else { return nil }
    var entries: [CaptureEntry] = []
    while let entry = reader.next() { entries.append(entry) }
    return (entries, reader.damage)
  }

  /// An entry as an import would write it; nil for what only a simulator writes.
  private static func rewritable(_ entry: CaptureEntry) -> CaptureEntry? {
    var kind = entry.kind
    switch kind {
    case .other, .command, .inputEnded: return nil
    case .bytesIn(let id, let bytes, let dropped, _):
      kind = .bytesIn(id, bytes, dropped: dropped, notification: nil)
    case .stream, .connectionOpened, .bytesOut, .bytesMissing, .framesFound, .captureEnded, .connectionClosed:
      break
    }
    return CaptureEntry(time: entry.time, kind: kind)
  }
}

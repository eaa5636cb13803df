internal import APNSimCore
internal import APNSimScenario
internal import APNSimWire

/// Lines of which nothing is made: the capture does not open their connections, nor say what these are.
struct LeftOutLines {
  private var count = 0
  private var bytes = 0
  private var first: ConnectionID?

  mutating func add(_ id: ConnectionID, bytes: Int) {
    count.add(saturating: 1)
    self.bytes.add(saturating: bytes)
    first = first ?? id
  }

  /// In words; nil where nothing is left out.
  var text: String? {
    guard let first else { return nil }
    return """
      \(count.counted("line")) (\(bytes.counted("byte"))) of connections that the capture \
      does not open left out; the first is of \(first)
      """
  }

  /// What a reader should know of connections that are shown from their first notification on.
  static func text(openBefore count: Int) -> String? {
    guard count > 0 else { return nil }
    return "\(count.counted("connection")) without a beginning in the capture"
  }
}

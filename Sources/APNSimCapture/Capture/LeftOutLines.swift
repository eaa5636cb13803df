package import APNSimCore
import APNSimScenario
import APNSimWire

/// Counts the lines that are left out, because the capture neither opens nor describes their connections.
package struct LeftOutLines {
  private var count = 0
  private var bytes = 0
  private var first: ConnectionID?

  package init() {}

  package mutating func add(_ id: ConnectionID, bytes: Int) {
    count.add(saturating: 1)
    self.bytes.add(saturating: bytes)
    first = first ?? id
  }

  /// The counts in words; nil where nothing is left out.
  package var text: String? {
    guard let first else { return nil }
    return """
      \(count.counted("line")) (\(bytes.counted("byte"))) of connections that the capture \
      does not open left out; the first is of \(first)
      """
  }

  /// A note on connections that are shown from their first notification on; nil for none.
  package static func text(openBefore count: Int) -> String? {
    guard count > 0 else { return nil }
    return "\(count.counted("connection")) without a beginning in the capture"
  }
}

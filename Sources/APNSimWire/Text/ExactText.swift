/// A text that is the same as another only with the same code points in the same order.
///
/// Swift's own comparison takes canonically equivalent texts for one: U+00E9 and `e` with U+0301, U+212A and `K`. What
/// was sent, and names that keep strangers apart, are compared by this instead.
package struct ExactText: Hashable, Comparable, Sendable {
  package var text: String

  package init(_ text: String) { self.text = text }

  package static func == (left: ExactText, right: ExactText) -> Bool { left.text.isExactly(right.text) }

  /// The order of the bytes in UTF-8, which is that of the code points.
  package static func < (left: ExactText, right: ExactText) -> Bool {
    left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
  }

  package func hash(into hasher: inout Hasher) { text.hashBytes(into: &hasher) }
}

extension String {
  /// True for the same code points in the same order.
  package func isExactly(_ other: String) -> Bool {
    var (text, other) = (self, other)
    return text.withUTF8 { bytes in
      other.withUTF8 { UnsafeRawBufferPointer(bytes).hasBytes(of: UnsafeRawBufferPointer($0)) }
    }
  }

  /// Feeds the bytes in UTF-8, and an end that no text has.
  package func hashBytes(into hasher: inout Hasher) {
    var text = self
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    hasher.combine(UInt8.max)
  }
}

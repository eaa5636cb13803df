/// The way in which an answer leaves: as it comes, or in two TLS records.
package enum AnswerCut: UInt8, Hashable, Sendable {
  case none
  /// The first byte by itself.
  case afterFirstByte
  /// Half of it in each record; of an odd number, the second has one byte more.
  case inHalves

  /// The bytes of the first of two records, of an answer of so many; nil where one has them all.
  package func first(of count: Int) -> Int? {
    switch self {
    case .none: nil
    case .afterFirstByte: count > 1 ? 1 : nil
    case .inHalves: count > 1 ? count / 2 : nil
    }
  }
}

extension AnswerCut: Kept {}

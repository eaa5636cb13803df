package import APNSimWire

/// The generation of outcomes by which a simulator decides.
///
/// Recordings and states name theirs (`rules`), so that they go on meaning what they meant. One that names none was made
/// by version 0.2 or an earlier one, and is of the first.
public enum OutcomeRules: Int, BitwiseCopyable, Hashable, Sendable, CaseIterable {
  case first = 1
  case second = 2

  /// The generation of whatever begins now.
  public static let current = second

  /// The generation that a recording or a state names.
  /// - Throws: what was expected and found, of a later version or of none.
  package init(named number: Int?) throws(Unknown) {
    guard let number else {
      self = .first
      return
    }
    guard let rules = Self(rawValue: number) else { throw Unknown(number: number) }
    self = rules
  }

  /// Writes the member by which it is read again; the first has none.
  package func writeMember(to writer: inout JSONWriter) {
    if self != .first { writer.member("rules", rawValue) }
  }

  /// True if an outcome is decided as the table says by now, false if as it was before.
  @inline(__always)
  package func have(_ outcome: ChangedOutcome) -> Bool { rawValue >= outcome.generation.rawValue }

  /// After a restart, a real clock goes back with the system's; before, it went on from where it stood, beside it for good.
  /// A recording says the same in any generation.
  var clockGoesBack: Bool { rawValue >= Self.second.rawValue }

  /// Bytes that no frame could be made of are kept without what has the shape of a provider token; before, as they came.
  var areTokensBlotted: Bool { rawValue >= Self.second.rawValue }

  /// The error of a generation that this program does not have.
  package struct Unknown: Error, CustomStringConvertible {
    var number: Int

    package var description: String {
      "has outcomes by `rules` \(number), and this program has "
        + OutcomeRules.allCases.map { "\($0.rawValue)" }.joined(separator: " and ")
        + (number > OutcomeRules.current.rawValue ? ": it is of a newer apnsim" : "")
    }
  }
}

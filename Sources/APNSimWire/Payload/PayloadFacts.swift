/// What the judge saw on its way through a payload: enough to deliver it, to advise its sender, and to explain both.
///
/// Valid whenever the payload is JSON, right or wrong by the tables. A key counts as there when it has a value of
/// its type, since a device ignores it otherwise; of a repeated key the last one counts.
package struct PayloadFacts: BitwiseCopyable, Hashable, Sendable {
  /// The first five in the order of ``PayloadKey``.
  package struct Flags: OptionSet, BitwiseCopyable, Hashable, Sendable {
    package let rawValue: UInt16

    package init(rawValue: UInt16) {
      self.rawValue = rawValue
    }

    package static let aps = Flags(rawValue: 1 << 0)
    package static let alert = Flags(rawValue: 1 << 1)
    package static let badge = Flags(rawValue: 1 << 2)
    package static let sound = Flags(rawValue: 1 << 3)
    package static let contentAvailable = Flags(rawValue: 1 << 4)
    package static let alertHasOnlyBody = Flags(rawValue: 1 << 5)
    package static let customNull = Flags(rawValue: 1 << 6)
    package static let duplicateAPS = Flags(rawValue: 1 << 7)
  }

  package var flags: Flags = []
  package var encoding: PayloadEncoding = .utf8
  /// The number for the application icon, 0 when there is none. Table 3-1 says "number": a fraction is accepted and
  /// counts toward zero, as `-[NSNumber integerValue]` has it; a number beyond `Int` counts as the nearest one.
  package var badge = 0
  /// The value of `content-available`, read like ``badge``.
  package var contentAvailable = 0
  /// How many bytes of white space between the tokens could have been left out.
  package var insignificantWhitespace = 0

  package init() {}

  /// There is an `aps` dictionary.
  package var hasAPS: Bool { flags.contains(.aps) }
  package var hasAlert: Bool { flags.contains(.alert) }
  package var hasBadge: Bool { flags.contains(.badge) }
  package var hasSound: Bool { flags.contains(.sound) }
  package var hasContentAvailable: Bool { flags.contains(.contentAvailable) }

  /// `content-available` without alert, badge and sound: a notification that nobody sees, to be sent with priority 5.
  package var onlyContentAvailable: Bool {
    flags.intersection([.alert, .badge, .sound, .contentAvailable]) == .contentAvailable
  }

  /// The alert is a dictionary with `body` and nothing else. The guide asks for a string instead.
  package var alertHasOnlyBody: Bool { flags.contains(.alertHasOnlyBody) }

  /// Somewhere outside `aps` a value is null, which the guide does not list among the custom values.
  package var hasCustomNull: Bool { flags.contains(.customNull) }

  /// `aps` stands in the payload more than once. Legal JSON, and surely a mistake.
  package var duplicateAPS: Bool { flags.contains(.duplicateAPS) }
}

/// What the judge saw on its way through a payload: enough to deliver it, to advise its sender, and to explain both.
///
/// Valid whenever the payload is JSON, right or wrong by the tables. A key counts as there when it has a value of
/// its type, since a device ignores it otherwise; of a repeated key the last one counts.
package struct PayloadFacts: BitwiseCopyable, Hashable, Sendable {
  /// There is an `aps` dictionary.
  package var hasAPS = false
  package var hasAlert = false
  package var hasBadge = false
  package var hasSound = false
  package var hasContentAvailable = false
  /// The alert is a dictionary with `body` and nothing else. The guide asks for a string instead.
  package var alertHasOnlyBody = false
  /// Somewhere outside `aps` a value is null, which the guide does not list among the custom values.
  package var hasCustomNull = false
  /// `aps` stands in the payload more than once. Legal JSON, and surely a mistake.
  package var duplicateAPS = false
  /// The number for the application icon, 0 when there is none. Table 3-1 says "number": a fraction is accepted and
  /// counts toward zero, as `-[NSNumber integerValue]` has it; a number beyond `Int` counts as the nearest one.
  package var badge = 0
  /// The value of `content-available`, read like ``badge``.
  package var contentAvailable = 0
  /// How many bytes of white space between the tokens could have been left out.
  package var insignificantWhitespace = 0
  package var encoding: PayloadEncoding = .utf8

  package init() {}

  /// `content-available` without alert, badge and sound: a notification that nobody sees, to be sent with priority 5.
  package var onlyContentAvailable: Bool { hasContentAvailable && !hasAlert && !hasBadge && !hasSound }
}

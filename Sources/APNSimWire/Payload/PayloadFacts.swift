/// The facts that the judge gathers about a payload: enough to deliver it, to advise its sender, and to explain both.
///
/// The facts are valid if the payload is JSON, right or wrong by the tables. A key counts as present if it has a
/// value of its type, since a device ignores it otherwise; of a repeated key the last one counts.
package struct PayloadFacts: BitwiseCopyable, Hashable, Sendable {
  /// True if there is an `aps` dictionary.
  package var hasAPS = false
  package var hasAlert = false
  package var hasBadge = false
  package var hasSound = false
  package var hasContentAvailable = false
  /// True if the alert is a dictionary with `body` and nothing else. The guide asks for a string instead.
  package var alertHasOnlyBody = false
  /// True if a value outside `aps` is null, which the guide does not list among the custom values.
  package var hasCustomNull = false
  /// True if the payload has more than one `aps`: legal JSON, and surely a mistake.
  package var duplicateAPS = false
  /// The number for the application icon, 0 when there is none. Table 3-1 says "number": a fraction is accepted and
  /// truncated toward zero, as `-[NSNumber integerValue]` does; a number beyond `Int` saturates.
  package var badge = 0
  /// The value of `content-available`, read like ``badge``.
  package var contentAvailable = 0
  /// The number of bytes of white space between tokens, which could have been left out.
  package var insignificantWhitespace = 0
  package var encoding: PayloadEncoding = .utf8
  /// True if a key of `aps` or the alert is misspelled or in the wrong place: see ``MisplacedKey``.
  // Beside the other byte: among those above it would make each notification on its way eight bytes longer.
  package var hasMisplacedKey = false

  package init() {}

  /// True for `content-available` without alert, badge and sound: an invisible notification, to be sent with priority
  /// 5.
  package var onlyContentAvailable: Bool { hasContentAvailable && !hasAlert && !hasBadge && !hasSound }
}

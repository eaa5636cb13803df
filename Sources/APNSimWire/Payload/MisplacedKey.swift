/// A key of `aps` or of its alert dictionary that is misspelled, or stands where no device looks for it.
///
/// The payload is right by RFC 4627 and by the tables, so it is accepted, and the device passes over the value.
/// Names are compared without their hyphens, underscores and capitals: `loc_key` and `locKey` are `loc-key`. In `aps` and
/// the alert dictionary, a name that is one letter off is meant as well: one too many, one too few, another one, or two
/// that have changed places, as in `bagde`.
package struct MisplacedKey: Hashable, Sendable {
  /// The path of the key as it was sent: `aps.alert.badge`.
  package let path: String
  /// The path that was meant: `aps.badge`.
  package let meant: String

  /// True if only the spelling is wrong.
  package var isMisspelled: Bool { path.parent == meant.parent }

  /// The path that a name means that is none at this level, nil for a name that is right or nobody's.
  /// - Parameter level: 1 for the root, 2 for `aps`, 3 for the alert dictionary.
  @inline(never)
  static func meaning(of name: UnsafeRawBufferPointer, level: Int) -> StaticString? {
    guard
      let known = Known.all.first(where: { $0.resembles(name) })
        ?? Known.all.first(where: { $0.level == level && $0.level > 1 && $0.isNear(name) })
    else { return nil }
    let isSpelled = known.isSpelled(name)
    switch level {
    // A custom value may well be called `Badge`.
    case 1: return known.isMissedAtRoot && (isSpelled || known.hasSeparator) ? known.path : nil
    default: return known.level == level && isSpelled ? nil : known.path
    }
  }

  /// True for a name that may be a custom value of the app's own, and is only if `aps` has the key too.
  static func isOptional(_ name: String) -> Bool { ["alert", "badge", "sound"].contains(name) }
}

/// A key that devices know, and its place.
///
/// Source: Local and Push Notification Programming Guide, Tables 3-1 and 3-2, and "Payload Key Reference" (2018) for
/// the keys that came later.
private struct Known {
  let name: StaticString
  let path: StaticString
  let level: Int
  /// True if the name outside `aps` is taken for a mistake.
  var isMissedAtRoot = false

  static let all: [Known] = [
    Known(name: "aps", path: "aps", level: 1),
    Known(name: "alert", path: "aps.alert", level: 2, isMissedAtRoot: true),
    Known(name: "badge", path: "aps.badge", level: 2, isMissedAtRoot: true),
    Known(name: "sound", path: "aps.sound", level: 2, isMissedAtRoot: true),
    Known(name: "content-available", path: "aps.content-available", level: 2, isMissedAtRoot: true),
    Known(name: "mutable-content", path: "aps.mutable-content", level: 2, isMissedAtRoot: true),
    Known(name: "category", path: "aps.category", level: 2),
    Known(name: "thread-id", path: "aps.thread-id", level: 2),
    Known(name: "body", path: "aps.alert.body", level: 3),
    Known(name: "title", path: "aps.alert.title", level: 3),
    Known(name: "subtitle", path: "aps.alert.subtitle", level: 3),
    Known(name: "loc-key", path: "aps.alert.loc-key", level: 3),
    Known(name: "loc-args", path: "aps.alert.loc-args", level: 3),
    Known(name: "action-loc-key", path: "aps.alert.action-loc-key", level: 3),
    Known(name: "launch-image", path: "aps.alert.launch-image", level: 3),
    Known(name: "title-loc-key", path: "aps.alert.title-loc-key", level: 3),
    Known(name: "title-loc-args", path: "aps.alert.title-loc-args", level: 3),
  ]

  /// True for a name of several words, which nobody chooses by chance.
  var hasSeparator: Bool {
    UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount).contains(UInt8(ascii: "-"))
  }

  /// True if `other` is the name to the byte.
  func isSpelled(_ other: UnsafeRawBufferPointer) -> Bool {
    other.elementsEqual(UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
  }

  /// True if `other` is one letter off: one inserted, left out or replaced, or two neighbours exchanged.
  func isNear(_ other: UnsafeRawBufferPointer) -> Bool {
    let own = UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
    let least = min(own.count, other.count)
    guard max(own.count, other.count) - least <= 1 else { return false }
    var begin = 0
    while begin < least, own[begin] == other[begin] { begin += 1 }
    var end = 0
    while end < least - begin, own[own.count - 1 - end] == other[other.count - 1 - end] { end += 1 }
    guard own.count == other.count else { return begin + end == least }
    let isExchanged =
      begin + end == least - 2 && own[begin] == other[begin + 1] && own[begin + 1] == other[begin]
    return begin + end >= least - 1 || isExchanged
  }

  /// True if `other` is the name but for hyphens, underscores and capitals.
  func resembles(_ other: UnsafeRawBufferPointer) -> Bool {
    var at = 0
    for offset in 0..<name.utf8CodeUnitCount {
      let letter = name.utf8Start[offset]
      if letter == UInt8(ascii: "-") { continue }
      while at < other.count, other[at] == UInt8(ascii: "-") || other[at] == UInt8(ascii: "_") { at += 1 }
      guard at < other.count, other[at] | 0x20 == letter else { return false }
      at += 1
    }
    return at == other.count
  }
}

extension String {
  /// A path without its last name.
  fileprivate var parent: Substring { prefix(upTo: lastIndex(of: ".") ?? startIndex) }
}

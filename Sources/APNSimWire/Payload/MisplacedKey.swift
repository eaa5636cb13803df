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

  /// The path that a misplaced or misspelled name stands for; nil for a name that is right here, and for one that is nobody's.
  /// - Parameter level: 1 for the root, 2 for `aps`, 3 for the alert dictionary.
  @inline(never)
  static func meaning(of name: UnsafeRawBufferPointer, level: Int) -> StaticString? {
    guard let known = Known.meant(by: name, level: level) else { return nil }
    let isSpelled = known.isSpelled(name)
    switch level {
    // A custom value may well be called `Badge`.
    case 1: return known.isMissedAtRoot && (isSpelled || known.hasSeparator) ? known.path : nil
    default: return known.level == level && isSpelled ? nil : known.path
    }
  }

  /// True for a name that may be a custom value of the app's own: it is a mistake only where `aps` lacks the key.
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

  /// The key that a name may mean at a level.
  static func meant(by name: UnsafeRawBufferPointer, level: Int) -> Known? {
    if let known = first(of: letters.places(resembling: name), where: { $0.resembles(name) }) { return known }
    guard level > 1 else { return nil }
    return first(of: letters.places(near: name), where: { $0.level == level && $0.isNear(name) })
  }

  private static let letters = KnownLetters(all)

  /// The first key that fits among those at some places, given as bits.
  private static func first(of places: UInt32, where fits: (Known) -> Bool) -> Known? {
    var left = places
    while left != 0 {
      let known = all[left.trailingZeroBitCount]
      if fits(known) { return known }
      left &= left &- 1
    }
    return nil
  }

  /// The bytes of the name.
  private var bytes: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
  }

  var first: UInt8 { bytes[0] }
  var last: UInt8 { bytes[bytes.count - 1] }

  /// True for a name of several words, which nobody chooses by chance.
  var hasSeparator: Bool { bytes.contains(UInt8(ascii: "-")) }

  /// True if `other` is the name to the byte.
  func isSpelled(_ other: UnsafeRawBufferPointer) -> Bool { bytes.hasBytes(of: other) }

  /// True if `other` is one letter off: one inserted, left out or replaced, or two neighbours exchanged.
  func isNear(_ other: UnsafeRawBufferPointer) -> Bool {
    let own = bytes
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
    if isSpelled(other) { return true }
    var at = 0
    for letter in bytes where letter != UInt8(ascii: "-") {
      while at < other.count, other[at] == UInt8(ascii: "-") || other[at] == UInt8(ascii: "_") { at += 1 }
      guard at < other.count, other[at] | 0x20 == letter else { return false }
      at += 1
    }
    return at == other.count
  }
}

/// The known keys by their first and their last letter, as bits of their places. Every name of a payload is looked up
/// here, and the two letters of nearly all say that they resemble none.
private struct KnownLetters {
  private var first = [UInt32](repeating: 0, count: 26)
  private var last = [UInt32](repeating: 0, count: 26)

  init(_ keys: [Known]) {
    for (place, key) in keys.enumerated() {
      first[Int(key.first - UInt8(ascii: "a"))] |= 1 << UInt32(place)
      last[Int(key.last - UInt8(ascii: "a"))] |= 1 << UInt32(place)
    }
  }

  /// The names with the same first and last letter, whatever hyphens, underscores and capitals there are.
  func places(resembling name: UnsafeRawBufferPointer) -> UInt32 {
    guard let begin = name.firstIndex(where: Self.isLetter), let end = name.lastIndex(where: Self.isLetter)
    else {
      return 0
    }
    return Self.places(name[begin] | 0x20, in: first) & Self.places(name[end] | 0x20, in: last)
  }

  /// The names with the same first or last letter: one of them stays where a single letter differs.
  func places(near name: UnsafeRawBufferPointer) -> UInt32 {
    guard let begin = name.first, let end = name.last else { return 0 }
    return Self.places(begin, in: first) | Self.places(end, in: last)
  }

  private static func places(_ letter: UInt8, in places: [UInt32]) -> UInt32 {
    let index = Int(letter &- UInt8(ascii: "a"))
    return index < places.count ? places[index] : 0
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    byte != UInt8(ascii: "-") && byte != UInt8(ascii: "_")
  }
}

extension String {
  /// A path without its last name.
  fileprivate var parent: Substring { prefix(upTo: lastIndex(of: ".") ?? startIndex) }
}

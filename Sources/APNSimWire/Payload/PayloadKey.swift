/// The values in a payload for which the guide gives a type, by their place.
///
/// Source: Local and Push Notification Programming Guide 2011-08-09, Tables 3-1 and 3-2; `content-available` is from
/// the edition of 2013.
enum PayloadKey: UInt8, CaseIterable {
  /// Any other place: every type is fine there, in `aps` too, since later editions added keys.
  case other
  case root
  case aps
  case alert, badge, sound, contentAvailable
  case body, actionLocKey, locKey, locArgs, launchImage
  /// An element of `loc-args`.
  case locArg

  /// The types that the value may have: the bits of ``JSONKind``.
  @inline(__always)
  var allowed: UInt8 {
    switch self {
    case .other: .max
    case .root, .aps: JSONKind.object.rawValue
    case .alert: JSONKind.string.rawValue | JSONKind.object.rawValue
    case .badge, .contentAvailable: JSONKind.number.rawValue
    case .sound, .body, .locKey, .launchImage, .locArg: JSONKind.string.rawValue
    case .actionLocKey: JSONKind.string.rawValue | JSONKind.null.rawValue
    case .locArgs: JSONKind.array.rawValue
    }
  }

  /// The problem of a value of another type.
  var problem: PayloadProblem {
    switch self {
    case .other: .none
    case .root: .rootNotObject
    case .aps: .apsNotObject
    case .alert: .alertType
    case .badge: .badgeType
    case .sound: .soundType
    case .contentAvailable: .contentAvailableType
    case .body: .bodyType
    case .actionLocKey: .actionLocKeyType
    case .locKey: .locKeyType
    case .locArgs: .locArgsType
    case .launchImage: .launchImageType
    case .locArg: .locArgType
    }
  }
}

// The names of the keys.

extension PayloadKey {
  /// The key that `name` is in the dictionary at `level` of the path. A plain name has only ASCII and no escapes.
  @inline(__always)
  init(name: UnsafeRawBufferPointer, isPlain: Bool, level: Int) {
    self.init(plainName: name, level: level)
    if !isPlain, case .other = self { self.init(unusualName: name, level: level) }
  }

  /// The length, and where that is not enough the first letter, leave one name to compare with.
  @inline(__always)
  private init(plainName name: UnsafeRawBufferPointer, level: Int) {
    self = .other
    switch (level, name.count) {
    case (1, 3): if name.equals("aps") { self = .aps }
    case (2, 5):
      switch name[0] {
      case UInt8(ascii: "a"): if name.equals("alert") { self = .alert }
      case UInt8(ascii: "b"): if name.equals("badge") { self = .badge }
      case UInt8(ascii: "s"): if name.equals("sound") { self = .sound }
      default: break
      }
    case (2, 17): if name.equals("content-available") { self = .contentAvailable }
    case (3, 4): if name.equals("body") { self = .body }
    case (3, 7): if name.equals("loc-key") { self = .locKey }
    case (3, 8): if name.equals("loc-args") { self = .locArgs }
    case (3, 12): if name.equals("launch-image") { self = .launchImage }
    case (3, 14): if name.equals("action-loc-key") { self = .actionLocKey }
    default: break
    }
  }

  /// Escapes are part of a name: `"\u0061ps"` is `aps`.
  @inline(never)
  private init(unusualName name: UnsafeRawBufferPointer, level: Int) {
    guard name.contains(UInt8(ascii: "\\")) else {
      self = .other
      return
    }
    var plain = JSONString.decode(name)
    self = plain.withUTF8 { PayloadKey(plainName: UnsafeRawBufferPointer($0), level: level) }
  }
}

extension UnsafeRawBufferPointer {
  /// True if these are the bytes of `name`, which has the same length.
  @inline(__always)
  fileprivate func equals(_ name: StaticString) -> Bool {
    var difference: UInt8 = 0
    for offset in 0..<name.utf8CodeUnitCount {
      difference |= self[offset] ^ name.utf8Start[offset]
    }
    return difference == 0
  }
}

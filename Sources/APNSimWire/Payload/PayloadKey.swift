/// The values in a payload that the guide gives a type, by where they stand.
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

  /// What is wrong when it has another.
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

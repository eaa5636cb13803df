/// The reason why a payload is refused: what the judge expected at an offset and did not find.
///
/// A lenient gateway decides by the ``category``: whether the bytes are JSON at all, and if so, whether the
/// notification is unreadable or only one key of it.
package enum PayloadProblem: UInt8, BitwiseCopyable, Hashable, Sendable, CaseIterable {
  case none

  // The encoding.
  case byteOrderMark
  case invalidUTF8
  case unpairedSurrogate
  case invalidCodePoint
  case truncatedCodeUnit

  // The grammar.
  case expectedRoot
  case expectedEnd
  case expectedFirstKey
  case expectedKey
  case expectedColon
  case expectedMember
  case expectedCommaOrObjectEnd
  case expectedFirstElement
  case expectedElement
  case expectedCommaOrArrayEnd
  case unterminatedString
  case controlCharacter
  case invalidEscape
  case expectedHexDigit
  case leadingZero
  case expectedDigit
  case invalidLiteral

  case tooDeep

  // The shape every payload has.
  case rootNotObject
  case apsMissing
  case apsNotObject

  // Table 3-1, the keys of `aps`.
  case alertType
  case badgeType
  case soundType
  case contentAvailableType

  // Table 3-2, the keys of `alert`.
  case bodyType
  case actionLocKeyType
  case locKeyType
  case locArgsType
  case locArgType
  case launchImageType
}

extension PayloadProblem {
  package enum Category: UInt8, BitwiseCopyable, Hashable, Sendable, CaseIterable {
    case none
    /// The bytes are not Unicode text of the encoding they look like.
    case encoding
    /// The text violates the grammar of RFC 4627.
    case syntax
    /// Nested deeper than ``PayloadRules/depthLimit``. RFC 4627 allows such a limit.
    case depth
    /// JSON, but the root is not a dictionary.
    case root
    /// A dictionary without `aps`, as MDM and Wallet send them.
    case apsMissing
    /// `aps` is there and is not a dictionary.
    case apsType
    /// A key of `aps` or of `alert` has a value of another type than tables 3-1 and 3-2 give.
    case keyType
  }

  package var category: Category {
    switch self {
    case .none: .none
    case .byteOrderMark, .invalidUTF8, .unpairedSurrogate, .invalidCodePoint, .truncatedCodeUnit: .encoding
    case .tooDeep: .depth
    case .rootNotObject: .root
    case .apsMissing: .apsMissing
    case .apsNotObject: .apsType
    case .alertType, .badgeType, .soundType, .contentAvailableType, .bodyType, .actionLocKeyType, .locKeyType,
      .locArgsType, .locArgType, .launchImageType:
      .keyType
    default: .syntax
    }
  }

  /// True if the bytes are JSON all the same, so that a device can read what it understands.
  package var isJSON: Bool {
    switch category {
    case .encoding, .syntax, .depth: false
    case .none, .root, .apsMissing, .apsType, .keyType: true
    }
  }
}

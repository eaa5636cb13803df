internal import APNSimCore
internal import APNSimWire

/// Other tokens in place of tokens: always the same one for the same token under one key, of the same length, and not
/// to be turned back without the key.
package struct TokenPseudonyms: Sendable {
  /// 32 bytes that only who has the key can tell from chance: a keyed pseudorandom function of the bytes.
  package typealias Function = @Sendable ([UInt8]) -> [UInt8]

  private let function: Function

  package init(_ function: @escaping Function) { self.function = function }

  /// A token that scripts itself keeps the eight bytes that say how; the beginning of a token is not worth a
  /// pseudonym and becomes zeros.
  func of(_ token: [UInt8], isWhole: Bool = true) -> [UInt8] {
    guard !token.isEmpty else { return [] }
    let isMagic = token.starts(with: MagicToken.prefix) && token.count == 32
    let kept = isMagic ? Array(token.prefix(8)) : []
    let room = token.count - kept.count
    guard isWhole else { return kept + [UInt8](repeating: 0, count: room) }
    var made: [UInt8] = []
    var counter: UInt8 = 0
    while made.count < room {
      let more = function([counter] + token)
      guard !more.isEmpty else { break }
      made += more
      counter &+= 1
    }
    made = Array((made + [UInt8](repeating: 0, count: room)).prefix(room))
    if kept.isEmpty, made.starts(with: MagicToken.prefix) { made[0] ^= 0xFF }
    return kept + made
  }

  /// The same for the hex digits of one; nil where the text is none.
  func of(hex text: String) -> String? {
    guard let token = Hex.decode(text), !token.isEmpty else { return nil }
    return Hex.encode(of(token))
  }

  /// Replaces every run of hex digits that is long enough to be a token.
  func replaced(in text: String) -> String {
    guard text.utf8.count >= Self.shortest else { return text }
    var output = ""
    var run = ""
    for character in text {
      if character.isHexDigit, character.isASCII {
        run.append(character)
      } else {
        output += ended(run)
        run = ""
        output.append(character)
      }
    }
    return output + ended(run)
  }

  private static let shortest = 32

  private func ended(_ run: String) -> String {
    guard run.utf8.count >= Self.shortest, run.utf8.count % 2 == 0 else { return run }
    return of(hex: run) ?? run
  }
}

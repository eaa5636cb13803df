internal import APNSimCore
internal import APNSimWire
internal import Synchronization

/// Other tokens in place of tokens: always the same one for the same token under one key, of the same length, and not
/// to be turned back without the key.
package struct TokenPseudonyms: Sendable {
  /// 32 bytes that only who has the key can tell from chance: a keyed pseudorandom function of the bytes.
  package typealias Function = @Sendable ([UInt8]) -> [UInt8]

  private let function: Function
  private let known = Known()

  package init(_ function: @escaping Function) { self.function = function }

  /// What was made lately: a token comes many times, and in many places.
  private final class Known: Sendable {
    private let pseudonyms = Mutex<[[UInt8]: [UInt8]]>([:])
    private static let most = 65_536

    func pseudonym(of token: [UInt8], _ make: ([UInt8]) -> [UInt8]) -> [UInt8] {
      if let known = pseudonyms.withLock({ $0[token] }) { return known }
      let made = make(token)
      pseudonyms.withLock { pseudonyms in
        if pseudonyms.count >= Self.most { pseudonyms.removeAll() }
        pseudonyms[token] = made
      }
      return made
    }
  }

  /// A token that scripts itself keeps the eight bytes that say how; the beginning of a token is not worth a
  /// pseudonym and becomes zeros.
  func of(_ token: [UInt8], isWhole: Bool = true) -> [UInt8] {
    guard !token.isEmpty else { return [] }
    return isWhole ? known.pseudonym(of: token) { make($0, isWhole: true) } : make(token, isWhole: false)
  }

  private func make(_ token: [UInt8], isWhole: Bool) -> [UInt8] {
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

import APNSimCore
import APNSimWire
import Synchronization

/// Replaces tokens by pseudonyms: the same one for the same token under one key, of the same length, and irreversible
/// without the key.
///
/// Tokens with a common prefix have pseudonyms with a common prefix of the same length, so that a token that a fault
/// cut short has the beginning of its pseudonym.
package struct TokenPseudonyms: Sendable {
  /// A keyed pseudorandom function of the bytes, with 32 bytes of result.
  package typealias Function = @Sendable ([UInt8]) -> [UInt8]

  private let function: Function
  private let known = Known()

  package init(_ function: @escaping Function) { self.function = function }

  /// Recent results: a token comes many times, and in many places.
  private final class Known: Sendable {
    private let pseudonyms = Mutex<[[UInt8]: [UInt8]]>([:])
    /// The bounds of the recent results: their number, and the longest token that ever was.
    private static let most = 65_536
    private static let longest = TokenSizes.maximum

    func pseudonym(of token: [UInt8], _ make: ([UInt8]) -> [UInt8]) -> [UInt8] {
      guard token.count <= Self.longest else { return make(token) }
      if let known = pseudonyms.withLock({ $0[token] }) { return known }
      let made = make(token)
      pseudonyms.withLock { pseudonyms in
        if pseudonyms.count >= Self.most { pseudonyms.removeAll() }
        pseudonyms[token] = made
      }
      return made
    }
  }

  /// The pseudonym of a token, or of as much of it as is known: the beginning of a token becomes the beginning of
  /// what the whole would. A token that scripts itself keeps the eight bytes that say how.
  /// - Parameters:
  ///   - length: of the whole token.
  ///   - start: the place in the token at which the pseudonym is to begin.
  func of(_ token: some Collection<UInt8>, length: Int, from start: Int = 0) -> [UInt8] {
    let token = Array(token)
    guard start == 0, token.count == length else { return make(token, length, from: start) }
    return known.pseudonym(of: token) { make($0, length, from: 0) }
  }

  /// Each of the first bytes depends on all before it; what follows depends on these, which no two tokens share by
  /// chance.
  private static let single = 8
  private static let block = 32

  private func make(_ token: [UInt8], _ length: Int, from start: Int) -> [UInt8] {
    var made: [UInt8] = []
    var pad: [UInt8] = []
    for place in token.indices.dropFirst(start) {
      guard place >= Self.single else {
        made.append(first(token, place, mayBeScript: length == Self.block))
        continue
      }
      let (number, index) = (place - Self.single).quotientAndRemainder(dividingBy: Self.block)
      if pad.isEmpty || index == 0 {
        pad = function([UInt8(Self.single)] + Self.bytes(of: number) + token[..<Self.single])
      }
      made.append(pad.isEmpty ? 0 : token[place] ^ pad[index % pad.count])
    }
    return made
  }

  /// Two bytes; more where digits that are no token, which a frame's cannot be, are as long as a line can be.
  private static func bytes(of number: Int) -> [UInt8] {
    let low = [UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number)]
    return number < 65_536 ? low : bytes(of: number >> 16) + low
  }

  private func first(_ token: [UInt8], _ place: Int, mayBeScript: Bool) -> UInt8 {
    let own = token[place]
    let other = function([UInt8(place)] + token[..<place]).first.map { own ^ $0 } ?? 0
    let magic = MagicToken.prefix
    guard mayBeScript, token[..<place].starts(with: magic.prefix(place)) else { return other }
    // Nothing else becomes the beginning of a script.
    return place >= magic.count || own == magic[place] || other == magic[place] ? own : other
  }

  /// Bytes derived from any other text, in a domain apart from tokens.
  func pad(of text: [UInt8]) -> [UInt8] { function([255] + text) }

  /// Bytes derived from a text of a header list, in a domain of their own.
  func shift(of text: [UInt8]) -> [UInt8] { function([254] + text) }

  /// The pseudonym of a token in hex digits, in hex digits; nil for another text.
  func of(hex text: String) -> String? {
    guard let token = Hex.decode(text), !token.isEmpty else { return nil }
    return Hex.encode(of(token, length: token.count))
  }

  /// The common beginning of the pseudonyms of tokens that begin with these hex digits, an odd number too; nil for
  /// another text.
  func of(beginning text: String) -> String? {
    let isOdd = text.utf8.count % 2 == 1
    guard let token = Hex.decode(isOdd ? text + "0" : text), !token.isEmpty else { return nil }
    return String(Hex.encode(of(token, length: max(Self.block, token.count))).prefix(text.utf8.count))
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
    guard run.utf8.count >= Self.shortest else { return run }
    return of(hex: run) ?? of(beginning: run) ?? run
  }
}

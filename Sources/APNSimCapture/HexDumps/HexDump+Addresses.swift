import APNSimScenario
import APNSimWire

/// Dumps of memory whose lines begin with addresses, as gdb (`x/64xb`) and lldb (`memory read`) print them:
///
/// ```text
/// 0x7ffee4c0 <buffer+8>:  0x01    0x00
/// ```
extension HexDump {
  /// A line with the prefix before its bytes.
  private struct AddressedLine {
    var address: UInt64
    var words: [ArraySlice<UInt8>]
  }

  /// True for a text whose first line that is not empty has this form.
  static func hasAddresses(_ lines: Pieces) -> Bool {
    lines.lazy.first { words(of: $0).first { _ in true } != nil }.flatMap(addressed) != nil
  }

  /// - Throws: `Failure` at the first line that does not go on from the one before.
  static func bytes(ofAddressed lines: Pieces) throws(Failure) -> [UInt8] {
    var bytes: [UInt8] = []
    var next: UInt64?
    for (index, line) in lines.enumerated() {
      guard let first = words(of: line).first(where: { _ in true }) else { continue }
      guard let found = addressed(line) else {
        throw Failure(line: index + 1, message: "an address was expected, found \"\(show(first))\"")
      }
      if let next, found.address != next {
        throw Failure(
          line: index + 1,
          message: "the address 0x\(String(next, radix: 16)) was expected, found "
            + "0x\(String(found.address, radix: 16)): lines are missing"
        )
      }
      for word in found.words {
        let digits = word.starts(with: "0x".utf8) ? word.dropFirst(2) : word
        guard digits.count == 2, let byte = Hex.decode(Substring(decoding: digits, as: UTF8.self)) else {
          throw Failure(
            line: index + 1,
            column: word.startIndex - line.startIndex + 1,
            message: "a byte such as 0x01 was expected, found \"\(show(word))\"",
            hint: "x/64xb in gdb prints bytes; x/64xw and x/64xh print words, whose bytes may be swapped"
          )
        }
        bytes += byte
      }
      next = found.address &+ UInt64(found.words.count)
    }
    return bytes
  }

  /// Parses a line: `0x`, digits, perhaps `<symbol+offset>`, a colon, bytes, and in lldb a gutter.
  private static func addressed(_ line: ArraySlice<UInt8>) -> AddressedLine? {
    func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
    var rest = line.drop(while: isSpace)
    guard rest.starts(with: "0x".utf8) else { return nil }
    rest = rest.dropFirst(2)
    let digits = rest.prefix { Hex.value(of: $0) != nil }
    guard (4...16).contains(digits.count) else { return nil }
    let address = digits.reduce(UInt64(0)) { $0 << 4 | UInt64(Hex.value(of: $1) ?? 0) }
    rest = rest.dropFirst(digits.count).drop(while: isSpace)
    if rest.first == UInt8(ascii: "<") {
      // The symbol of a C++ template has brackets of its own.
      guard let end = rest.ranges(of: Array(">:".utf8)).last?.lowerBound else { return nil }
      rest = rest[(end + 1)...]
    }
    guard rest.first == UInt8(ascii: ":"), rest.dropFirst().first.map({ isSpace($0) || $0 == 0x0D }) ?? true
    else { return nil }
    let words = Array(words(of: rest.dropFirst()))
    return AddressedLine(address: address, words: Array(dumped(words[...], isColoned: true, line)))
  }
}

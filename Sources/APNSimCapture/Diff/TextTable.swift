/// Distinct texts of bytes, each kept once under a number, from 0.
struct TextTable: Sendable {
  private var bytes: [UInt8] = []
  /// The end of each text in `bytes`.
  private var ends: [Int] = []
  private var numbers: [Fingerprint: Int] = [:]
  /// The number of the last look-up, because many notifications in a row have the same topic.
  private var last: (text: Fingerprint, number: Int)?

  var count: Int { ends.count }

  subscript(number: Int) -> ArraySlice<UInt8> { bytes[(number > 0 ? ends[number - 1] : 0)..<ends[number]] }

  /// The number of a text, which gets a new one where it has none.
  mutating func number(of text: UnsafeRawBufferPointer) -> Int {
    let fingerprint = Fingerprint(of: text)
    if let last, last.text == fingerprint { return last.number }
    let number: Int
    if let known = numbers[fingerprint] {
      number = known
    } else {
      number = ends.count
      bytes.append(contentsOf: text)
      ends.append(bytes.count)
      numbers[fingerprint] = number
    }
    last = (fingerprint, number)
    return number
  }

  /// The number of a text; nil for an unknown one.
  func known(_ text: ArraySlice<UInt8>) -> Int? { numbers[text.withUnsafeBytes { Fingerprint(of: $0) }] }
}

/// Different texts of bytes, each kept once and known by its number, counted from 0.
struct TextTable: Sendable {
  private var bytes: [UInt8] = []
  /// Where each text ends in `bytes`.
  private var ends: [Int] = []
  private var numbers: [Fingerprint: Int] = [:]
  /// The number that was asked for last, since many notifications in a row have the same topic.
  private var last: (text: Fingerprint, number: Int)?

  var count: Int { ends.count }

  subscript(number: Int) -> ArraySlice<UInt8> { bytes[(number > 0 ? ends[number - 1] : 0)..<ends[number]] }

  /// The number of a text, which is a new one where it was not there.
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

  /// The number of a text; nil where it is not there.
  func known(_ text: ArraySlice<UInt8>) -> Int? { numbers[text.withUnsafeBytes { Fingerprint(of: $0) }] }
}

internal import APNSimWire

/// What strings are filled with: under one key the same for the same text, however it is written, and to who has not
/// got the key nothing but that.
///
/// A text that rules look for inside of strings (`contains`, `startsWith`) is filled by itself, in the rule and wherever
/// it stands, so that it is found where it was found before.
final class StringFilling {
  private let pseudonyms: TokenPseudonyms
  /// The texts that rules look for, the shorter ones first.
  private var sought: [SoughtText] = []
  private let numbers = NumberFilling()
  /// What was asked for lately: keys and the names of sounds come with every notification.
  private var known: [[UInt8]: [UInt8]] = [:]

  /// More texts than this are not looked for; longer ones and more of them are not remembered.
  private static let mostSought = 4096
  private static let mostKnown = 4096
  private static let longestKnown = 64

  init(_ pseudonyms: TokenPseudonyms) { self.pseudonyms = pseudonyms }

  /// From here on strings are asked whether they have a text in them.
  func seek(_ text: String) {
    let characters = text.unicodeScalars.map(\.value)
    guard !characters.isEmpty, sought.count < Self.mostSought else { return }
    var place = sought.count
    while place > 0, sought[place - 1].characters.count >= characters.count {
      place -= 1
      if sought[place].characters == characters { return }
    }
    sought.insert(SoughtText(characters, pad: pad(of: Array(text.utf8))), at: place)
  }

  /// From here on numbers stay on their sides of this one.
  func keepSides(of bound: Double) { numbers.keepSides(of: bound) }

  /// A part of a string that a text decides which is sought and stands there.
  struct Found {
    var places: Range<Int>
    /// Where the text begins of which this is a part.
    var start: Int
    var pad: [UInt8]
  }

  /// The parts of a string in which texts stand that are sought, none of them twice: where two texts overlap, the shorter
  /// one decides, and of those that are as long the later one.
  func sought(in text: WrittenText) -> [Found] {
    guard !sought.isEmpty else { return [] }
    let characters = text.characters.map(\.scalar)
    var free = FreePlaces(characters.count)
    var found: [Found] = []
    for text in sought.prefix(while: { $0.characters.count <= characters.count }) {
      for start in text.places(in: characters).reversed() {
        free.take(start..<start + text.characters.count) {
          found.append(Found(places: $0, start: start, pad: text.pad))
        }
      }
    }
    return found
  }

  /// Bytes that a text alone decides; empty where there is no key.
  func pad(of text: [UInt8]) -> [UInt8] {
    guard text.count <= Self.longestKnown else { return pseudonyms.pad(of: text) }
    if let pad = known[text] { return pad }
    let pad = pseudonyms.pad(of: text)
    if known.count >= Self.mostKnown { known.removeAll(keepingCapacity: true) }
    known[text] = pad
    return pad
  }

  /// A text filled as it is in a payload.
  func filled(_ text: String) -> String {
    var writer = JSONWriter()
    writer.string(text)
    let filled = PayloadFiller.fill(writer.bytes, with: self)
    return (try? JSONValue.parse(filled))?.stringValue ?? ""
  }

  /// The digits of a number, filled.
  func digits(of number: WrittenNumber.Value) -> [UInt8] { numbers.digits(of: number) { pad(of: $0) } }

  /// A number filled as it is in a payload.
  func filled(number digits: String) -> String {
    String(decoding: PayloadFiller.fill(Array(digits.utf8), with: self), as: UTF8.self)
  }

  /// A number that a test wants to find, filled as it is in a payload: no other one becomes the same.
  func filled(wanted digits: String) -> String {
    if let number = WrittenNumber(Array(digits.utf8)) { numbers.want(number.value) { pad(of: $0) } }
    return filled(number: digits)
  }

  /// A key of an object in a payload, filled as it is there.
  func filled(key: String) -> String { PayloadFiller.isKnown(key) ? key : filled(key) }

  /// A path into payloads, filled as the keys are.
  func filled(path: String) -> String {
    path.split(separator: ".", omittingEmptySubsequences: false).map { filled(key: String($0)) }
      .joined(separator: ".")
  }
}

internal import APNSimWire

/// What strings are filled with: under one key the same for the same text, however it is written, and to who has not
/// got the key nothing but that.
///
/// A text that rules look for inside of strings (`contains`, `startsWith`) is filled by itself, in the rule and wherever
/// it stands, so that it is found where it was found before.
final class StringFilling {
  private let pseudonyms: TokenPseudonyms
  /// The texts that rules look for, by their first characters.
  private var sought: [UInt32: [[UInt32]]] = [:]
  private var soughtCount = 0
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
    guard let first = characters.first, soughtCount < Self.mostSought,
      sought[first]?.contains(characters) != true
    else { return }
    sought[first, default: []].append(characters)
    soughtCount += 1
  }

  /// Where in a string the texts stand that are sought, the longer ones first, and what each alone decides.
  func sought(in text: WrittenText) -> [(places: Range<Int>, pad: [UInt8])] {
    guard !sought.isEmpty else { return [] }
    let characters = text.characters.map(\.scalar)
    var found: [(places: Range<Int>, pad: [UInt8])] = []
    for (place, character) in characters.enumerated() {
      for text in sought[character] ?? [] where characters[place...].starts(with: text) {
        let content = text.compactMap(Unicode.Scalar.init).flatMap { UTF8.encode($0).map(Array.init) ?? [] }
        found.append((place..<place + text.count, pad(of: content)))
      }
    }
    return found.sorted { ($1.places.count, $0.places.lowerBound) < ($0.places.count, $1.places.lowerBound) }
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

  /// A number filled as it is in a payload.
  func filled(number digits: String) -> String {
    String(decoding: PayloadFiller.fill(Array(digits.utf8), with: self), as: UTF8.self)
  }

  /// A path into payloads, or a key of one, filled as the keys are.
  func filled(path: String) -> String {
    path.split(separator: ".", omittingEmptySubsequences: false).map { part in
      let name = String(part)
      return PayloadFiller.isKnown(name) || Int(name) != nil ? name : filled(name)
    }
    .joined(separator: ".")
  }
}

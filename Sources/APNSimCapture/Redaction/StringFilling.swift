import APNSimWire

/// Fills strings: under one key equal texts alike, however they are written; without the key nothing else can be told.
///
/// A text that rules look for inside of strings (`contains`, `startsWith`) is filled by itself, in the rule and
/// wherever it occurs, so that it is found where it was found before.
final class StringFilling {
  private let pseudonyms: TokenPseudonyms
  /// The texts that rules look for, the shorter ones first.
  private var sought: [SearchTerm] = []
  private let numbers = NumberFilling()
  /// Recent results: keys and the names of sounds come with every notification.
  private var known: [[UInt8]: [UInt8]] = [:]

  /// The most texts that are searched for, and the bounds of the recent results.
  private static let mostSought = 4096
  private static let mostKnown = 4096
  private static let longestKnown = 64

  init(_ pseudonyms: TokenPseudonyms) { self.pseudonyms = pseudonyms }

  /// Adds a text that strings are searched for.
  func seek(_ text: String) {
    let characters = text.unicodeScalars.map(\.value)
    guard !characters.isEmpty, sought.count < Self.mostSought else { return }
    var place = sought.count
    while place > 0, sought[place - 1].characters.count >= characters.count {
      place -= 1
      if sought[place].characters == characters { return }
    }
    sought.insert(SearchTerm(characters, pad: pad(of: Array(text.utf8))), at: place)
  }

  /// Adds a bound: numbers stay on their side of it.
  func keepSides(of bound: Double) { numbers.keepSides(of: bound) }

  /// A part of a string that belongs to an occurrence of a searched text.
  struct Found {
    var places: Range<Int>
    /// The place where the occurrence begins.
    var start: Int
    var pad: [UInt8]
  }

  /// The disjoint parts of a string that belong to searched texts: where two overlap, the shorter one wins, and of
  /// equally long ones the later.
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

  /// The bytes derived from a text; empty where there is no key.
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

  /// A number that a test looks for, filled as it is in a payload: no other one becomes the same.
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

/// A text to search for, in time linear in the searched text.
struct SearchTerm {
  let characters: [UInt32]
  /// The bytes derived from it.
  let pad: [UInt8]
  /// The length of the longest border of each prefix (Knuth, Morris, Pratt, "Fast pattern matching in strings", 1977).
  private let borders: [Int]

  /// - Parameter characters: at least one.
  init(_ characters: [UInt32], pad: [UInt8]) {
    (self.characters, self.pad) = (characters, pad)
    var borders = [Int](repeating: 0, count: characters.count)
    var matched = 0
    for place in characters.indices.dropFirst() {
      while matched > 0, characters[place] != characters[matched] { matched = borders[matched - 1] }
      if characters[place] == characters[matched] { matched += 1 }
      borders[place] = matched
    }
    self.borders = borders
  }

  /// The places of all occurrences, overlapping ones included, in ascending order.
  func places(in text: [UInt32]) -> [Int] {
    var found: [Int] = []
    var matched = 0
    for (place, character) in text.enumerated() {
      while matched > 0, character != characters[matched] { matched = borders[matched - 1] }
      if character == characters[matched] { matched += 1 }
      guard matched == characters.count else { continue }
      found.append(place + 1 - matched)
      matched = borders[matched - 1]
    }
    return found
  }
}

/// Places from 0, each of which can be taken once (a union-find structure).
struct FreePlaces {
  /// The next place to search for a free one; a free place points to itself.
  private var next: [Int]

  init(_ count: Int) { next = Array(0...count) }

  /// Takes the free places of a range, and calls `body` with each run of them.
  mutating func take(_ range: Range<Int>, _ body: (Range<Int>) -> Void) {
    var start = free(from: range.lowerBound)
    while start < range.upperBound {
      var end = start
      while end < range.upperBound, next[end] == end {
        next[end] = end + 1
        end += 1
      }
      body(start..<end)
      start = free(from: end)
    }
  }

  /// The first free place from one on, or the end.
  private mutating func free(from place: Int) -> Int {
    var end = place
    while next[end] != end { end = next[end] }
    var step = place
    while next[step] != end, step != end { (next[step], step) = (end, next[step]) }
    return end
  }
}

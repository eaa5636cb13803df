import APNSimWire
import Testing

@Suite struct `The path finder` {
  private static let texts = [
    #"{"a":{"b":[1,{"c":"x"}]},"a.b":2,"d":null}"#, #"{"a":1,"a":{"b":3}}"#, #" { "a" : { "b" : -1.5e3 } } "#,
    "[[1],[2,3]]",
    #"{"\u0061":{"b":1}}"#, #"{"a":"}\"{","b":{"":0}}"#, "{}", "7",
  ]

  @Test func `the path finder finds what the tree has, or says that it does not know`() throws {
    for text in Self.texts {
      let tree = try JSONValue.parse(text)
      for path in ["a", "a.b", "a.b.1.c", "a.b.9", "d", "1.0", "1", "b.", "", "x.y"] {
        let bytes = Array(text.utf8)
        let found = bytes.withUnsafeBytes { JSONPathFinder(path).find(in: $0) }
        switch found {
        case .unsure: continue
        case .absent: #expect(tree[path] == nil, "\(path) in \(text)")
        case .at(let range): #expect(try JSONValue.parse(bytes[range]) == tree[path], "\(path) in \(text)")
        }
      }
    }
  }

  @Test(arguments: UInt64(0)..<400)
  func `the path finder finds what the tree has, in whatever comes`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let text = Self.value(&generator, depth: 4)
    let tree = try JSONValue.parse(text)
    for _ in 0..<20 {
      let path = (0...Int.random(in: 0...3, using: &generator))
        .map { _ in Self.names.randomElement(using: &generator) ?? "" }.joined(separator: ".")
      let bytes = Array(text.utf8)
      switch bytes.withUnsafeBytes({ JSONPathFinder(path).find(in: $0) }) {
      case .at(let range): #expect(try JSONValue.parse(bytes[range]) == tree[path], "\(path) in \(text)")
      case .absent: #expect(tree[path] == nil, "\(path) in \(text)")
      // Only such names leave it to the tree.
      case .unsure: #expect(bytes.contains { $0 == UInt8(ascii: ".") || $0 >= 0x80 }, "\(path) in \(text)")
      }
    }
  }

  /// Names that are alike: within others, with dots, and the same in two forms of Unicode.
  private static let names = ["a", "b", "", "0", "1", "a.b", "ab", "a.", "\u{E9}", "e\u{301}", "\u{0}"]

  private static func value(_ generator: inout SeededGenerator, depth: Int) -> String {
    let count = Int.random(in: 0...3, using: &generator)
    switch Int.random(in: 0..<(depth > 0 ? 7 : 3), using: &generator) {
    case 0: return "\(Int.random(in: -9...99, using: &generator))"
    case 1: return ["true", "null", "-1e2"].randomElement(using: &generator) ?? "false"
    case 2: return #""}{[,:""#
    case 3:
      let elements = (0..<count).map { _ in value(&generator, depth: depth - 1) }
      return "[\(elements.joined(separator: " , "))]"
    default:
      let members = (0..<count).map { _ in
        // A zero is none that may stand in a text as it is.
        let name = names.dropLast().randomElement(using: &generator) ?? ""
        return "\"\(name)\" : \(value(&generator, depth: depth - 1))"
      }
      return "{\(members.joined(separator: ","))}"
    }
  }

  @Test func `the path finder knows where names have no dots and no escapes`() {
    let text = Array(#"{"x":{"y":1},"a":{"b":[{"c":2}]},"a":{"b":[{"c":3},"d.e"]}}"#.utf8)
    let found = text.withUnsafeBytes { JSONPathFinder("a.b.0.c").find(in: $0) }
    #expect(found == .at(48..<49))
    #expect(text[48] == UInt8(ascii: "3"))
  }

  @Test(arguments: [("\u{212A}", "K"), ("a.\u{37E}", ";"), ("\u{1FEF}", "`")])
  func `the path finder takes no name for one that is canonically equivalent`(path: String, name: String)
    throws
  {
    let text = "{\"a\":{\"\(name)\":1},\"\(name)\":2}"
    #expect(try JSONValue.parse(text)[path] == nil)
    #expect(Array(text.utf8).withUnsafeBytes { JSONPathFinder(path).find(in: $0) } == .absent)
  }

  @Test func `the path finder stays within what is no JSON`() {
    for text in Self.texts {
      for end in 0..<text.utf8.count {
        let bytes = Array(text.utf8.prefix(end))
        if case .at(let range) = bytes.withUnsafeBytes({ JSONPathFinder("a.b").find(in: $0) }) {
          #expect(range.upperBound <= bytes.count)
        }
      }
    }
  }
}

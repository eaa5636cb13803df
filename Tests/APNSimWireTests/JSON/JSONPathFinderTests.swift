import APNSimWire
import Testing

@Suite struct `The path finder` {
  private static let texts = [
    #"{"a":{"b":[1,{"c":"x"}]},"a.b":2,"d":null}"#, #"{"a":1,"a":{"b":3}}"#, #" { "a" : { "b" : -1.5e3 } } "#,
    "[[1],[2,3]]",
    #"{"\u0061":{"b":1}}"#, #"{"a":"}\"{","b":{"":0}}"#, "{}", "7",
  ]

  @Test func `finds what the tree has, or says that it does not know`() throws {
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

  @Test func `stays within what is no JSON`() {
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

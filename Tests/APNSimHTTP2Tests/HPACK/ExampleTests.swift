import APNSimHTTP2
import Testing

/// Decodes one block after another, and says what came of each.
struct Decoding: ~Copyable {
  var decoder: HPACKDecoder
  var named: [String] = []
  var tableSize: Int { decoder.tableSize }

  init(tableSize: Int = 4096) { decoder = HPACKDecoder(tableSize: tableSize) }

  /// The fields, with authorization's value; nil where the block is damaged.
  mutating func decode(_ block: [UInt8], _ message: HeaderFacts.Message = .request) -> [String]? {
    var lists = HeaderLists()
    var facts = HeaderFacts(message)
    var named = named
    let error = block.withUnsafeBytes {
      decoder.decode($0, into: &lists, &facts) { name, value in
        guard name == .authorization else { return 0 }
        named.append(String(decoding: value, as: UTF8.self))
        return UInt32(named.count)
      }
    }
    self.named = named
    guard error == nil else { return nil }
    return lists.latest.map {
      let value = $0.name == .authorization ? named[Int(facts.credential) - 1] : $0.valueText
      return "\($0.nameText): \(value)"
    }
  }
}

@Suite("RFC 7541 appendix C, examples")
struct ExampleTests {
  @Test func `the examples of C.2 are read, literals and indexes`() {
    var decoding = Decoding()
    let custom = hex("400a 6375 7374 6f6d 2d6b 6579 0d63 7573 746f 6d2d 6865 6164 6572")
    #expect(decoding.decode(custom) == ["custom-key: custom-header"])
    #expect(decoding.tableSize == 55)
    #expect(decoding.decode(hex("040c 2f73 616d 706c 652f 7061 7468")) == [":path: /sample/path"])
    #expect(decoding.decode(hex("1008 7061 7373 776f 7264 0673 6563 7265 74")) == ["password: secret"])
    #expect(decoding.decode(hex("82")) == [":method: GET"])
    #expect(decoding.tableSize == 55)
  }

  private static let first = [":method: GET", ":scheme: http", ":path: /", ":authority: www.example.com"]
  private static let third = [
    ":method: GET", ":scheme: https", ":path: /index.html", ":authority: www.example.com",
    "custom-key: custom-value",
  ]

  @Test(arguments: [
    [
      "8286 8441 0f77 7777 2e65 7861 6d70 6c65 2e63 6f6d", "8286 84be 5808 6e6f 2d63 6163 6865",
      "8287 85bf 400a 6375 7374 6f6d 2d6b 6579 0c63 7573 746f 6d2d 7661 6c75 65",
    ],
    [
      "8286 8441 8cf1 e3c2 e5f2 3a6b a0ab 90f4 ff", "8286 84be 5886 a8eb 1064 9cbf",
      "8287 85bf 4088 25a8 49e9 5ba9 7d7f 8925 a849 e95b b8e8 b4bf",
    ],
  ])
  func `the examples of C.3 and C.4 are read, requests`(blocks: [String]) {
    var decoding = Decoding()
    #expect(decoding.decode(hex(blocks[0])) == Self.first)
    #expect(decoding.tableSize == 57)
    #expect(decoding.decode(hex(blocks[1])) == Self.first + ["cache-control: no-cache"])
    #expect(decoding.tableSize == 110)
    #expect(decoding.decode(hex(blocks[2])) == Self.third)
    #expect(decoding.tableSize == 164)
  }

  @Test func `the examples of C.6 are read, responses with eviction`() {
    var decoding = Decoding(tableSize: 256)
    let first = hex(
      """
      4882 6402 5885 aec3 771a 4b61 96d0 7abe 9410 54d4 44a8 2005 9504 0b81 66e0 82a6 2d1b ff6e 919d 29ad 1718 63c7 8f0b
      97c8 e9ae 82ae 43d3
      """
    )
    let date = "date: Mon, 21 Oct 2013 20:13:21 GMT"
    let rest = ["cache-control: private", date, "location: https://www.example.com"]
    #expect(decoding.decode(first, .response) == [":status: 302"] + rest)
    #expect(decoding.tableSize == 222)
    #expect(decoding.decode(hex("4883 640e ffc1 c0bf"), .response) == [":status: 307"] + rest)
    #expect(decoding.tableSize == 222)
    let third = hex(
      """
      88c1 6196 d07a be94 1054 d444 a820 0595 040b 8166 e084 a62d 1bff c05a 839b d9ab 77ad 94e7 821d d7f2 e6c7 b335 dfdf
      cd5b 3960 d5af 2708 7f36 72c1 ab27 0fb5 291f 9587 3160 65c0 03ed 4ee5 b106 3d50 07
      """
    )
    #expect(
      decoding.decode(third, .response) == [
        ":status: 200", "cache-control: private", "date: Mon, 21 Oct 2013 20:13:22 GMT",
        "location: https://www.example.com", "content-encoding: gzip",
        "set-cookie: foo=ASDJKHQKBZXOQWEOPIUAXQWEOIU; max-age=3600; version=1",
      ]
    )
    #expect(decoding.tableSize == 215)
  }
}

@Suite("RFC 7541 5 and 6, what damages a block")
struct DamageTests {
  @Test(arguments: [
    "80", "be", "ff", "ffffffffffff", "7f80ffffffff0f", "40", "4001", "400161", "40016102", "0083", "3fe2 1f",
    "82 20", "0001 61 81", "0001 61 82 ff ff", "0001 61 84 ffffffff", "0001 61 85 ffff ff ff ff",
  ])
  func `a block against the rules is damaged`(block: String) {
    var decoding = Decoding()
    #expect(decoding.decode(hex(block)) == nil)
  }

  @Test func `padding has at most 7 bits, all ones`() {
    var decoding = Decoding()
    // "0" is 00000, and "&" is 11111000.
    #expect(decoding.decode(hex("0001 61 81 07")) == ["a: 0"])
    #expect(decoding.decode(hex("0001 61 81 06")) == nil)
    #expect(decoding.decode(hex("0001 61 82 07 ff")) == nil)
    #expect(decoding.decode(hex("0001 61 81 f8")) == ["a: &"])
  }

  @Test func `size updates stand at the start, several in a row, up to what was announced`() {
    var decoding = Decoding()
    #expect(decoding.decode(hex("4001 61 01 62")) == ["a: b"])
    #expect(decoding.decode(hex("20 3fe11f 82")) == [":method: GET"])
    #expect(decoding.tableSize == 0)
    #expect(decoding.decode(hex("be")) == nil)
  }

  @Test func `an entry larger than the table empties it`() {
    var decoding = Decoding(tableSize: 64)
    #expect(decoding.decode(hex("4001 61 01 62")) == ["a: b"])
    #expect(decoding.tableSize == 34)
    let large = block([("a", String(repeating: "x", count: 64))], .incrementalIndexing)
    #expect(decoding.decode(large)?.count == 1)
    #expect(decoding.tableSize == 0)
  }

  @Test func `a literal may take its name from the entry that it evicts`() {
    var decoding = Decoding(tableSize: 80)
    #expect(
      decoding.decode(hex("4007") + Array("x-nameX".utf8.map { $0 | 0x20 }) + hex("0162")) == ["x-namex: b"]
    )
    let value = [UInt8](repeating: 0x79, count: 40)
    let again = bytes { HPACKEncoder.append(nameIndex: 62, value: value, .incrementalIndexing, to: &$0) }
    let expected = "x-namex: " + String(repeating: "y", count: 40)
    #expect(decoding.decode(again + hex("be")) == [expected, expected])
  }
}

@Suite("Findings about values")
struct FindingTests {
  @Test func `a finding about a value that the table has is asked for once`() throws {
    var decoder = HPACKDecoder()
    var asked: [String] = []
    var found: [[UInt32]] = []
    // apns-priority: 10 with incremental indexing, then by its index; x: y without.
    let first = hex("40 0d 61706e732d7072696f72697479 02 3130  00 01 78 01 79")
    for block in [first, hex("be be"), hex("00 01 78 01 79 be")] {
      var lists = HeaderLists()
      var facts = HeaderFacts(.trailers)
      let error = block.withUnsafeBytes {
        decoder.decode($0, into: &lists, &facts) { name, value in
          asked.append("\(name) \(String(decoding: value, as: UTF8.self))")
          return UInt32(asked.count)
        }
      }
      try #require(error == nil)
      found.append(lists.latest.rows.map(\.finding))
    }
    #expect(asked == ["apnsPriority 10", "other y", "other y"])
    #expect(found == [[1, 2], [1, 1], [3, 1]])
  }

  @Test func `the text of a list has each field's lengths before it, and nothing of authorization's value`()
    throws
  {
    var decoder = HPACKDecoder()
    var lists = HeaderLists()
    var facts = HeaderFacts(.request)
    // :method POST, authorization with incremental indexing, once more by its index.
    let error = hex("83 57 03 616263 be").withUnsafeBytes {
      decoder.decode($0, into: &lists, &facts) { name, _ in name == .authorization ? 9 : 0 }
    }
    try #require(error == nil)
    let list = lists.latest
    let authorization = hex("000d 0000") + Array("authorization".utf8)
    let method = hex("0007 0004") + Array(":methodPOST".utf8)
    #expect(Array(list.text) == method + authorization + authorization)
    #expect(list.rows.map(\.finding) == [0, 9, 9])
    #expect(list.map(\.nameText) == [":method", "authorization", "authorization"])
    #expect(facts.credential == 9)
  }
}

import APNSimCore
import APNSimTestSupport
import APNSimWire
import Testing

/// Hints name the cause: the usual mistakes, each by the shape it gives to the bytes.
struct HintTests {
  @Test(
    arguments: [
      // The header of command 1 is 9 bytes, to the token's length.
      ("a length of the token in little endian", header + [32, 0] + token, "20 00 is 32 in little endian"),
      (
        "the token's length in one byte", header + [32] + token, "20 30 is a length of one byte, 32, and what"
      ),
      (
        "the payload's length in little endian", header + [0, 32] + token + [29, 0, 0x7B],
        "1d 00 is 29 in little"
      ),
      (
        "the payload's length in one byte", header + [0, 32] + token + [29, 0x7B],
        "1d 7b is a length of one byte, 29"
      ),
      ("the layout of command 0", [1, 0, 32] + token + [0, 29], "the layout of command 0"),
      ("a token in hex digits", header + [0, 64], "64 bytes look like hex digits"),
      ("a token with angle brackets", header + [0, 73], "angle brackets or spaces"),
      ("a token in Base64", header + [0, 44], "44 bytes look like Base64"),
      (
        "hex digits, by the length of their bytes", header + [0, 32] + hex.prefix(34),
        "32 bytes are hex digits, and"
      ),
      (
        "a description, by the length of its bytes", header + [0, 32] + description.prefix(34),
        "angle brackets"
      ),
      (
        "Base64, by the length of its bytes", header + [0, 32] + base64.prefix(34),
        "are Base64, and the text goes on"
      ),
      ("a frame's length in little endian", [2, 0x45, 0, 0, 0], "45000000 is 69 in little endian"),
      ("a frame's length in two bytes", [2, 0, 0x45, 1, 0], "has four"),
      ("an item's length in little endian", framed([1, 32, 0] + token), "20 00 is 32 in little endian"),
      ("an expiry of 8 bytes", framed([4, 0, 8, 0, 0, 1, 0x7F, 0, 0, 0, 0]), "not 8 bytes of milliseconds"),
      (
        "an identifier's length in little endian", framed([3, 4, 0, 0, 0, 0, 1]),
        "04 00 is 4 in little endian"
      ),
      (
        "hex digits in an item of half their size", framed([1, 0, 32] + hex),
        "are hex digits, and the text goes on"
      ),
      ("a description in an item", framed([1, 0, 73] + description), "angle brackets or spaces"),
    ] as [(String, [UInt8], String)]
  )
  func `a frame that is refused`(_ mistake: String, _ bytes: [UInt8], _ hint: String) throws {
    let found = try hints(for: bytes).last ?? ""
    #expect(found.contains(hint), "\(mistake): \(found)")
  }

  @Test(arguments: [
    (#"{"aps":{"alert":"Görüşürüz"}}"#, 29, "counted in characters"),
    (#"{"aps":{"alert":"hello"}}"#, 20, "is cut where its length, 20, ends it"),
    (#"{"aps":{"alert":"hello"}}\#0"#, 26, "1 zero byte"),
    (#"{"aps":{}}\#u{1}\#0\#0"#, 13, "3 too large"),
    ("{'aps':{}}", 10, "double quotes"),
    (#""{\"aps\":{}}""#, 14, "encoded twice"),
    ("\u{FEFF}{\"aps\":{}}", 13, "without a byte order mark"),
    (#"{"APS":{}}"#, 10, "names are compared with their case"),
    (#"{"apns":{}}"#, 11, "'apns' looks like 'aps'"),
    (#"{"aps ":{}}"#, 11, "'aps' but for a space"), (#"{" aps":{}}"#, 11, "'aps' but for a space"),
    (#"{"aps\n":{}}"#, 12, "'aps' but for U+000A"), ("{\"aps\u{200B}\":{}}", 13, "'aps' but for U+200B"),
    ("{\"\u{430}ps\":{}}", 11, "has U+0430 in place of 'a'"),
    ("{\"\u{430}\u{440}s\":{}}", 12, "has U+0430 in place of 'a'"),
    (#"{"alert":"x"}"#, 13, "no device looks for 'alert': its place is 'aps.alert'"),
    (#"{"x":1,"badge":2}"#, 17, "its place is 'aps.badge'"),
    (#"{"notification":{"aps":{}}}"#, 27, "'aps' is inside 'notification': its place is the root"),
    (#"{"a":1,"b":{"c":{"aps":{}}}}"#, 28, "'aps' is inside 'b.c'"),
    (#"[{"aps":{}}]"#, 12, "'aps' is inside an array"),
    (#"{"aps":{"aps":{"alert":"x"}}}"#, 29, "its place is 'aps'"),
    (#"{"aps":{"badge":1,"badge":2}}"#, 29, "the last one counts"),
    (#"{"aps":"{}"}"#, 12, "encoded twice"),
    (#"{"aps":{"badge":"12"}}"#, 22, "write 12 without quotes"),
    (#"{"aps":{"content-available":true}}"#, 34, "write 1 in place of true"),
    ("{}", 2, "the real gateway took any payload"),
  ])
  func `a payload and its length`(_ payload: String, _ length: Int, _ hint: String) throws {
    let bytes = Self.header + [0, 32] + Self.token + [0, UInt8(length)] + Array(payload.utf8.prefix(length))
    let found = try hints(for: bytes).last ?? ""
    #expect(found.contains(hint), "\(payload): \(found)")
  }

  @Test(arguments: [
    (0xE9 as UInt8, "e9 is \u{E9} in Latin-1"), (0x93, "93 is a character of Windows-1252"),
  ])
  func `a payload in another encoding`(_ byte: UInt8, _ hint: String) throws {
    let payload = Array(#"{"aps":{"alert":"caf"#.utf8) + [byte] + Array(#"!"}}"#.utf8)
    let bytes = Self.header + [0, 32] + Self.token + [0, UInt8(payload.count)] + payload
    let found = try hints(for: bytes).last ?? ""
    #expect(found.contains(hint), "\(found)")
  }

  @Test func `the end of the payload in a frame of command 2 tells how its length was counted`() throws {
    let text = Array(#"{"aps":{"alert":"Görüşürüz"}}"#.utf8)
    let characters = try hints(for: Self.framed([1, 0, 32] + Self.token + [2, 0, 29] + text)).last ?? ""
    #expect(characters.contains("it has 34 bytes, as many characters as the length says"), "\(characters)")

    let long = Array(#"{"aps":{"alert":"\#(String(repeating: "x", count: 280))"}}"#.utf8)
    let low = [2, 0, UInt8(truncatingIfNeeded: long.count)] + long
    let lowByte = try hints(for: Self.framed([1, 0, 32] + Self.token + low)).last ?? ""
    #expect(lowByte.contains("only the low byte was written"), "\(lowByte)")
  }

  @Test(arguments: [
    ("h", "somebody typing"), ("\r", "somebody typing"), ("GET / HTTP/1.1", "HTTP, or somebody typing"),
    ("1", "it is the digit 1"), ("{", "a payload without a frame"), ("\u{16}", "TLS inside TLS"),
  ])
  func `a first byte that is no command speaks of no notification before it`(
    _ text: String,
    _ hint: String
  ) throws {
    let found = try hints(for: Array(text.utf8)).last ?? ""
    #expect(found.contains(hint) && !found.contains("before"), "\(found)")
    #expect(try hints(for: [0xBC]).isEmpty)
  }

  @Test func `bytes after a notification are explained by it, where there is one`() throws {
    let bytes = try Array(Fixtures.data("reports/length-in-characters.bin"))
    let simulator = try Samples.simulator {
      $0.payload = .lenient
      $0.tokens = .any
    }
    try CoreProvider(samples: simulator).send(bytes)
    let views = simulator.notifications()
    let cause =
      "the payload is cut: its length, 29, looks counted in characters; count the bytes of its UTF-8"
    #expect(views.first?.explanations.compactMap(\.hint).first == cause)
    #expect(
      views.dropFirst().first?.explanations.last?.hint == "n1 before it shifts everything after it: \(cause)"
    )
    // Another connection has no notification before.
    try CoreProvider(samples: simulator).send([0xBC])
    #expect(simulator.notifications().last?.explanations.last?.hint == nil)
  }

  @Test(arguments: [43, 44, 64, 66, 71, 73])
  func `a binary token of the size of a text is none`(count: Int) throws {
    let token = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 37 + 130) }
    let item = [1, 0, UInt8(count)] + token
    let found = try hints(for: Self.framed(item + [2, 0, 10] + Array(#"{"aps":{}}"#.utf8))).last ?? ""
    #expect(!found.contains("look like") && !found.contains("hex digits"), "\(found)")
  }

  @Test func `the reported frames are explained by their cause`() throws {
    let token = try hints(for: Array(Fixtures.data("reports/token-as-hex-text.bin"))).last ?? ""
    #expect(
      token.hasPrefix("the token's 32 bytes are hex digits, and the text goes on after them"),
      "\(token)"
    )
    let length = try hints(for: Array(Fixtures.data("reports/length-in-characters.bin"))).last ?? ""
    #expect(length.contains("counted in characters"), "\(length)")
  }

  @Test(
    arguments: [
      // The samples' time is 2012-06-01, 1338508800.
      (3600, "it is a date in seconds, not a duration"),
      (63_072_000, "lies in the 1970s"),
      (UInt32(1_338_512_400).byteSwapped, "is 1338512400 in little endian"),
      (UInt32(truncatingIfNeeded: 1_338_512_400_000 as Int64), "looks like milliseconds"),
      (1_338_512_400, nil), (0, nil), (0x7FFF_FFFF, nil), (.max, nil),
    ] as [(UInt32, String?)]
  )
  func `an expiry that is no date of this time`(_ expiry: UInt32, _ hint: String?) throws {
    let simulator = try Samples.simulator { $0.edition = .final }
    try CoreProvider(samples: simulator).send(Samples.frame(1, to: Samples.online, expiry: expiry))
    let found = simulator.notification(1)?.explanations.last?.hint
    #expect(hint.map { found?.contains($0) == true } ?? (found == nil), "\(found ?? "none")")
  }

  @Test(
    arguments: [
      // At that time, the low 32 bits of the milliseconds since 1970 are few: 312 * 2^32 are 1,340,029,796,352.
      (100_000_000, 103_600_000, "looks like milliseconds, cut to 32 bits: it is a date in seconds"),
      (
        1_000_000, 4_600_000,
        "lies in 1970: it is a date in seconds, not a duration, nor milliseconds, cut to"
      ),
      (100_000_000, 63_072_000, "lies in the 1970s: it is a date in seconds, not a duration"),
      (1_000_000, 3600, "not a duration, nor milliseconds"),
      (900_000_000, 3600, "lies in 1970: it is a date in seconds, not a duration"),
    ] as [(Int64, UInt32, String)]
  )
  func `an expiry in milliseconds is no duration, also where its low bits are few`(
    _ now: Int64,
    _ expiry: UInt32,
    _ hint: String
  ) throws {
    let simulator = try Samples.simulator { $0.edition = .final }
    try simulator.perform(.advanceClock(.milliseconds(1_340_029_796_352 + now - Moment.start.rawValue)))
    try CoreProvider(samples: simulator).send(Samples.frame(1, to: Samples.online, expiry: expiry))
    let found = simulator.notification(1)?.explanations.last?.hint ?? "none"
    #expect(found.contains(hint) && (hint.contains("nor") || !found.contains("nor")), "\(found)")
  }

  @Test
  func `an identifier in host order is named, and what is discarded is resent by what the answer names`()
    throws
  {
    let simulator = try Samples.simulator { $0.quirks = [.zeroIdOnMissingToken] }
    try CoreProvider(samples: simulator).send(Samples.frame(UInt32(7).byteSwapped))
    let noted = try #require(simulator.notification(1)?.explanations.first { $0.hint != nil })
    #expect(noted.check == "framing" && noted.isPassed)
    #expect(noted.detail == "the identifier 07000000 is 7 in little endian")

    try CoreProvider(samples: simulator).send(Samples.frame(1, to: []) + Samples.frame(2))
    let unnamed = simulator.notification(3)?.explanations.last?.hint
    #expect(
      unnamed
        == "the error response names no notification: resend everything that is not known to be accepted"
    )
    try CoreProvider(samples: simulator).send(Samples.frame(1, to: [1]) + Samples.frame(2))
    let named = simulator.notification(5)?.explanations.last?.hint
    #expect(named == "resend everything that followed the notification named by the error response")
    try CoreProvider(samples: simulator).send([0, 0, 1, 9, 0, 2, 0x7B, 0x7D] + Samples.frame(2))
    let silent = simulator.notifications().last
    #expect(silent?.outcome == .discarded)
    #expect(silent?.explanations.last?.hint?.hasPrefix("there was no error response") == true)
  }

  private static let header: [UInt8] = [1, 0, 0, 0, 1, 0x7F, 0xFF, 0xFF, 0xFF]
  private static let token = [UInt8](0x30...0x4F)
  private static let hex = Array(Hex.encode(token).utf8)
  private static let description = Array(
    "<30313233 34353637 38393a3b 3c3d3e3f 40414243 44454647 48494a4b 4c4d4e4f>".utf8
  )
  private static let base64 = Array(Base64.encode(token).utf8)

  private static func framed(_ items: [UInt8]) -> [UInt8] { [2] + Samples.big(UInt32(items.count)) + items }

  /// The hints for the first notification, where any token is a device's and payloads are judged strictly.
  private func hints(for bytes: [UInt8]) throws -> [String] {
    let simulator = try Samples.simulator { $0.tokens = .any }
    try CoreProvider(samples: simulator).send(bytes)
    return try #require(simulator.notification(1)).explanations.compactMap(\.hint)
  }
}

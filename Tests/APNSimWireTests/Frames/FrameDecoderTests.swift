import APNSimWire
import Testing

/// Decoding of single frames, in the gateway's mode and in the reader's.
struct FrameDecoderTests {
  private static let header = "01 01020304 7fffffff"

  @Test func `command 0 has a token and a payload and nothing else`() throws {
    let bytes = hex("00 0020 \(hexToken) 0016") + payload
    let frame = try #require(decode(bytes))
    #expect(frame.form == .complete)
    #expect(frame.command == 0)
    #expect(frame.seen == [.token, .payload])
    #expect(bytes[frame.token] == token[...])
    #expect(Array(bytes[frame.payload]) == payload)
    #expect(frame.end == bytes.count)
  }

  @Test func `command 1 adds identifier and expiry`() throws {
    let bytes = hex("\(Self.header) 0020 \(hexToken) 0016") + payload
    let frame = try #require(decode(bytes))
    #expect(frame.form == .complete)
    #expect(frame.identifier.hex == "01020304")
    #expect(frame.expiry == 0x7FFF_FFFF)
    #expect(frame.seen == [.token, .payload, .identifier, .expiry])
    #expect(Array(bytes[frame.payload]) == payload)
  }

  @Test func `command 2 takes its items in any order`() throws {
    let bytes = hex("02 0000001d 05 0001 0a 04 0004 7fffffff 03 0004 01020304 02 0002 7b7d 01 0003 aabbcc")
    let frame = try #require(decode(bytes))
    #expect(frame.form == .complete)
    #expect(frame.priority == 10)
    #expect(frame.expiry == 0x7FFF_FFFF)
    #expect(frame.identifier.hex == "01020304")
    #expect(bytes[frame.token] == [0xAA, 0xBB, 0xCC])
    #expect(Array(bytes[frame.payload]) == Array("{}".utf8))
    #expect(frame.hasToken && frame.hasPayload && frame.hasIdentifier && frame.hasExpiry && frame.hasPriority)
  }

  @Test func `an item of length 0 has been seen, an absent one has not`() throws {
    let empty = try #require(decode(hex("02 00000003 01 0000")))
    #expect(empty.hasToken)
    #expect(empty.tokenLength == 0)
    let absent = try #require(decode(hex("02 00000003 02 0000")))
    #expect(!absent.hasToken)
  }

  @Test(arguments: ["0000", "001f", "0021", "0065", "ffff"])
  func `a token length that no device has decides as soon as it is there`(length: String) throws {
    let bytes = hex("\(Self.header) \(length)")
    #expect(decode(Array(bytes.dropLast())) == nil)
    let frame = try #require(decode(bytes))
    #expect(frame.form == .stopped)
    #expect(frame.identifier.hex == "01020304")
    #expect(frame.end == bytes.count)
    #expect(frame.token.isEmpty)
    #expect(!frame.hasPayload)
  }

  @Test(arguments: ["0000", "0101", "ffff"])
  func `a refused payload length decides as soon as it is there`(length: String) throws {
    for command in ["00", Self.header] {
      let bytes = hex("\(command) 0020 \(hexToken) \(length)")
      #expect(decode(Array(bytes.dropLast())) == nil)
      let frame = try #require(decode(bytes))
      #expect(frame.form == .stopped)
      #expect(frame.end == bytes.count)
      #expect(Array(bytes[frame.token]) == token)
      #expect(frame.payload.isEmpty)
    }
  }

  @Test func `a payload of exactly the limit is waited for`() throws {
    let bytes = hex("00 0020 \(hexToken) 0100") + Array(repeating: 0x20, count: 256)
    #expect(decode(Array(bytes.dropLast())) == nil)
    #expect(try #require(decode(bytes)).form == .complete)
  }

  @Test func `a longer limit and another token size can be allowed`() throws {
    let limits = FrameLimits(enhancedPayload: 2048, tokenSizes: [32, 54])
    let bytes =
      hex("\(Self.header) 0036") + Array(repeating: 1, count: 54) + hex("0800")
      + Array(repeating: 2, count: 2048)
    #expect(try #require(decode(bytes, .judging(limits))).form == .complete)
  }

  @Test func `a reader takes every declared length as it is`() throws {
    let bytes = hex("\(Self.header) 0000 0000")
    let frame = try #require(decode(bytes, .reading))
    #expect(frame.form == .complete)
    #expect(frame.end == bytes.count)
    let long = hex("00 ffff") + Array(repeating: 1, count: 65_535)
    let longest = long + hex("ffff") + Array(repeating: 2, count: 65_535)
    #expect(decode(Array(longest.dropLast()), .reading) == nil)
    #expect(try #require(decode(longest, .reading)).payloadLength == 65_535)
    #expect(longest.count == FrameDecoder.maximumByteCount - 8)
  }

  @Test func `a frame in the middle of a buffer has offsets of that buffer`() throws {
    let bytes = hex("ffff \(Self.header) 0020 \(hexToken) 0002 7b7d ff")
    let frame = try #require(decode(bytes, from: 2))
    #expect(frame.start == 2)
    #expect(Array(bytes[frame.token]) == token)
    #expect(frame.end == bytes.count - 1)
  }

  @Test func `no bytes decide nothing`() {
    #expect(decode([]) == nil)
    #expect(decode([0], from: 1) == nil)
    #expect(decode([0], from: 2) == nil)
    #expect(decode([0], from: -1) == nil)
  }
}

import APNSimCore
import APNSimHTTP2
import CNghttp2
import Testing

@Suite("HPACK agrees with libnghttp2")
struct OracleTests {
  private static let names = [
    ":method", ":path", ":scheme", ":authority", "authorization", "apns-topic", "apns-id", "x-a",
    "x-long-name",
    "content-type", "cookie", "te", "accept-charset",
  ]

  private static func fields(_ random: inout SeededGenerator) -> [(String, [UInt8])] {
    (0..<Int.random(in: 1...12, using: &random)).map { _ in
      let length = [0, 1, 5, 30, 64, 200].randomElement(using: &random) ?? 0
      let isText = Int.random(in: 0..<4, using: &random) > 0
      let value = (0..<length).map { _ in UInt8.random(in: isText ? 0x21...0x7E : 0...255, using: &random) }
      return (
        names.randomElement(using: &random) ?? "a",
        Int.random(in: 0..<3, using: &random) == 0 ? [0x31] : value
      )
    }
  }

  /// Codes the fields as a client on libnghttp2 does.
  private static func deflate(_ deflater: OpaquePointer, _ fields: [(String, [UInt8])], flags: [UInt8])
    -> [UInt8]
  {
    var arena: [UInt8] = fields.reduce(into: []) { $0 += Array($1.0.utf8) + $1.1 } + [0]
    var out = [UInt8](repeating: 0, count: 8192)
    let written = arena.withUnsafeMutableBufferPointer { arena -> Int in
      guard var place = arena.baseAddress else { return 0 }
      var pairs: [nghttp2_nv] = []
      for (index, field) in fields.enumerated() {
        let name = place
        let value = name + field.0.utf8.count
        place = value + field.1.count
        pairs.append(
          nghttp2_nv(
            name: name,
            value: value,
            namelen: field.0.utf8.count,
            valuelen: field.1.count,
            flags: flags[index]
          )
        )
      }
      return Int(nghttp2_hd_deflate_hd(deflater, &out, out.count, pairs, pairs.count))
    }
    return Array(out[..<max(0, written)])
  }

  /// The fields that libnghttp2's inflater makes of a block; nil where it is damaged.
  private static func inflate(_ inflater: OpaquePointer, _ block: [UInt8]) -> [String]? {
    var fields: [String] = []
    var offset = 0
    while true {
      var pair = nghttp2_nv()
      var flags: Int32 = 0
      let taken = block[offset...].withUnsafeBufferPointer {
        nghttp2_hd_inflate_hd2(inflater, &pair, &flags, $0.baseAddress, $0.count, 1)
      }
      guard taken >= 0 else { return nil }
      offset += Int(taken)
      if flags & Int32(NGHTTP2_HD_INFLATE_EMIT.rawValue) != 0 {
        let name = String(decoding: UnsafeBufferPointer(start: pair.name, count: pair.namelen), as: UTF8.self)
        let value = String(
          decoding: UnsafeBufferPointer(start: pair.value, count: pair.valuelen),
          as: UTF8.self
        )
        fields.append("\(name): \(value)")
      }
      if flags & Int32(NGHTTP2_HD_INFLATE_FINAL.rawValue) != 0 {
        nghttp2_hd_inflate_end_headers(inflater)
        return fields
      }
      if taken == 0, offset >= block.count { return fields }
    }
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `blocks of its deflater and damaged ones have the same fields or the same verdict`(seed: UInt64) throws
  {
    var random = SeededGenerator(seed: seed)
    var damaged = 0
    for _ in 0..<40 {
      var deflaterPlace: OpaquePointer?
      var inflaterPlace: OpaquePointer?
      nghttp2_hd_deflate_new(&deflaterPlace, 4096)
      nghttp2_hd_inflate_new(&inflaterPlace)
      let deflater = try #require(deflaterPlace)
      let inflater = try #require(inflaterPlace)
      defer {
        nghttp2_hd_deflate_del(deflater)
        nghttp2_hd_inflate_del(inflater)
      }
      var decoding = Decoding()
      for _ in 0..<25 {
        if Int.random(in: 0..<6, using: &random) == 0 {
          nghttp2_hd_deflate_change_table_size(deflater, Int.random(in: 0...4096, using: &random))
        }
        let fields = Self.fields(&random).filter { field in field.0 != "authorization" }
        let flags = fields.map { _ in UInt8(Int.random(in: 0...1, using: &random)) }
        var block = Self.deflate(deflater, fields, flags: flags)
        guard !block.isEmpty else { continue }
        if Int.random(in: 0..<5, using: &random) == 0 {
          let place = Int.random(in: 0..<block.count, using: &random)
          if Bool.random(using: &random) {
            block[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
          } else {
            block.removeSubrange(place...)
          }
        }
        guard !block.isEmpty else { continue }
        let expected = Self.inflate(inflater, block)
        // A flipped bit may make any field one of authorization, whose value is not listed.
        let found = decoding.decode(block)
        if expected?.contains(where: { $0.hasPrefix("authorization: ") }) != true {
          #expect(found == expected)
        }
        guard found != nil else {
          damaged += 1
          break
        }
      }
    }
    #expect(damaged > 5)
  }

  @Test func `what our encoder writes is read by its inflater`() throws {
    var inflaterPlace: OpaquePointer?
    nghttp2_hd_inflate_new(&inflaterPlace)
    let inflater = try #require(inflaterPlace)
    defer { nghttp2_hd_inflate_del(inflater) }
    var random = SeededGenerator(seed: 7)
    for _ in 0..<500 {
      let fields = Self.fields(&random)
      let block = bytes {
        for (name, value) in fields {
          let representation =
            HPACKEncoder.Representation.allCases.randomElement(using: &random) ?? .neverIndexed
          let isHuffman = Bool.random(using: &random)
          HPACKEncoder.append(
            name: Array(name.utf8),
            value: value,
            representation,
            isHuffman: isHuffman,
            to: &$0
          )
        }
      }
      let expected = fields.map { "\($0.0): \(String(decoding: $0.1, as: UTF8.self))" }
      #expect(Self.inflate(inflater, block) == expected)
    }
  }
}

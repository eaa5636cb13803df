import APNSimCore
import Testing

@testable import APNSimImport

@Suite struct `Fragmented IP packets` {
  private static let payload = (0..<900).map { UInt8(truncatingIfNeeded: $0 &* 7) }
  private static let tcp = CaptureBytes.tcp(from: 50_000, to: 2195, payload)

  private static func content(_ bytes: [UInt8], seconds: Int64 = 0) -> PacketContent {
    PacketContent(
      CapturedPacket(
        number: 1,
        time: Timestamp(seconds: seconds),
        link: LinkType(rawValue: 101),
        bytes: bytes[...],
        wireLength: bytes.count
      )
    )
  }

  /// A part of the packet as IPv4 or IPv6 has it.
  private static func part(
    _ range: Range<Int>,
    isIPv6: Bool,
    identification: UInt16 = 7,
    of bytes: [UInt8] = tcp,
    seconds: Int64 = 0
  ) -> PacketContent {
    let more = range.upperBound < bytes.count
    let body = Array(bytes[range])
    let offset = UInt16(range.lowerBound)
    guard isIPv6 else {
      let fragment = offset / 8 | (more ? 0x2000 : 0)
      return content(
        CaptureBytes.ipv4(body, fragment: fragment, identification: identification),
        seconds: seconds
      )
    }
    let header =
      [6, 0] + CaptureBytes.big(offset | (more ? 1 : 0)) + [0, 0] + CaptureBytes.big(identification)
    return content(CaptureBytes.ipv6(header + body, next: 44), seconds: seconds)
  }

  private static func segments(_ parts: [PacketContent], _ table: inout FragmentTable) -> [[UInt8]] {
    parts.compactMap { part in
      guard case .segment(let segment) = table.take(part) else { return nil }
      return Array(segment.payload)
    }
  }

  @Test(arguments: 1...40 as ClosedRange<UInt64>)
  func `fragments come together in any order, with copies and overlaps`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let isIPv6 = Bool.random(using: &generator)
    var ranges: [Range<Int>] = []
    var start = 0
    while start < Self.tcp.count {
      let end = min(Self.tcp.count, start + 8 * Int.random(in: 1...30, using: &generator))
      let overlap = min(start / 8, Int.random(in: 0...3, using: &generator)) * 8
      ranges.append(start - overlap..<end)
      if Int.random(in: 0..<4, using: &generator) == 0 { ranges.append(start..<end) }
      start = end
    }
    ranges.shuffle(using: &generator)
    var table = FragmentTable()
    let found = Self.segments(ranges.map { Self.part($0, isIPv6: isIPv6) }, &table)
    table.finish()
    #expect(found == [Self.payload])
    #expect(table.completed == 1 && table.leftOver == 0)
  }

  @Test(arguments: [false, true])
  func `fragments of which something is missing are reported, and others are not held up`(isIPv6: Bool) {
    var table = FragmentTable()
    let parts = [0..<80, 160..<920].map { Self.part($0, isIPv6: isIPv6) }
    let whole = [80..<920, 0..<80].map { Self.part($0, isIPv6: isIPv6, identification: 8) }
    #expect(Self.segments(parts + whole, &table) == [Self.payload])
    table.finish()
    #expect(table.completed == 1 && table.leftOver == 2)
  }

  @Test func `the first copy of a byte wins`() {
    var other = Self.tcp
    for index in 100..<200 { other[index] ^= 0xFF }
    var table = FragmentTable()
    let parts = [
      Self.part(0..<160, isIPv6: false), Self.part(80..<400, isIPv6: false, of: other),
      Self.part(160..<920, isIPv6: false),
    ]
    let expected = Array((Self.tcp[..<160] + other[160..<400] + Self.tcp[400...]).dropFirst(20))
    #expect(Self.segments(parts, &table) == [expected])
  }

  @Test func `fragments with a number that comes again later are others`() {
    var table = FragmentTable()
    let old = Self.part(0..<80, isIPv6: false)
    let new = [0..<80, 80..<920].map { Self.part($0, isIPv6: false, seconds: 61) }
    #expect(Self.segments([old] + new, &table) == [Self.payload])
    #expect(table.leftOver == 1)
  }

  @Test func `fragments of one byte group each come together, first every second one and backwards`() {
    var table = FragmentTable()
    let groups = stride(from: 0, to: Self.tcp.count, by: 8).map { $0..<min($0 + 8, Self.tcp.count) }
    let (even, odd) = (groups.indices.filter { $0 % 2 == 0 }, groups.indices.filter { $0 % 2 == 1 })
    let parts = (even.reversed() + odd).map { Self.part(groups[$0], isIPv6: false) }
    #expect(Self.segments(parts, &table) == [Self.payload])
  }

  @Test func `fragments with one number that comes again and again are one packet at a time`() {
    var table = FragmentTable()
    for number in 0..<1000 as Range<Int64> {
      _ = table.take(Self.part(0..<80, isIPv6: false, seconds: number * 61))
    }
    #expect(table.order.count == 1 && table.leftOver == 999)
    table.finish()
    #expect(table.order.isEmpty && table.leftOver == 1000)
  }

  @Test func `fragments that never end cost bounded memory`() {
    var table = FragmentTable()
    for number in 0..<5000 {
      _ = table.take(Self.part(0..<80, isIPv6: false, identification: UInt16(number)))
    }
    #expect(table.leftOver == 5000 - 256)
    table.finish()
    #expect(table.leftOver == 5000 && table.completed == 0)
  }
}

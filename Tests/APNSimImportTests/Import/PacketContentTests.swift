import APNSimCore
import Testing

@testable import APNSimImport

@Suite struct `Packets taken apart` {
  private let segment = CaptureBytes.tcp(from: 50_000, to: 2195, [7, 8])

  private func content(_ link: UInt16, _ bytes: [UInt8], wireLength: Int? = nil) -> PacketContent {
    PacketContent(
      CapturedPacket(
        number: 1,
        time: Timestamp(seconds: 0),
        link: LinkType(rawValue: link),
        bytes: bytes[...],
        wireLength: wireLength ?? bytes.count
      )
    )
  }

  private func found(_ content: PacketContent) -> String {
    switch content {
    case .segment(let segment):
      "\(segment.source) \(segment.destination) \(Array(segment.payload)) \(segment.cutOff)"
    case .fragment: "fragment"
    case .cutShort: "cut short"
    case .other: "other"
    case .encapsulated(let name): name
    case .unknownLink: "unknown link"
    }
  }

  private let expected = "10.0.0.1:50000 10.0.0.2:2195 [7, 8] 0"
  private let expected6 = "[fe80::1]:50000 [2001:db8::2]:2195 [7, 8] 0"

  @Test func `every link type leads to the same segment`() {
    let ip = CaptureBytes.ipv4(segment)
    let headers: [(UInt16, [UInt8])] = [
      (1, CaptureBytes.ethernet(ip)), (1, CaptureBytes.ethernet(ip, tags: [0x8100])),
      (1, CaptureBytes.ethernet(ip, tags: [0x88A8, 0x8100])),
      (0, [2, 0, 0, 0] + ip), (0, [0, 0, 0, 2] + ip), (108, [0, 0, 0, 2] + ip), (101, ip), (12, ip),
      (228, ip),
      (113, [UInt8](repeating: 0, count: 14) + [8, 0] + ip),
      (276, [8, 0] + [UInt8](repeating: 0, count: 18) + ip),
    ]
    for (link, bytes) in headers { #expect(found(content(link, bytes)) == expected, "\(link)") }
    #expect(found(content(147, ip)) == "unknown link")
  }

  @Test func `packets inside others are taken apart, or named by what carries them`() {
    let ip = CaptureBytes.ipv4(segment)
    let frame = CaptureBytes.ethernet(ip)
    func carried(_ number: UInt8, _ bytes: [UInt8]) -> String {
      var outer = CaptureBytes.ipv4(bytes)
      outer[9] = number
      return found(content(1, CaptureBytes.ethernet(outer)))
    }
    func udp(_ port: UInt16, _ bytes: [UInt8]) -> [UInt8] {
      [0xC0, 0, UInt8(port >> 8), UInt8(port & 0xFF), 0, 0, 0, 0] + bytes
    }
    let vxlan: [UInt8] = [0x08, 0, 0, 0, 0, 0, 42, 0]
    #expect(carried(17, udp(4789, vxlan + frame)) == expected)
    #expect(carried(17, udp(8472, vxlan + CaptureBytes.ethernet(ip, tags: [0x8100]))) == expected)
    #expect(carried(17, udp(6081, [0x01, 0, 0x65, 0x58, 0, 0, 42, 0, 1, 2, 3, 4] + frame)) == expected)
    #expect(carried(4, ip) == expected)
    #expect(carried(47, [0, 0, 8, 0] + ip) == expected)
    #expect(carried(47, [0xB0, 0, 8, 0] + [UInt8](repeating: 1, count: 12) + ip) == expected)
    #expect(carried(47, [0x20, 0, 0x65, 0x58, 0, 0, 0, 1] + frame) == expected)
    #expect(carried(47, [0, 0, 0x88, 0x47, 0, 0, 0x10, 64, 0, 0, 0x21, 64] + ip) == expected)
    #expect(carried(47, [0x10, 0, 0x88, 0xBE, 0, 0, 0, 1] + frame) == "ERSPAN")
    #expect(carried(50, ip) == "IPsec (ESP)")
    #expect(carried(51, [6, 4] + [UInt8](repeating: 0, count: 22) + segment) == expected)
    #expect(carried(51, [4, 1] + [UInt8](repeating: 0, count: 10) + ip) == expected)
    #expect(carried(51, [50, 4] + [UInt8](repeating: 0, count: 22) + segment) == "IPsec (ESP)")
    #expect(carried(51, []) == "cut short")
    #expect(carried(17, udp(3544, ip)) == "Teredo")
    #expect(carried(17, udp(51820, ip)) == "WireGuard")
    #expect(carried(17, udp(53, ip)) == "other")
    #expect(carried(47, [0]) == "cut short")
  }

  @Test func `tunnels in fragments are named, because they are not put together`() {
    func carried(_ number: UInt8, _ bytes: [UInt8], flags: UInt16) -> String {
      var outer = CaptureBytes.ipv4(bytes)
      (outer[6], outer[7], outer[9]) = (UInt8(flags >> 8), UInt8(flags & 0xFF), number)
      return found(content(1, CaptureBytes.ethernet(outer)))
    }
    let vxlan: [UInt8] = [0xC0, 0, 0x12, 0xB5, 0, 0, 0, 0, 8, 0, 0, 0, 0, 0, 42, 0]
    #expect(carried(17, vxlan, flags: 0x2000) == "VXLAN, in IP fragments")
    #expect(carried(17, vxlan, flags: 0x00B9) == "other")
    #expect(carried(47, [0, 0, 8, 0], flags: 0x2000) == "GRE, in IP fragments")
    #expect(carried(51, [6, 4], flags: 0x2000) == "IPsec (AH), in IP fragments")
    #expect(carried(4, segment, flags: 0x00B9) == "IP in IP, in IP fragments")
    let first: [UInt8] = [17, 0, 0, 1, 0, 0, 0, 9]
    #expect(found(content(101, CaptureBytes.ipv6(first + vxlan, next: 44))) == "VXLAN, in IP fragments")
  }

  @Test func `IPv6 and its extension headers are stepped over`() {
    #expect(found(content(101, CaptureBytes.ipv6(segment))) == expected6)
    let hopByHop: [UInt8] = [60, 0, 0, 0, 0, 0, 0, 0]
    let destination: [UInt8] = [44, 1] + [UInt8](repeating: 0, count: 14)
    let atomicFragment: [UInt8] = [6, 0, 0, 0, 0, 0, 0, 9]
    #expect(
      found(content(101, CaptureBytes.ipv6(hopByHop + destination + atomicFragment + segment, next: 0)))
        == expected6
    )
    let first: [UInt8] = [6, 0, 0, 1, 0, 0, 0, 9]
    #expect(found(content(101, CaptureBytes.ipv6(first + segment, next: 44))) == "fragment")
    #expect(found(content(101, CaptureBytes.ipv6([17, 0] + segment, next: 17))) == "other")
  }

  @Test func `what carries IP inside itself is stepped over`() {
    let ip = CaptureBytes.ipv4(segment)
    let ip6 = CaptureBytes.ipv6(segment)
    let session: [UInt8] = [0x11, 0, 0, 7, 0, 99]
    #expect(found(content(1, CaptureBytes.ethernet(session + [0, 0x21] + ip, type: 0x8864))) == expected)
    #expect(found(content(1, CaptureBytes.ethernet(session + [0, 0x57] + ip6, type: 0x8864))) == expected6)
    #expect(found(content(1, CaptureBytes.ethernet(session + [0xC0, 0x21] + ip, type: 0x8864))) == "other")
    #expect(found(content(1, CaptureBytes.ethernet(session, type: 0x8864), wireLength: 200)) == "cut short")

    let (label, bottom): ([UInt8], [UInt8]) = ([0, 1, 0, 64], [0, 2, 1, 64])
    #expect(found(content(1, CaptureBytes.ethernet(label + bottom + ip, type: 0x8847))) == expected)
    for control in [[], [0, 0, 0, 7] as [UInt8]] {
      let wire = bottom + control + CaptureBytes.ethernet(ip)
      #expect(found(content(1, CaptureBytes.ethernet(label + wire, type: 0x8847))) == expected)
    }
    let unknown = bottom + [0, 0, 0, 7] + CaptureBytes.ethernet(ip, type: 0x1234)
    #expect(found(content(1, CaptureBytes.ethernet(unknown, type: 0x8847))) == "Ethernet over MPLS")
    let labels = [UInt8]((0..<8).flatMap { _ in label })
    #expect(found(content(1, CaptureBytes.ethernet(labels + bottom + ip, type: 0x8847))) == "other")
    #expect(found(content(1, CaptureBytes.ethernet(label, type: 0x8847), wireLength: 200)) == "cut short")

    #expect(found(content(101, CaptureBytes.ipv4(ip, protocol: 4))) == expected)
    #expect(found(content(101, CaptureBytes.ipv4(ip6, protocol: 41))) == expected6)
    #expect(found(content(101, CaptureBytes.ipv6(ip, next: 4))) == expected)
    var nested = ip
    for _ in 0..<3 { nested = CaptureBytes.ipv4(nested, protocol: 4) }
    #expect(found(content(101, nested)) == expected)
    #expect(found(content(101, CaptureBytes.ipv4(nested, protocol: 4))) == "other")
  }

  @Test func `padding, offload and snap length are told from data`() {
    let ip = CaptureBytes.ipv4(segment)
    #expect(found(content(1, CaptureBytes.ethernet(ip + [0, 0, 0, 0]))) == expected)
    #expect(found(content(1, CaptureBytes.ethernet(CaptureBytes.ipv4(segment, totalLength: 0)))) == expected)
    let whole = CaptureBytes.ethernet(ip)
    #expect(
      found(content(1, Array(whole.dropLast()), wireLength: whole.count))
        == "10.0.0.1:50000 10.0.0.2:2195 [7] 1"
    )
    #expect(found(content(1, Array(whole.prefix(40)), wireLength: whole.count)) == "cut short")
  }

  @Test func `fragments and other protocols are told apart`() {
    #expect(found(content(101, CaptureBytes.ipv4(segment, fragment: 0x2000))) == "fragment")
    #expect(found(content(101, CaptureBytes.ipv4(segment, fragment: 0x0010))) == "fragment")
    #expect(found(content(101, CaptureBytes.ipv4(segment, fragment: 0x4000))) == expected)
    #expect(found(content(101, CaptureBytes.ipv4(segment, protocol: 17))) == "other")
    #expect(found(content(1, CaptureBytes.ethernet([], type: 0x0806))) == "other")
    #expect(found(content(101, [])) == "cut short")
  }

  @Test(
    arguments: [
      ((0, 1), "::1"), ((0, 0), "::"), ((0x2001_0DB8_0000_0000, 1), "2001:db8::1"),
      ((0x2001_0DB8_0000_0001, 0x0001_0001_0001_0001), "2001:db8:0:1:1:1:1:1"),
      ((0x2001_0000_0000_0001, 0x0000_0000_0000_0001), "2001:0:0:1::1"),
      ((0xFE80_0000_0000_0000, 0), "fe80::"),
    ] as [((UInt64, UInt64), String)]
  )
  func `an IPv6 address is written as RFC 5952 asks`(halves: (UInt64, UInt64), text: String) {
    #expect(NetworkEndpoint(high: halves.0, low: halves.1, port: 1).address == text)
  }
}

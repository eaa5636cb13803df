import APNSimCore

@testable import APNSimImport

/// Builds capture files byte by byte, independent of the code that writes them for users.
enum CaptureBytes {
  static func big(_ value: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
  }
  static func big(_ value: UInt16) -> [UInt8] { [UInt8(value >> 8), UInt8(truncatingIfNeeded: value)] }

  static func number(_ value: UInt32, _ order: ByteOrder) -> [UInt8] {
    order == .big ? big(value) : big(value).reversed()
  }
  static func number(_ value: UInt16, _ order: ByteOrder) -> [UInt8] {
    order == .big ? big(value) : big(value).reversed()
  }

  static func pcapHeader(_ order: ByteOrder, magic: UInt32 = 0xA1B2_C3D4, link: UInt32 = 1) -> [UInt8] {
    number(magic, order) + number(UInt16(2), order) + number(UInt16(4), order)
      + [0, 0, 0, 0, 0, 0, 0, 0] + number(UInt32(262_144), order) + number(link, order)
  }

  static func pcapPacket(
    _ order: ByteOrder,
    seconds: UInt32 = 1_338_508_800,
    fraction: UInt32 = 0,
    wireLength: Int? = nil,
    _ bytes: [UInt8]
  ) -> [UInt8] {
    number(seconds, order) + number(fraction, order) + number(UInt32(bytes.count), order)
      + number(UInt32(wireLength ?? bytes.count), order) + bytes
  }

  static func block(_ order: ByteOrder, _ type: UInt32, _ body: [UInt8]) -> [UInt8] {
    let padding = [UInt8](repeating: 0, count: (4 - body.count % 4) % 4)
    let length = number(UInt32(12 + body.count + padding.count), order)
    return number(type, order) + length + body + padding + length
  }

  static func section(_ order: ByteOrder) -> [UInt8] {
    block(
      order,
      0x0A0D_0D0A,
      number(UInt32(0x1A2B_3C4D), order) + number(UInt16(1), order) + number(UInt16(0), order)
        + [UInt8](repeating: 0xFF, count: 8)
    )
  }

  static func interface(_ order: ByteOrder, link: UInt16 = 1, options: [UInt8] = []) -> [UInt8] {
    block(order, 1, number(link, order) + [0, 0] + number(UInt32(0), order) + options)
  }

  static func enhancedPacket(_ order: ByteOrder, interface: UInt32 = 0, ticks: UInt64, _ bytes: [UInt8])
    -> [UInt8]
  {
    block(
      order,
      6,
      number(interface, order) + number(UInt32(truncatingIfNeeded: ticks >> 32), order)
        + number(UInt32(truncatingIfNeeded: ticks), order) + number(UInt32(bytes.count), order)
        + number(UInt32(bytes.count), order) + bytes
    )
  }

  static func tcp(
    from source: UInt16,
    to destination: UInt16,
    sequence: UInt32 = 1000,
    acknowledgement: UInt32 = 0,
    flags: TCPSegment.Flags = [.ack],
    options: [UInt8] = [],
    _ payload: [UInt8] = []
  ) -> [UInt8] {
    big(source) + big(destination) + big(sequence) + big(acknowledgement)
      + [UInt8((20 + options.count) / 4) << 4, flags.rawValue, 0xFF, 0xFF, 0, 0, 0, 0] + options + payload
  }

  static func ipv4(
    _ payload: [UInt8],
    protocol number: UInt8 = 6,
    fragment: UInt16 = 0,
    identification: UInt16 = 0,
    totalLength: Int? = nil
  ) -> [UInt8] {
    [0x45, 0] + big(UInt16(totalLength ?? 20 + payload.count)) + big(identification) + big(fragment) + [
      64, number, 0, 0,
    ]
      + [10, 0, 0, 1, 10, 0, 0, 2] + payload
  }

  static func ipv6(_ payload: [UInt8], next: UInt8 = 6) -> [UInt8] {
    [0x60, 0, 0, 0] + big(UInt16(payload.count)) + [next, 64]
      + [0xFE, 0x80] + [UInt8](repeating: 0, count: 13) + [1]
      + [0x20, 1, 0x0D, 0xB8] + [UInt8](repeating: 0, count: 11) + [2] + payload
  }

  static func ethernet(_ payload: [UInt8], type: UInt16 = 0x0800, tags: [UInt16] = []) -> [UInt8] {
    [UInt8](repeating: 2, count: 12) + tags.flatMap { big($0) + [0, 7] } + big(type) + payload
  }
}

import APNSimCore

/// Reads the packets of a pcapng file: any number of sections and interfaces, either byte order.
///
/// ```text
/// block     type u32 | length u32 | body, padded to 4 | length u32
/// ```
///
/// Blocks that hold no packets are skipped, and those that Wireshark shows among them (a systemd journal's entries, events
/// of sysdig, custom blocks) are numbered as it does; a Decryption Secrets Block with a TLS key log is remembered.
/// Source: draft-ietf-opsawg-pcapng, sections 3 and 4.
struct PcapngReader {
  /// A network interface of the section, as its packets need it.
  struct Interface {
    var link: LinkType
    var snapLength: Int
    var ticks: TickScale
  }

  private let input: CaptureInput
  private var order = ByteOrder.little
  private var interfaces: [Interface] = []
  private var number = 0
  private var time = Timestamp(rawValue: 0)
  /// True where the file has a TLS key log of its own.
  private(set) var hasKeyLog = false
  /// The part of the key log that was not taken yet.
  private var keyLog: [UInt8] = []

  /// The type of a Section Header Block, the same in either byte order.
  static let sectionHeader: [UInt8] = [0x0A, 0x0D, 0x0D, 0x0A]
  private static let maximumBlock = 1 << 24
  /// The kind of secrets that a key log is, "TLSK".
  static let tlsKeyLog: UInt32 = 0x544C_534B
  private static let maximumInterfaces = 4096

  init(_ input: CaptureInput) { self.input = input }

  /// The next packet; nil at the end.
  /// - Throws: `ImportError` where the file breaks off or is damaged.
  mutating func next() throws(ImportError) -> CapturedPacket? {
    while true {
      let place = input.offset
      guard let (type, body) = try block() else { return nil }
      switch type {
      case 0x0A0D_0D0A: interfaces = []
      case 1: try add(interface: body, at: place)
      case 2: if let packet = try packet(obsolete: body, at: place) { return packet }
      case 3: if let packet = try packet(simple: body, at: place) { return packet }
      case 6: if let packet = try packet(enhanced: body, at: place) { return packet }
      case 9, 0x204, 0x216, 0x221, 0xBAD, 0x4000_0BAD: number += 1
      case 10: add(secrets: body)
      default: continue
      }
    }
  }

  /// Takes the key log that stood between the packet that was read last and the one before it.
  mutating func takeKeyLog() -> [UInt8] {
    defer { keyLog = [] }
    return keyLog
  }

  private mutating func add(secrets body: ArraySlice<UInt8>) {
    guard body.uint32(0, order) == Self.tlsKeyLog, let length = body.uint32(4, order) else { return }
    hasKeyLog = true
    // Only the last of several in a row is kept where nobody takes them.
    let log = body.dropFirst(8).prefix(Int(length))
    if keyLog.count + log.count > Self.maximumBlock { keyLog = [] }
    keyLog += log
  }

  private mutating func block() throws(ImportError) -> (type: UInt32, body: ArraySlice<UInt8>)? {
    let place = input.offset
    let head = try input.peek(12)
    if head.isEmpty { return nil }
    guard head.count == 12 else { throw broken(place, "inside a block's header") }
    if head.prefix(4).elementsEqual(Self.sectionHeader) {
      switch head.uint32(8, .big) {
      case 0x1A2B_3C4D: order = .big
      case 0x4D3C_2B1A: order = .little
      default: throw damaged(place + 8, "a section's byte-order magic 1a2b3c4d was expected")
      }
    }
    guard let type = head.uint32(0, order), let length = head.uint32(4, order) else { return nil }
    guard length >= 12, length % 4 == 0, length <= Self.maximumBlock else {
      throw damaged(place + 4, "a block of \(length) bytes; a multiple of 4 from 12 on was expected")
    }
    guard let block = try input.take(Int(length)) else {
      throw broken(place, "inside a block of \(length) bytes")
    }
    guard block.uint32(Int(length) - 4, order) == length else {
      throw damaged(place + Int(length) - 4, "the block's length, \(length), was expected a second time")
    }
    return (type, block.dropFirst(8).dropLast(4))
  }

  private mutating func add(interface body: ArraySlice<UInt8>, at place: Int) throws(ImportError) {
    guard let link = body.uint16(0, order), let snapLength = body.uint32(4, order) else {
      throw damaged(place, "an interface's description is too short")
    }
    guard interfaces.count < Self.maximumInterfaces else {
      throw damaged(place, "more than \(Self.maximumInterfaces) interfaces in a section")
    }
    var ticks = TickScale.microseconds
    var rest = body.dropFirst(8)
    while let code = rest.uint16(0, order), let length = rest.uint16(2, order), code != 0 {
      let value = rest.dropFirst(4).prefix(Int(length))
      if code == 9, let resolution = value.first {
        guard let scale = TickScale(resolution: resolution) else {
          throw damaged(place, "a time resolution (\(resolution)) that 64 bits cannot count")
        }
        ticks.ticksPerSecond = scale.ticksPerSecond
      } else if code == 14, let low = value.uint32(order == .big ? 4 : 0, order),
        let high = value.uint32(order == .big ? 0 : 4, order)
      {
        ticks.offset = Int64(bitPattern: UInt64(high) << 32 | UInt64(low))
      }
      rest = rest.dropFirst(4 + (Int(length) + 3) / 4 * 4)
    }
    interfaces.append(
      Interface(link: LinkType(rawValue: link), snapLength: Int(snapLength), ticks: ticks)
    )
  }

  private mutating func packet(
    enhanced body: ArraySlice<UInt8>,
    at place: Int
  ) throws(ImportError) -> CapturedPacket? {
    guard let id = body.uint32(0, order) else { throw damaged(place, "a packet block is too short") }
    return try packet(body, interface: Int(id), at: place)
  }

  /// The Packet Block of earlier drafts: a 16-bit interface number, then the drop count.
  private mutating func packet(
    obsolete body: ArraySlice<UInt8>,
    at place: Int
  ) throws(ImportError) -> CapturedPacket? {
    guard let id = body.uint16(0, order) else { throw damaged(place, "a packet block is too short") }
    return try packet(body, interface: Int(id), at: place)
  }

  private mutating func packet(
    _ body: ArraySlice<UInt8>,
    interface id: Int,
    at place: Int
  ) throws(ImportError) -> CapturedPacket? {
    guard let high = body.uint32(4, order), let low = body.uint32(8, order),
      let captured = body.uint32(12, order), let length = body.uint32(16, order)
    else { throw damaged(place, "a packet block is too short") }
    guard id < interfaces.count else {
      throw damaged(place + 8, "a packet of interface \(id), which the section does not describe")
    }
    let bytes = body.dropFirst(20)
    guard Int(captured) <= bytes.count else {
      throw damaged(place + 20, "a packet of \(captured) bytes in a block with room for \(bytes.count)")
    }
    number += 1
    time = interfaces[id].ticks.moment(UInt64(high) << 32 | UInt64(low))
    return CapturedPacket(
      number: number,
      time: time,
      link: interfaces[id].link,
      bytes: bytes.prefix(Int(captured)),
      wireLength: max(Int(length), Int(captured))
    )
  }

  /// A Simple Packet Block has no time: that of the packet before it is taken.
  private mutating func packet(
    simple body: ArraySlice<UInt8>,
    at place: Int
  ) throws(ImportError) -> CapturedPacket? {
    guard let length = body.uint32(0, order), let interface = interfaces.first else {
      throw damaged(place, "a simple packet without an interface")
    }
    let limit = interface.snapLength == 0 ? Int(length) : min(Int(length), interface.snapLength)
    number += 1
    return CapturedPacket(
      number: number,
      time: time,
      link: interface.link,
      bytes: body.dropFirst(4).prefix(limit),
      wireLength: Int(length)
    )
  }

  private func damaged(_ offset: Int, _ message: String) -> ImportError {
    ImportError(file: input.name, offset: offset, "\(message): the file is damaged")
  }

  private func broken(_ offset: Int, _ place: String) -> ImportError {
    ImportError(file: input.name, offset: offset, "the file breaks off \(place)")
  }
}

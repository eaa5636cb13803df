import APNSimCore
import APNSimProperties
import Testing

@testable import APNSimImport

@Suite struct `Packet files` {
  private func packets(_ bytes: [UInt8]) throws -> [CapturedPacket] {
    var reader = try PacketReader(CaptureInput(name: "x.pcap", bytes: bytes))
    var packets: [CapturedPacket] = []
    while let packet = try reader.next() { packets.append(packet) }
    return packets
  }

  @Test(arguments: [ByteOrder.big, .little])
  func `pcap is read in both byte orders, in microseconds and nanoseconds`(order: ByteOrder) throws {
    for (magic, fraction) in [(UInt32(0xA1B2_C3D4), UInt32(250_000)), (0xA1B2_3C4D, 250_000_000)] {
      let file =
        CaptureBytes.pcapHeader(order, magic: magic)
        + CaptureBytes.pcapPacket(order, fraction: fraction, [1, 2, 3])
        + CaptureBytes.pcapPacket(order, fraction: fraction + fraction, wireLength: 100, [4])
      let found = try packets(file)
      #expect(found.map { Array($0.bytes) } == [[1, 2, 3], [4]])
      #expect(
        found.map(\.time.description) == ["2012-06-01T00:00:00.250Z", "2012-06-01T00:00:00.500Z"]
      )
      #expect(found.map(\.wireLength) == [3, 100])
      #expect(found.map(\.number) == [1, 2])
    }
  }

  @Test(arguments: [ByteOrder.big, .little])
  func `pcapng is read in both byte orders, with sections, interfaces and their time scales`(
    order: ByteOrder
  ) throws {
    let nanoseconds =
      CaptureBytes.number(UInt16(9), order) + CaptureBytes.number(UInt16(1), order) + [9, 0, 0, 0]
    let binary =
      CaptureBytes.number(UInt16(9), order) + CaptureBytes.number(UInt16(1), order) + [0x8A, 0, 0, 0]
    let file =
      CaptureBytes.section(order) + CaptureBytes.interface(order)
      + CaptureBytes.interface(order, link: 101, options: nanoseconds)
      + CaptureBytes.enhancedPacket(order, ticks: 1_338_508_800_250_000, [1])
      + [9, 0x204, 0x216, 0x221, 0xBAD, 0x4000_0BAD].flatMap { CaptureBytes.block(order, $0, [1, 2, 3]) }
      + CaptureBytes.block(order, 5, [1, 2, 3])
      + CaptureBytes.enhancedPacket(order, interface: 1, ticks: 1_338_508_800_500_000_000, [2])
      + CaptureBytes.section(order) + CaptureBytes.interface(order, link: 113, options: binary)
      + CaptureBytes.enhancedPacket(order, ticks: 1_338_508_800 << 10 | 512, [3])
      + CaptureBytes.block(order, 3, CaptureBytes.number(UInt32(2), order) + [4, 5])
    let found = try packets(file)
    #expect(found.map { Array($0.bytes) } == [[1], [2], [3], [4, 5]])
    // Most of the blocks between the first two have numbers, as in Wireshark; statistics have none.
    #expect(found.map(\.number) == [1, 8, 9, 10])
    #expect(found.map(\.link) == [.ethernet, .raw, .linuxCooked, .linuxCooked])
    #expect(
      found.map { $0.time.description.dropFirst(17) } == ["00.250Z", "00.500Z", "00.500Z", "00.500Z"]
    )
  }

  @Test func `a file that is no capture is refused at once`() {
    #expect(throws: ImportError.self) { try packets(Array("hello world".utf8)) }
    #expect(throws: ImportError.self) { try packets([]) }
    #expect(throws: ImportError.self) { try packets([0xA1, 0xB2, 0xC3, 0xD4, 0]) }
  }

  @Test func `damage is said with its place, and what stands before it is read`() throws {
    let order = ByteOrder.little
    let good = CaptureBytes.pcapHeader(order) + CaptureBytes.pcapPacket(order, [1, 2, 3])
    func failure(_ bytes: [UInt8]) throws -> ImportError? {
      var reader = try PacketReader(CaptureInput(name: "x.pcap", bytes: bytes))
      var count = 0
      do throws(ImportError) {
        while try reader.next() != nil { count += 1 }
      } catch {
        #expect(count == 1)
        return error
      }
      return nil
    }
    #expect(
      try failure(good + [0, 1])?.description
        == "x.pcap: at byte 43: the file breaks off: 2 of the 16 bytes of a packet's header are there"
    )
    #expect(
      try failure(good + CaptureBytes.pcapPacket(order, [1, 2, 3]).dropLast())?.description
        == "x.pcap: at byte 59: the file breaks off inside a packet: 2 of 3 bytes"
    )
    let huge = CaptureBytes.number(UInt32(0), order) + CaptureBytes.number(UInt32(0), order)
    #expect(
      try failure(good + huge + [0xFF, 0xFF, 0xFF, 0x7F, 0, 0, 0, 0])?.description.contains(
        "x.pcap: at byte 51: a packet of 2147483647 bytes"
      ) == true
    )
    let section = CaptureBytes.section(order) + CaptureBytes.interface(order)
    let packet = CaptureBytes.enhancedPacket(order, ticks: 0, [1])
    #expect(
      try failure(section + packet + CaptureBytes.enhancedPacket(order, interface: 7, ticks: 0, [1]))?
        .description
        .contains("at byte 92: a packet of interface 7") == true
    )
    #expect(try failure(section + packet + packet.dropLast(4) + [0, 0, 0, 0])?.offset == 84 + 32)
  }

  @Test func `seeded damage anywhere never traps`() throws {
    var generator = SeededGenerator(seed: 7)
    let order = ByteOrder.little
    let frame = CaptureBytes.ethernet(
      CaptureBytes.ipv4(CaptureBytes.tcp(from: 5000, to: 2195, [0, 0, 1, 0xAA, 0, 2, 0x7B, 0x7D]))
    )
    let pcap = CaptureBytes.pcapHeader(order) + (0..<8).flatMap { _ in CaptureBytes.pcapPacket(order, frame) }
    let pcapng =
      CaptureBytes.section(order) + CaptureBytes.interface(order)
      + (0..<8).flatMap { CaptureBytes.enhancedPacket(order, ticks: UInt64($0), frame) }
    for round in 0..<4000 {
      var bytes = round % 2 == 0 ? pcap : pcapng
      for _ in 0..<Int.random(in: 1...6, using: &generator) {
        bytes[Int.random(in: 0..<bytes.count, using: &generator)] = .random(in: 0...255, using: &generator)
      }
      if round % 3 == 0 { bytes.removeLast(Int.random(in: 0...bytes.count / 2, using: &generator)) }
      ImportProperty.read(bytes)
    }
  }
}

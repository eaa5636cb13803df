import APNSimCore
import Testing

@testable import APNSimScenario

@Suite struct `What tshark says` {
  /// A line whose last columns, which tell the packet, are empty unless given.
  private func frame(_ columns: String, _ packet: String = "\t\t\t\t\t\t\t\t") -> DecryptedFrame? {
    DecryptedFrame(Substring(columns + "\t" + packet))
  }

  @Test func `decrypted records are told from those that could not be`() throws {
    let plain = try #require(frame("25\t23,21\t30,26\t080500000001\t\t\t\t\t"))
    #expect(
      plain.number == 25 && plain.data == [[8, 5, 0, 0, 0, 1]] && plain.unreadable == 0 && plain.hasAlert
    )
    let opaque = try #require(frame("10\t\t447\t\t\t\t\t\t"))
    #expect(opaque.data.isEmpty && opaque.unreadable == 1)
    let tls12 = try #require(frame("10\t23,23\t40,50\t\t\t\t\t\t"))
    #expect(tls12.unreadable == 2)
  }

  @Test func `a server's hello gives version and suite, a client's does not`() throws {
    let hello = try #require(frame("6\t22,20\t122,1\t\t2\t0x0303\t0x0304\t0x1302\t0a0b,0c"))
    #expect(hello.version == 0x0304 && hello.cipherSuite == 0x1302)
    #expect(hello.certificates == [[10, 11], [12]] && hello.unreadable == 0)
    let client = try #require(frame("4\t22\t512\t\t1\t0x0303\t0x0304,0x0303\t0x1302,0x1303\t"))
    #expect(client.version == nil && client.cipherSuite == nil)
  }

  @Test func `another line is no frame`() {
    #expect(DecryptedFrame("") == nil)
    #expect(DecryptedFrame("tshark: something") == nil)
  }

  @Test func `a packet is known by its addresses, place in the stream and time`() throws {
    let silent = "5\t\t\t\t\t\t\t\t"
    let plain = try #require(
      frame(silent, "10.0.0.1\t\t50000\t10.0.0.2\t\t2195\t7\t6\t1338508800.222999000")?.packet
    )
    #expect(plain.source.description == "10.0.0.1:50000" && plain.destination.description == "10.0.0.2:2195")
    #expect(plain.sequence == 7 && plain.length == 6 && plain.time.rawValue == 1_338_508_800_222)
    let tunnelled = frame(silent, "1.1.1.1,10.0.0.1\t\t1\t2.2.2.2,10.0.0.2\t\t2\t7\t6\t1.5")?.packet
    #expect(tunnelled?.source.description == "10.0.0.1:1" && tunnelled?.time.rawValue == 1500)
    let six = frame(silent, "\tfe80::1\t1\t\tfe80::2\t2\t7\t6\t1")?.packet
    #expect(six?.destination.description == "[fe80::2]:2")
    let mixed = frame(silent, "1.1.1.1\tfe80::1\t1\t2.2.2.2\tfe80::2\t2\t7\t6\t1")
    #expect(mixed != nil && mixed?.packet == nil)
  }
}

import APNSimCore
import Testing

@testable import APNSimImport

@Suite struct `What tshark says` {
  private func frame(_ columns: Substring) -> DecryptedFrame? { DecryptedFrame(columns) }

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
}

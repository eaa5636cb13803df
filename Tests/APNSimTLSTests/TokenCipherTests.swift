import Testing

@testable import APNSimTLS

@Suite
struct TokenCipherTests {
  @Test
  func `the deterministic example of RFC 5297 A.1 comes out`() throws {
    let key = try #require(
      Hexadecimal.bytes("fffefdfcfbfaf9f8f7f6f5f4f3f2f1f0f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff".utf8)
    )
    let data = try #require(
      Hexadecimal.bytes("101112131415161718191a1b1c1d1e1f2021222324252627".utf8)
    )
    let plaintext = try #require(Hexadecimal.bytes("112233445566778899aabbccddee".utf8))
    let cipher = try TokenCipher(key: key)
    let sealed = try #require(cipher.seal(plaintext, associatedData: [data]))
    #expect(Hexadecimal.text(sealed) == "85632d07c6e8f37f950acd320a2ecc9340c02b9690c4dc04daef7f6afe5c")
    #expect(cipher.open(sealed, associatedData: [data]) == plaintext)
  }

  @Test
  func `the nonce-based example of RFC 5297 A.2 comes out`() throws {
    let key = try #require(
      Hexadecimal.bytes("7f7e7d7c7b7a79787776757473727170404142434445464748494a4b4c4d4e4f".utf8)
    )
    let data = try [
      "00112233445566778899aabbccddeeffdeaddadadeaddadaffeeddccbbaa99887766554433221100",
      "102030405060708090a0", "09f911029d74e35bd84156c5635688c0",
    ].map { try #require(Hexadecimal.bytes($0.utf8)) }
    let plaintext = Array("this is some plaintext to encrypt using SIV-AES".utf8)
    let sealed = try #require(try TokenCipher(key: key).seal(plaintext, associatedData: data))
    #expect(
      Hexadecimal.text(sealed)
        == "7bdb6e3b432667eb06f4d14bff2fbd0fcb900f2fddbe404326601965c889bf17"
        + "dba77ceb094fa663b7a3f748ba8af829ea64ad544a272e9c485b62a3fd5c0d"
    )
  }

  private let device = [UInt8](0..<16)

  @Test(arguments: [32, 48, 64])
  func `a token is 32 bytes, always the same, and opens to its device`(keySize: Int) throws {
    let cipher = try TokenCipher(key: [UInt8](repeating: 7, count: keySize))
    let token = try #require(
      cipher.seal(deviceID: device, topic: "com.example.app", environment: "production")
    )
    #expect(token.count == 32)
    #expect(cipher.seal(deviceID: device, topic: "com.example.app", environment: "production") == token)
    #expect(cipher.open(token: token, topic: "com.example.app", environment: "production") == device)
  }

  @Test
  func `a token is worth nothing to another app, environment or key`() throws {
    let cipher = try TokenCipher(key: [UInt8](repeating: 7, count: 64))
    let token = try #require(
      cipher.seal(deviceID: device, topic: "com.example.app", environment: "production")
    )
    #expect(cipher.open(token: token, topic: "com.example.other", environment: "production") == nil)
    #expect(cipher.open(token: token, topic: "com.example.app", environment: "sandbox") == nil)
    let other = try TokenCipher(key: [UInt8](repeating: 8, count: 64))
    #expect(other.open(token: token, topic: "com.example.app", environment: "production") == nil)
  }

  @Test
  func `a token with any bit changed, or of another length, does not open`() throws {
    let cipher = try TokenCipher(key: [UInt8](repeating: 7, count: 64))
    let token = try #require(cipher.seal(deviceID: device, topic: "a", environment: "sandbox"))
    for bit in 0..<256 {
      var forged = token
      forged[bit / 8] ^= 1 << (bit % 8)
      #expect(cipher.open(token: forged, topic: "a", environment: "sandbox") == nil)
    }
    #expect(cipher.open(token: Array(token.dropLast()), topic: "a", environment: "sandbox") == nil)
    #expect(cipher.open(token: [], topic: "a", environment: "sandbox") == nil)
  }

  @Test
  func `topics of any length, even empty, are told apart`() throws {
    let cipher = try TokenCipher(key: [UInt8](repeating: 7, count: 64))
    let topics = ["", "a", String(repeating: "x", count: 15), String(repeating: "x", count: 16), "é"]
    let tokens = topics.compactMap { cipher.seal(deviceID: device, topic: $0, environment: "production") }
    #expect(Set(tokens).count == topics.count)
  }

  @Test
  func `many threads can seal and open at once`() async throws {
    let cipher = try TokenCipher(key: [UInt8](repeating: 7, count: 64))
    await withTaskGroup(of: Bool.self) { group in
      for index in 0..<64 {
        group.addTask {
          let device = [UInt8](repeating: UInt8(index), count: 16)
          guard let token = cipher.seal(deviceID: device, topic: "t", environment: "sandbox") else {
            return false
          }
          return cipher.open(token: token, topic: "t", environment: "sandbox") == device
        }
      }
      for await fine in group { #expect(fine) }
    }
  }

  @Test
  func `a key of another size is refused`() {
    #expect(throws: TLSSetupError.self) { try TokenCipher(key: [1, 2, 3]) }
    let cipher = try? TokenCipher(key: [UInt8](repeating: 7, count: 64))
    #expect(cipher?.seal(deviceID: [1], topic: "a", environment: "b") == nil)
  }
}

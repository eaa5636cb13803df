import COpenSSL
import Testing

@testable import APNSimTLS

@Suite
struct TokenCipherTests {
  @Test(arguments: [
    (0, "bb1d6929e95937287fa37d129b756746"), (16, "070a16b46b4d4144f79bdd9dd04a287c"),
    (40, "dfa66747de9ae63030ca32611497c827"), (64, "51f0bebf7e3b9d92fc49741779363cfe"),
  ])
  func `the examples of RFC 4493 come out`(count: Int, code: String) throws {
    let key = try #require(Hexadecimal.bytes("2b7e151628aed2a6abf7158809cf4f3c".utf8))
    let message = try #require(
      Hexadecimal.bytes(
        ("6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
          + "30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710").utf8
      )
    )
    let cipher = try BlockCipher(key: key)
    let found = message.prefix(count).withUnsafeBytes { cipher.authenticate($0) }
    #expect(found == UInt128(code, radix: 16))
  }

  /// AES-SIV as OpenSSL has it.
  private func sealed(_ key: [UInt8], _ device: [UInt8], _ data: [[UInt8]]) throws -> [UInt8] {
    let cipher = try #require(EVP_CIPHER_fetch(nil, "AES-\(key.count * 4)-SIV", nil))
    let context = try #require(EVP_CIPHER_CTX_new())
    defer {
      EVP_CIPHER_CTX_free(context)
      EVP_CIPHER_free(cipher)
    }
    var (count, encrypted, tag) = (
      Int32(0), [UInt8](repeating: 0, count: 16), [UInt8](repeating: 0, count: 16)
    )
    #expect(EVP_EncryptInit_ex(context, cipher, nil, key, nil) == 1)
    for data in data { #expect(EVP_EncryptUpdate(context, nil, &count, data, Int32(data.count)) == 1) }
    #expect(EVP_EncryptUpdate(context, &encrypted, &count, device, 16) == 1)
    #expect(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, 16, &tag) == 1)
    return tag + encrypted
  }

  @Test(arguments: [32, 48, 64])
  func `a token is what OpenSSL makes of device, topic and environment by AES-SIV`(keySize: Int) throws {
    let key = (0..<keySize).map { UInt8(truncatingIfNeeded: $0 * 7) }
    let cipher = try TokenCipher(key: key)
    for (number, length) in [1, 15, 16, 16, 17, 31, 31, 32, 33, 64, 64, 255].enumerated() {
      let device = (0..<16).map { UInt8(truncatingIfNeeded: $0 * 31 + number) }
      let (topic, environment) = (
        String(repeating: "t", count: length), number % 4 == 2 ? "sandbox" : "production"
      )
      let token = cipher.seal(deviceID: device, topic: topic, environment: environment)
      #expect(token == (try sealed(key, device, [Array(topic.utf8), Array(environment.utf8)])), "\(number)")
    }
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

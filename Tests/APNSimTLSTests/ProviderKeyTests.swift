import APNSimTestSupport
import Testing

@testable import APNSimTLS

@Suite
struct ProviderKeyTests {
  private let message = Array("header.claims".utf8)

  @Test
  func `both forms of a signature verify, and no bit of either may be flipped`() throws {
    let key = try ProviderKey.generate()
    for _ in 0..<20 {
      let raw = try key.sign(message)
      let der = try #require(ES256Signature.der(raw: raw))
      #expect(raw.count == 64)
      #expect(ES256Signature.raw(der: der) == raw)
      #expect(key.verifies(message, signature: raw))
      #expect(key.verifies(message, signature: der))
    }
    let raw = try key.sign(message)
    for bit in 0..<512 {
      var damaged = raw
      damaged[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(!key.verifies(message, signature: damaged))
      #expect(!key.verifies(message, signature: Array(damaged.prefix(bit / 8))))
    }
    #expect(!key.verifies(message + [0], signature: raw))
    #expect(try !ProviderKey.generate().verifies(message, signature: raw))
    #expect(!key.verifies(message, signature: [UInt8](repeating: 0, count: 64)))
  }

  @Test(arguments: [
    (ProviderKey.Hash.sha256, 32), (.sha384, 48), (.sha512, 66), (.sha512, 32), (.sha256, 66),
  ])
  func `a signature verifies with its hash and no other, padded and as DER`(hash: ProviderKey.Hash, half: Int)
    throws
  {
    let key = try ProviderKey.generate()
    let raw = try key.sign(message, hash: hash)
    let zeros = [UInt8](repeating: 0, count: half - 32)
    let padded = zeros + raw.prefix(32) + zeros + raw.suffix(32)
    for other in [ProviderKey.Hash.sha256, .sha384, .sha512, .sha256] {
      #expect(key.verifies(message, signature: padded, isRaw: true, hash: other) == (other == hash))
      let der = try #require(ES256Signature.der(raw: raw))
      #expect(key.verifies(message, signature: der, isRaw: false, hash: other) == (other == hash))
    }
    var large = padded
    large[0] ^= 1
    #expect(!key.verifies(message, signature: large, isRaw: true, hash: hash))
  }

  @Test
  func `a signature with leading zeros has shorter integers in DER`() {
    let raw = [UInt8](repeating: 0, count: 31) + [0x80] + [UInt8](repeating: 0, count: 31) + [0x7F]
    #expect(ES256Signature.der(raw: raw) == [0x30, 7, 2, 2, 0, 0x80, 2, 1, 0x7F])
    #expect(ES256Signature.raw(der: [0x30, 7, 2, 2, 0, 0x80, 2, 1, 0x7F]) == raw)
  }

  @Test
  func `a key of another kind is refused by name`() throws {
    let other = try PrivateKey.generate(.rsa2048)
    let error = #expect(throws: TLSSetupError.self) { try ProviderKey(other) }
    #expect(error?.reason == "expected a P-256 key (ES256), found RSA")
  }

  @Test
  func `a verification costs microseconds`() throws {
    let key = try ProviderKey.generate()
    let raw = try key.sign(message)
    var good = 0
    let time = threadTime { for _ in 0..<100 where key.verifies(message, signature: raw) { good += 1 } }
    #expect(good == 100 && time / 100 < .milliseconds(1), "\(time / 100)")
  }
}

import APNSimCore
import APNSimServer
import APNSimTLS
import APNSimTestSupport
import APNSimWire
import Foundation
import Testing

@Suite struct `Keys of provider tokens in memory` {
  @Test func `keys of provider tokens in memory take the place of those in files`() throws {
    var keys = try ProviderKeyRing(TestPKI.prepared())
    let key = try ProviderKey.generate()
    let scope = ProviderKeyScope(team: "OTHERTEAM1", topics: ["com.example.app"])
    keys.use([PKIDirectory.defaultProviderKey: ProviderKeyRing.Entry(key: key, scope: scope)])
    let found = try #require(try keys.find(PKIDirectory.defaultProviderKey))
    #expect(found.key.equals(key) && found.scope == scope)
  }

  @Test func `keys of provider tokens in memory sign tokens as different libraries leave them`() throws {
    let key = try ProviderKey.generate()
    for (isTimeText, isDER, remarks) in [
      (false, false, []), (true, false, .textIssuedAt), (false, true, .derSignature),
    ] as [(Bool, Bool, ProviderToken.Remarks)] {
      let text = try key.token(
        id: "K",
        team: "T",
        issuedAt: 1_772_323_200,
        isTimeText: isTimeText,
        isDER: isDER
      )
      let token = try ProviderToken.parse(Array(text.utf8))
      #expect(token.remarks == remarks && token.issuedAt == 1_772_323_200)
      #expect(key.verifies(Array(text.utf8).prefix(token.signedSize), signature: token.signature))
    }
  }

  @Test func `a pipe in place of a key, or of the words beside one, is not waited for`() throws {
    let directory = try TemporaryDirectory()
    let pki = try PKIDirectory.prepare(directory.path)
    var keys = try ProviderKeyRing(pki)
    for name in ["AuthKey_PIPEKEY001.p8", "AuthKey_WORDSKEY01.json"] {
      try #require(mkfifo("\(directory.path)/\(name)", 0o600) == 0)
    }
    try ProviderKey.generate().pem.withUnsafeBytes {
      try Data($0).write(to: URL(filePath: "\(directory.path)/AuthKey_WORDSKEY01.p8"))
    }
    for id in ["PIPEKEY001", "WORDSKEY01"] {
      let error = #expect(throws: TLSSetupError.self) { _ = try keys.find(id) }
      #expect(error.map { "\($0)" }?.contains("is not a regular file") == true)
    }
    #expect(throws: TLSSetupError.self) { _ = try ProviderKeyRing(pki) }
  }
}

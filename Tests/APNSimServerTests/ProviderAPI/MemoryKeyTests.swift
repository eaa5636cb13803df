import APNSimCore
import APNSimServer
import APNSimTLS
import APNSimWire
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
}

import APNSimServer
import APNSimWire
import NIOHTTP1
import Testing

@Suite struct `Credentials of a provider elsewhere` {
  private static let secret = ["authKey", "providerCertificate", "providerKey"]

  @Test func `credentials are where the files are, with the key's identifiers, and without any key`()
    async throws
  {
    try await TestControl.run { test in
      let answer = try await test.http(.GET, "/api/v1/credentials")
      #expect(answer.status == 200)
      let found = try JSONValue.parse(answer.bytes)
      #expect(found["keyId"] == .string("APNSIMKEY1") && found["teamId"] == .string("APNSIMTEAM"))
      #expect(found["files.authKey"] == .string(test.endpoints.providerTokenKeyFile))
      #expect(found.member("ca")?.stringValue?.hasPrefix("-----BEGIN CERTIFICATE") == true)
      for key in Self.secret { #expect(found.member(key) == .null) }
      #expect(!String(decoding: answer.bytes, as: UTF8.self).contains("PRIVATE"))
    }
  }

  @Test func `credentials have the provider's keys where they are shared, and never the CA's`() async throws {
    try await TestControl.run(sharesCredentials: true, token: "secret") { test in
      #expect(try await test.http(.GET, "/api/v1/credentials").status == 401)
      let headers = [("Authorization", "Bearer secret")]
      let answer = try await test.http(.GET, "/api/v1/credentials", headers: headers)
      let found = try JSONValue.parse(answer.bytes)
      for key in Self.secret { #expect(found.member(key)?.stringValue?.hasPrefix("-----BEGIN ") == true) }
      #expect(String(decoding: answer.bytes, as: UTF8.self).components(of: "PRIVATE KEY-----").count == 5)
      // The CA's certificate is no secret.
      let authority = try await test.http(.GET, "/ca.pem")
      #expect(
        authority.status == 200
          && found.member("ca")?.stringValue == String(decoding: authority.bytes, as: UTF8.self)
      )
      #expect(try await test.http(.POST, "/ca.pem").status == 405)
    }
  }
}

extension String {
  fileprivate func components(of separator: String) -> [Substring] {
    split(separator: separator, omittingEmptySubsequences: false)
  }
}

import Testing

@testable import APNSimWire

@Suite
struct ProviderTokenTests {
  private func part(_ text: String) -> String { part(Array(text.utf8)) }

  private func part(_ bytes: [UInt8]) -> String {
    String(
      Base64.encode(bytes).compactMap { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 == "=" ? nil : $0 }
    )
  }

  private func token(
    header: String = #"{"alg":"ES256","kid":"APNSIMKEY1"}"#,
    claims: String = #"{"iss":"APNSIMTEAM","iat":1459143580}"#,
    signature: [UInt8] = [UInt8](repeating: 7, count: 64)
  ) -> [UInt8] { Array("\(part(header)).\(part(claims)).\(part(signature))".utf8) }

  private func problem(_ bytes: [UInt8]) -> String? {
    do throws(ProviderTokenProblem) {
      _ = try ProviderToken.parse(bytes)
      return nil
    } catch { return error.description }
  }

  @Test
  func `a token has its key, team and time`() throws {
    let read = try ProviderToken.parse(token())
    #expect(read.keyID == "APNSIMKEY1")
    #expect(read.teamID == "APNSIMTEAM")
    #expect(read.issuedAt == 1_459_143_580)
    #expect(read.signature.count == 64)
    #expect(token()[read.signedSize] == UInt8(ascii: "."))
    #expect(read.remarks.isEmpty)
  }

  @Test
  func `a token like the sample of Apple's documents is read: no algorithm, a string of milliseconds, DER`()
    throws
  {
    let der: [UInt8] = [0x30, 6, 2, 1, 1, 2, 1, 1]
    let read = try ProviderToken.parse(
      token(
        header: #"{"kid":"8YL3GXY6Z7"}"#,
        claims: #"{"iss":"C86YVS3F","iat":"1459143580650"}"#,
        signature: der
      )
    )
    #expect(read.issuedAt == 1_459_143_580)
    #expect(read.remarks == [.noAlgorithm, .textIssuedAt, .millisecondIssuedAt, .derSignature])
  }

  @Test
  func `other members are ignored and remarked, and a fraction of a second is cut`() throws {
    let read = try ProviderToken.parse(
      token(header: #"{"alg":"ES256","kid":"K","typ":"JWT"}"#, claims: #"{"iss":"T","iat":12.75,"exp":1}"#)
    )
    #expect(read.issuedAt == 12)
    #expect(read.remarks == [.ignoredMembers, .fractionalIssuedAt])
  }

  @Test
  func `each fault says what was expected and found, and in which part`() {
    #expect(problem([]) == "token: expected three parts with full stops between them, found 1")
    #expect(
      problem([UInt8](repeating: 0x41, count: 4097)) == "token: expected at most 4096 bytes, found 4097"
    )
    #expect(problem(Array("..".utf8)) == "header: expected base64url, found nothing")
    #expect(
      problem(Array("+A.A.A".utf8))?.contains("header: expected base64url (- and _ for + and /)") == true
    )
    #expect(problem(token(header: "[]"))?.hasPrefix("header: expected a JSON object") == true)
    #expect(
      problem(token(header: #"{"alg":"none","kid":"K"}"#))?.hasPrefix("header: expected alg ES256") == true
    )
    #expect(
      problem(token(header: #"{"alg":"HS256","kid":"K"}"#))?.hasPrefix("header: expected alg ES256") == true
    )
    #expect(problem(token(header: #"{"alg":"ES256"}"#))?.hasPrefix("header: expected kid") == true)
    #expect(problem(token(header: #"{"kid":5}"#))?.hasPrefix("header: expected kid") == true)
    #expect(problem(token(claims: #"{"iat":5}"#))?.hasPrefix("claims: expected iss") == true)
    for time in ["null", "-1", "1e300", #""nan""#, #""""#, "{}"] {
      #expect(
        problem(token(claims: #"{"iss":"T","iat":\#(time)}"#))?.hasPrefix("claims: expected iat") == true
      )
    }
    #expect(problem(token(claims: #"{"iss":"T"}"#))?.hasSuffix("found none") == true)
    #expect(
      problem(token(signature: [UInt8](repeating: 1, count: 63)))?.hasPrefix("signature: expected 64") == true
    )
  }

  @Test
  func `damage does not trap`() {
    var seed: UInt64 = 35
    for _ in 0..<20_000 {
      var bytes = token()
      for _ in 0..<3 {
        seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        bytes[Int(seed >> 33) % bytes.count] = UInt8(truncatingIfNeeded: seed >> 20)
      }
      _ = try? ProviderToken.parse(bytes)
    }
  }
}

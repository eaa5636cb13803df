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
      problem(token(signature: [UInt8](repeating: 1, count: 63)))?.hasPrefix(
        "signature: expected r and s in 64"
      ) == true
    )
  }

  @Test(arguments: [
    ("ES256", 64), ("ES256", 96), ("ES384", 96), ("ES384", 64), ("ES512", 132), ("ES512", 64),
  ])
  func `the algorithms over a P-256 key are read, with r and s of any padding`(name: String, size: Int) throws
  {
    let read = try ProviderToken.parse(
      token(header: #"{"alg":"\#(name)","kid":"K"}"#, signature: [UInt8](repeating: 7, count: size))
    )
    #expect(read.algorithm.rawValue == name && read.signature.count == size)
    #expect(read.remarks == (name == "ES256" ? [] : [.otherAlgorithm]))
  }

  @Test
  func `plain Base64 is read as base64url is, with padding and without`() throws {
    // Claims with the digits that the alphabets spell differently.
    let claims = #"{"iss":"T??>>~~","iat":1459143580}"#
    let usual = try ProviderToken.parse(token(claims: claims, signature: [UInt8](repeating: 0xFB, count: 64)))
    let text = String(
      decoding: token(claims: claims, signature: [UInt8](repeating: 0xFB, count: 64)),
      as: UTF8.self
    )
    #expect(text.contains("-") || text.contains("_"))
    let plain = text.replacing("-", with: "+").replacing("_", with: "/")
    let padded = plain.split(separator: ".").map { part in
      String(part) + String(repeating: "=", count: (4 - part.count % 4) % 4)
    }.joined(separator: ".")
    for form in [plain, padded] {
      var read = try ProviderToken.parse(Array(form.utf8))
      #expect(read.remarks == .plainBase64)
      (read.remarks, read.signedSize) = (usual.remarks, usual.signedSize)
      #expect(read == usual)
    }
  }

  @Test
  func `where nobody verifies, a token is three parts with a header that can be read`() throws {
    let bare = try ProviderToken.parseUnverified(Array("\(part("{}")).x.y".utf8))
    #expect(bare.keyID.isEmpty && bare.teamID.isEmpty && bare.issuedAt == 0)
    let read = try ProviderToken.parseUnverified(
      token(header: #"{"alg":"HS256","kid":"K"}"#, signature: [1])
    )
    #expect(read.keyID == "K" && read.teamID == "APNSIMTEAM" && read.issuedAt == 1_459_143_580)
    for text in ["", "a.b", "a.b.c", "\(part("[]")).x.y"] {
      #expect(throws: ProviderTokenProblem.self) { try ProviderToken.parseUnverified(Array(text.utf8)) }
    }
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
      _ = try? ProviderToken.parseUnverified(bytes)
    }
  }
}

import APNSimTestSupport
import Testing

@testable import APNSimTLS

@Suite struct `A private key that lost its form on the way` {
  private let key: ProviderKey
  private let lines: [String]

  init() throws {
    key = try ProviderKey.generate()
    lines = String(decoding: key.pem, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  private func read(_ text: String) throws -> ProviderKey {
    try ProviderKey.read(text: Array(text.utf8), from: "authKey")
  }

  @Test(arguments: ["\n", "\r\n", "\r", " ", "\\n", "\\\\n", "\\r\\n", "\n\n", "\n    ", "\t", ""])
  func `a key is read whatever stands between its lines`(separator: String) throws {
    for (before, after) in [("", ""), ("\"", "\""), ("'", "'\n"), ("\u{FEFF}", "\n"), ("    ", separator)] {
      let text = before + lines.joined(separator: separator) + after
      #expect(try read(text).equals(key), "\(text)")
    }
  }

  @Test func `a key that is cut is told so, wherever it is cut`() throws {
    let whole = lines.joined(separator: "\n")
    let body = lines[0].utf8.count + 1
    for end in stride(from: body + 8, to: whole.utf8.count - 6, by: 9) {
      let error = #expect(throws: TLSSetupError.self) { try read(String(whole.prefix(end))) }
      #expect(error?.reason.hasPrefix("the private key is cut: ") == true, "\(end): \(error?.reason ?? "")")
    }
    // A line of it is missing.
    let error = #expect(throws: TLSSetupError.self) {
      try read((lines[...1] + lines.suffix(1)).joined(separator: "\n"))
    }
    #expect(error?.reason == "the private key is cut: it has 48 of 138 bytes")
  }

  @Test(arguments: ["", "key", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----"])
  func `what is no private key is told so by what it is`(text: String) {
    let error = #expect(throws: TLSSetupError.self) { try read(text) }
    #expect(error?.reason.hasPrefix("expected a PEM private key, found ") == true)
  }

  @Test func `a name that Apple gave in 2016 is a key's name`() {
    #expect(PKIDirectory.providerKeyID(ofFile: "/x/APNSAuthKey_ABC123DEFG.p8") == "ABC123DEFG")
    #expect(PKIDirectory.providerKeyID(ofFile: "AuthKey_ABC123DEFG.p8") == "ABC123DEFG")
    #expect(PKIDirectory.providerKeyID(ofFile: "MyAuthKey_ABC123DEFG.p8") == nil)
  }
}

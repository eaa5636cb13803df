import APNSimWire
import Testing

@Suite struct `Private keys in texts` {
  /// A key for tests alone, P-256 in PKCS#8.
  private static let lines = [
    "MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgqCXJyl6mAB8uc9oj",
    "x3dWTHIm2RbS8Vh2B5zV6Q7dWJ6hRANCAAR4Vn2yVq3bqk6Q0LhS7oE1mVwUuY1x",
    "0cBtnGJmJkE4aQ3wq9p1f0Hq2r8T5uV6w7x8y9z0A1B2C3D4E5F6",
  ]
  private static let marks = ("-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----")

  private static func pem(_ separator: String) -> String {
    ([marks.0] + lines + [marks.1]).joined(separator: separator)
  }

  static let keys = [
    pem("\n"), pem("\r\n"), pem(" "), pem("\\n"), pem("', '"), pem("\n    "), pem(""),
    pem("\n") + "\n", "\"\(pem("\\n"))\"",
    // Cut, and the other labels.
    ([marks.0] + lines).joined(separator: "\n"), ([marks.0] + lines.prefix(1)).joined(separator: "\n"),
    pem("\n").replacing("PRIVATE", with: "EC PRIVATE"),
    pem("\n").replacing("PRIVATE", with: "ENCRYPTED PRIVATE"),
    // In JSON, and cut in the middle of a line by an excerpt.
    pem("\\n").replacing("/", with: "\\/"), String(pem("\\n").prefix(110)),
    lines[0] + lines.dropFirst().joined().replacing("q", with: "\\/"),
    // Without its marks.
    lines.joined(), lines.joined(separator: "\n"), lines.joined(separator: "\\n"),
    "MHcCAQEEIKglycpepgAfLnPaI8d3VkxyJtkW0vFYdgec1ekO3ViegAoGCCqGSM49",
  ]

  @Test(arguments: keys)
  func `a private key in a text is seen, and nothing of it is shown`(key: String) {
    #expect(KeyText.hasKey(key))
    #expect(KeyText.found(key) == KeyText.words)
    for text in ["", "before ", "\"", "authKey: expected a file, found "] {
      let hidden = KeyText.hidden(text + key + ", and so on", withLines: false)
      #expect(hidden.hasPrefix(text.hasSuffix("\"") ? "" : text) && hidden.hasSuffix(", and so on"))
      for line in Self.lines {
        #expect(!hidden.contains(line.prefix(20)) && !hidden.contains(line.suffix(20)))
      }
    }
  }

  @Test(arguments: [
    "", "AuthKey_ABC123DEFG.p8",
    "/very/long/" + String(repeating: "path/", count: 30) + "AuthKey_ABC123DEFG.p8",
    String(repeating: "0a", count: 32), "-----BEGIN CERTIFICATE-----\nMIIBszCCAVmgAwIBAgIUe0\n",
    "MIIBszCCAVmgAwIBAgIUe0AbCdEfGhIjKlMnOpQrStUvWxYz0123",
    "MEUCIQDabcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQR",
    "a private key", "{\"aps\":{\"alert\":\"-----\"}}", "M", "MIGH",
  ])
  func `any other text is shown as it is`(text: String) {
    #expect(!KeyText.hasKey(text))
    #expect(KeyText.found(text) == "\"\(text)\"")
    #expect(KeyText.hidden(text, withLines: false) == text)
  }

  @Test func `a line of PEM by itself is hidden where lines are, and a token in hex is not`() {
    let text = "line 3: \(Self.lines[1])"
    #expect(KeyText.hidden(text, withLines: true) == "line 3: \(KeyText.words)")
    #expect(KeyText.hidden(text, withLines: false) == text)
    let hex = String(repeating: "0aB1", count: 16)
    #expect(KeyText.hidden(hex, withLines: true) == hex)
  }

  @Test func `a value that is longer than any path is told by its size`() {
    #expect(KeyText.found(String(repeating: "x", count: 5000)) == "5000 bytes")
  }
}

import APNSimWire
import Testing

struct StatusCodeTests {
  @Test(arguments: [
    (0, "No errors encountered"), (1, "Processing error"), (2, "Missing device token"), (3, "Missing topic"),
    (4, "Missing payload"), (5, "Invalid token size"), (6, "Invalid topic size"), (7, "Invalid payload size"),
    (8, "Invalid token"), (10, "Shutdown"), (255, "None (unknown)"),
    (128, "Protocol error (APNs could not parse the notification)"),
  ])
  func `a code of the tables has Apple's wording`(code: UInt8, name: String) {
    #expect(StatusCode(rawValue: code).name == name)
  }

  @Test func `any other byte is a status too`() {
    #expect(StatusCode(rawValue: 99).name == "Status 99")
    #expect(StatusCode(rawValue: 9).name == "Status 9")
  }
}

struct ErrorResponseTests {
  @Test func `an error response is command 8, the status and the identifier as it came`() {
    let identifier = NotificationIdentifier(rawValue: 0xD204_0000)
    let response = ErrorResponse(status: .invalidToken, identifier: identifier)
    #expect(response.bytes == hex("08 08 d2040000"))
    #expect(ErrorResponse(bytes: response.bytes) == response)
  }

  @Test(arguments: ["", "08", "08 08 d20400", "08 08 d2040000 00", "09 08 d2040000"])
  func `anything but six bytes of command 8 is no error response`(text: String) {
    #expect(ErrorResponse(bytes: hex(text)) == nil)
  }

  @Test func `an identifier reads and writes eight digits`() {
    #expect(NotificationIdentifier(hex: "01020A0b") == NotificationIdentifier(rawValue: 0x0102_0A0B))
    #expect(NotificationIdentifier(rawValue: 0x0102_0A0B).hex == "01020a0b")
    #expect(NotificationIdentifier.none.hex == "00000000")
    for text in ["", "1", "010203", "0102030405", "0102030g", "0x010203"] {
      #expect(NotificationIdentifier(hex: text) == nil)
    }
  }
}

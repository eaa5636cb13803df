import APNSimWire
import Testing

/// The golden frames of `fixtures/frames`.
struct GoldenFrameTests {
  struct Expectation: Sendable, CustomTestStringConvertible {
    var name: String
    var form: Frame.Form = .complete
    var defect: FrameDefect = .none
    var identifier = "01020304"
    var testDescription: String { name }
  }

  static let frames: [Expectation] = [
    Expectation(name: "simple", identifier: "00000000"),
    Expectation(name: "enhanced"),
    Expectation(name: "enhanced-listing-5-2", identifier: "d2040000"),
    Expectation(name: "enhanced-negative-expiry"),
    Expectation(name: "enhanced-token-of-31-bytes", form: .stopped),
    Expectation(name: "enhanced-no-token", form: .stopped),
    Expectation(name: "enhanced-payload-of-65535-bytes", form: .stopped),
    Expectation(name: "enhanced-no-payload", form: .stopped),
    Expectation(name: "framed"),
    Expectation(name: "framed-token-and-payload", identifier: "00000000"),
    Expectation(name: "framed-identifier-first"),
    Expectation(name: "framed-known-bad"),
    Expectation(name: "framed-priority-7"),
    Expectation(name: "framed-duplicate-identifier", form: .malformed, defect: .duplicateItem),
    Expectation(name: "framed-duplicate-token", form: .malformed, defect: .duplicateItem),
    Expectation(name: "framed-unknown-item", form: .malformed, defect: .unknownItem),
    Expectation(
      name: "framed-short-identifier",
      form: .malformed,
      defect: .wrongItemLength,
      identifier: "00000000"
    ),
    Expectation(name: "framed-item-overrun", form: .malformed, defect: .itemOverrun),
    Expectation(name: "framed-stray-byte", form: .malformed, defect: .strayBytes),
    Expectation(name: "framed-length-0", form: .malformed, defect: .emptyFrame, identifier: "00000000"),
    Expectation(
      name: "framed-length-131073",
      form: .malformed,
      defect: .frameTooLong,
      identifier: "00000000"
    ),
    Expectation(name: "unknown-command", form: .malformed, defect: .unknownCommand, identifier: "00000000"),
  ]

  @Test(arguments: frames)
  func `a golden frame decodes to its form and identifier`(_ expected: Expectation) throws {
    let bytes = try Fixture.frame(expected.name)
    let frame = try #require(decode(bytes))
    #expect(frame.form == expected.form)
    #expect(frame.defect == expected.defect)
    #expect(frame.identifier.hex == expected.identifier)
    #expect(frame.end == bytes.count)
  }

  @Test(arguments: frames)
  func `no shorter prefix of it decides`(_ expected: Expectation) throws {
    let bytes = try Fixture.frame(expected.name)
    for count in 0..<bytes.count {
      #expect(decode(Array(bytes[..<count])) == nil)
    }
  }

  @Test(arguments: frames.filter { $0.form == .complete })
  func `the encoder writes a complete golden frame back`(_ expected: Expectation) throws {
    let bytes = try Fixture.frame(expected.name)
    let encoded = try bytes.withUnsafeBytes { buffer in
      let frame = try #require(FrameDecoder.next(in: buffer, from: 0, mode: .reading))
      var notification = NotificationFrame(frame, in: buffer)
      if frame.command == 2 { notification.itemOrder = FrameItems(frame, in: buffer).map(\.id) }
      return notification.encode()
    }
    #expect(encoded == bytes)
  }

  @Test(arguments: frames)
  func `the annotated hex has the golden frame's lines`(_ expected: Expectation) throws {
    let rows = try Fixture.frameRows(expected.name)
    let lines = try rows.flatMap(\.bytes).withUnsafeBytes { buffer in
      AnnotatedHex.lines(of: try #require(decode(Array(buffer))), in: buffer)
    }
    #expect(lines.map(\.bytes) == rows.map(\.bytes))
    #expect(lines.map(\.field) == rows.map(\.field))
  }

  @Test func `the two replies are golden too`() throws {
    let response = try #require(ErrorResponse(bytes: try Fixture.frame("error-response")))
    #expect(
      response
        == ErrorResponse(status: .invalidToken, identifier: NotificationIdentifier(rawValue: 0xD204_0000))
    )
    let responseRows = try Fixture.frameRows("error-response")
    #expect(AnnotatedHex.lines(of: response).map(\.bytes) == responseRows.map(\.bytes))
    #expect(AnnotatedHex.lines(of: response).map(\.field) == responseRows.map(\.field))

    var decoder = FeedbackTupleDecoder()
    let tuple = try #require(decoder.decode(try Fixture.frame("feedback-tuple")).first)
    #expect(tuple == FeedbackTuple(timestamp: 1_338_508_800, token: token))
    let tupleRows = try Fixture.frameRows("feedback-tuple")
    #expect(AnnotatedHex.lines(of: tuple).map(\.bytes) == tupleRows.map(\.bytes))
    #expect(AnnotatedHex.lines(of: tuple).map(\.field) == tupleRows.map(\.field))
  }

  @Test func `every golden frame is in the table`() throws {
    let names = try Fixture.names(in: "frames", extension: "hex")
    #expect(names == (Self.frames.map(\.name) + ["error-response", "feedback-tuple"]).sorted())
  }
}

import APNSimWire
import Testing

@testable import APNSimCore

@Suite struct `Types of the wire that are kept` {
  private func roundTrip<Value: Kept & Equatable>(_ value: Value) throws -> Bool {
    var state = StateWriter()
    value.write(to: &state)
    let bytes = state.array
    for count in 0..<bytes.count {
      bytes.prefix(count).withUnsafeBytes { bytes in
        var state = StateReader(bytes)
        #expect(throws: StateError.self) { _ = try Value(reading: &state) }
      }
    }
    return try bytes.withUnsafeBytes { bytes in
      var state = StateReader(bytes)
      return try Value(reading: &state) == value && state.isAtEnd
    }
  }

  private static var answer: Answer {
    var answer = Answer(
      to: Request(),
      in: UnsafeRawBufferPointer(start: nil, count: 0),
      reason: .unregistered,
      timestamp: 1_338_508_800_000,
      made: Identifier(random: 1, 2),
      unique: Identifier(random: 3, 4),
      quirks: [.contentTypeOnErrors]
    )
    (answer.supplied, answer.isBroadcast) = (ByteRange(start: 1, count: 36), true)
    return answer
  }

  @Test func `are the same when they are read`() throws {
    #expect(try roundTrip(NotificationIdentifier(rawValue: 0xD204_0000)))
    #expect(try roundTrip(StatusCode(rawValue: 99)))
    #expect(try roundTrip(ErrorResponse(status: .shutdown, identifier: .none)))
    #expect(try roundTrip(FeedbackTuple(timestamp: .max, token: [1, 2, 3])))
    #expect(try roundTrip(TokenSizes([32, 54, 100])))
    #expect(try roundTrip(HTTP2Code.refusedStream))
    #expect(try roundTrip(ChannelDescription.StoragePolicy.mostRecent))
    #expect(try roundTrip(HeaderField(name: ByteRange(start: 1, count: 2), value: .absent)))
    #expect(try roundTrip(Self.answer))
    #expect(try roundTrip(Optional<Reason>.none))
    #expect(try roundTrip(Reason.allCases))
    #expect(try roundTrip(PayloadProblem.allCases))
    #expect(try roundTrip([ExactText("\u{E9}"): Outcome.stored, ExactText("e\u{301}"): .expired]))
    #expect(try roundTrip([Interface.binary(command: 2, defect: .emptyFrame), .http2]))
    #expect(try roundTrip([Expiry.absent, .doNotStore, .at(Moment.start)]))
    #expect(try roundTrip(JSONValue.parse(#"{"aps":{"alert":["a",1e400,null,true]},"aps":"\u0000é"}"#)))
  }

  @Test func `keep the bits of an identifier that was not made here`() throws {
    var identifier = Identifier(random: 0, 0)
    (identifier.high, identifier.low) = (1, 2)
    #expect(try roundTrip(identifier))
  }

  @Test func `are refused where a number stands for nothing`() {
    let bytes: [UInt8] = [250, 250, 250, 250]
    bytes.withUnsafeBytes { bytes in
      var state = StateReader(bytes)
      #expect(throws: StateError.self) { _ = try Reason(reading: &state) }
      state = StateReader(bytes)
      #expect(throws: StateError.self) { _ = try Interface(reading: &state) }
      state = StateReader(bytes)
      #expect(throws: StateError.self) { _ = try Outcome(reading: &state) }
    }
  }
}

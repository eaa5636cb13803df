import Testing

@testable import APNSimCapture

@Suite struct `Answers to requests, recorded and replayed` {
  private static func answered(_ status: UInt16, _ reason: String? = nil, id: String? = "A") -> StreamOutcome
  {
    .answered(CapturedAnswer(stream: 0, status: status, reason: reason, id: id))
  }

  private static func compare(
    _ recorded: StreamOutcome?,
    _ replayed: StreamOutcome?,
    suppliedId: String? = nil,
    isComplete: Bool = true
  ) -> StreamComparison {
    var comparison = StreamComparison()
    comparison.begin(1, suppliedId: suppliedId, recorded: recorded)
    if let replayed { comparison.note(replayed: replayed, of: 1) }
    comparison.finish(isComplete: isComplete)
    return comparison
  }

  @Test func `status and reason are compared, an apns-id only where the provider chose it`() {
    #expect(Self.compare(Self.answered(200), Self.answered(200, id: "B")).same == 1)
    #expect(
      Self.compare(Self.answered(200), Self.answered(200, id: "B"), suppliedId: "A").differenceCount == 1
    )
    #expect(Self.compare(Self.answered(200), Self.answered(200, id: nil)).differenceCount == 1)
    #expect(
      Self.compare(Self.answered(410, "Unregistered"), Self.answered(410, "ExpiredToken")).differenceCount
        == 1
    )
    #expect(Self.compare(Self.answered(400), Self.answered(200)).differenceCount == 1)
  }

  @Test(arguments: [true, false]) func `what cannot be sent is a difference, whatever became of it before`(
    isComplete: Bool
  ) {
    for recorded in [nil, .unanswered(), Self.answered(200)] as [StreamOutcome?] {
      var comparison = StreamComparison()
      comparison.begin(1, suppliedId: nil, recorded: recorded)
      comparison.note(unsendable: "a header has no name", of: 1)
      comparison.finish(isComplete: isComplete)
      #expect(comparison.differenceCount == 1 && comparison.unsendable == 1 && comparison.same == 0)
      let text = comparison.differences.first?.replayedText
      #expect(text == "stream 1  no answer (it could not be sent: a header has no name)")
    }
  }

  @Test func `no answer is as good as another one without, and an answer is not`() {
    #expect(Self.compare(.unanswered(), nil).same == 1)
    #expect(Self.compare(.unanswered(), .reset("REFUSED_STREAM")).differenceCount == 1)
    #expect(Self.compare(.reset("REFUSED_STREAM"), .reset("INTERNAL_ERROR")).differenceCount == 1)
    #expect(Self.compare(.reset("CANCEL"), .reset("CANCEL")).same == 1)
    #expect(Self.compare(.reset("CANCEL"), nil).differenceCount == 1)
    #expect(Self.compare(.unanswered(), Self.answered(200)).differenceCount == 1)
    #expect(Self.compare(Self.answered(200), .notSent).differenceCount == 1)
  }

  @Test func `a stream above the last of GOAWAY is as good as refused, and not as reset otherwise`() {
    #expect(Self.compare(.goneAway, .reset("REFUSED_STREAM")).same == 1)
    #expect(Self.compare(.reset("REFUSED_STREAM"), .goneAway).same == 1)
    #expect(Self.compare(.goneAway, nil).same == 1)
    #expect(Self.compare(.reset("INTERNAL_ERROR"), .goneAway).differenceCount == 1)
  }

  @Test func `silence is a difference where the capture does not have the answer`() throws {
    for replayed in [nil, .goneAway] as [StreamOutcome?] {
      let comparison = Self.compare(nil, replayed, isComplete: false)
      #expect(comparison.differenceCount == 1 && comparison.silent == 1 && comparison.unknown == 0)
      let recorded = try #require(comparison.differences.first).recordedText
      #expect(recorded == "stream 1  no answer (the capture does not have it)")
    }
    #expect(Self.compare(nil, .reset("INTERNAL_ERROR"), isComplete: false).unknown == 1)
    #expect(Self.compare(nil, nil, isComplete: true).same == 1)
  }

  @Test func `what the capture does not know is not compared`() {
    #expect(Self.compare(nil, Self.answered(200), isComplete: false).unknown == 1)
    #expect(Self.compare(nil, Self.answered(200), isComplete: true).differenceCount == 1)
    var comparison = StreamComparison()
    comparison.note(recorded: Self.answered(200), of: 7)
    comparison.finish(isComplete: true)
    #expect(comparison.same + comparison.differenceCount + comparison.unknown == 0)
  }

  @Test func `a difference says what came on either side`() throws {
    let other = Self.compare(Self.answered(410, "Unregistered"), nil).differences
    let difference = try #require(other.first)
    #expect(difference.recordedText == "stream 1  410 Unregistered")
    #expect(difference.replayedText == "stream 1  no answer")
    let ids = Self.compare(Self.answered(200), Self.answered(200, id: "B"), suppliedId: "A").differences
    #expect(ids.first?.recordedText == "stream 1  200, apns-id A")
  }
}

import APNSimCore
import APNSimWire
import Testing

@testable import APNSimCapture

@Suite struct `Answers of a replay beside the recorded ones` {
  private func gateway(_ recorded: [UInt8], _ replayed: [UInt8]) -> AnswerComparison {
    var answers = AnswerComparison(isFeedback: false)
    for byte in recorded { answers.addRecorded([byte]) }
    answers.addReplayed(replayed)
    return answers
  }

  private func tuple(_ number: UInt32, length: Int = 32) -> [UInt8] {
    var bytes: [UInt8] = []
    FeedbackTuple(timestamp: number, token: [UInt8](repeating: UInt8(number & 255), count: length))
      .encode(into: &bytes)
    return bytes
  }

  @Test func `a replay's answers are the recorded ones however they were cut`() {
    let answers = gateway([8, 5, 0, 0, 0, 3], [8, 5, 0, 0, 0, 3])
    #expect(
      answers.isSame() && !answers.lacks && answers.answerDifference.recorded.bytes == []
        && answers.answerDifference.replayed.bytes == []
    )
  }

  @Test func `a replay's answers are shown from the beginning of the error response they part in`() {
    let short = gateway([8, 5, 0], [8, 5, 0, 0, 0, 3])
    #expect(!short.isSame() && !short.lacks)
    #expect(
      short.answerDifference.recorded.bytes == [8, 5, 0]
        && short.answerDifference.replayed.bytes == [8, 5, 0, 0, 0, 3]
    )
    let other = gateway([8, 5, 0, 0, 0, 3, 8, 7, 0, 0, 0, 1], [8, 5, 0, 0, 0, 3, 8, 7, 0, 0, 0, 2])
    #expect(!other.isSame() && other.lacks)
    #expect(
      other.answerDifference.recorded.bytes == [8, 7, 0, 0, 0, 1]
        && other.answerDifference.replayed.bytes == [8, 7, 0, 0, 0, 2]
    )
  }

  @Test func `answers are shown from the tuple they part in, and so much of them as anybody reads`() {
    let list = (1...50_000 as ClosedRange<UInt32>).flatMap { tuple($0, length: Int($0 % 40)) }
    var answers = AnswerComparison(isFeedback: true)
    answers.addReplayed(list + tuple(7))
    var rest = list[...]
    while !rest.isEmpty {
      answers.addRecorded(rest.prefix(1000))
      rest = rest.dropFirst(1000)
    }
    #expect(
      answers.answerDifference.recorded.bytes == [] && answers.answerDifference.replayed.bytes == tuple(7)
        && !answers.lacks
    )
    let more = (0..<1000).flatMap { _ in tuple(8) }
    answers.addRecorded(tuple(6) + more)
    #expect(!answers.isSame() && answers.answerDifference.replayed.bytes == tuple(7))
    // Only whole tuples of the bytes that follow are kept.
    #expect(
      answers.answerDifference.recorded.bytes == tuple(6)
        + more.prefix(answers.answerDifference.recorded.bytes.count - 38)
    )
    #expect(answers.answerDifference.recorded.bytes.count == 4096 / 38 * 38)
  }

  @Test
  func `answers differ once more was recorded than is ever answered before its cause`() {
    for isFeedback in [false, true] {
      var answers = AnswerComparison(isFeedback: isFeedback)
      let part = [UInt8](repeating: 8, count: 1000)
      for _ in 1...4 { answers.addRecorded(part) }
      #expect(!answers.hasParted && answers.lacks && answers.waitingByteCount == 4000)
      for _ in 1...1000 { answers.addRecorded(part) }
      #expect(answers.hasParted && answers.lacks && !answers.isSame())
      #expect(answers.waitingByteCount == 4097 && answers.answerDifference.recorded.bytes.count <= 4096)
      for _ in 1...1000 { answers.addReplayed(part) }
      #expect(answers.waitingByteCount < 3 * 4096)
    }
  }

  @Test func `answers are the recorded ones where the replay is far ahead, as with a list`() {
    let list = (1...1000 as ClosedRange<UInt32>).flatMap { tuple($0) }
    var answers = AnswerComparison(isFeedback: true)
    answers.addReplayed(list)
    #expect(!answers.hasParted && !answers.lacks)
    answers.addRecorded(list)
    #expect(answers.isSame() && answers.waitingByteCount == 0)
  }

  @Test func `a replay's answers are counted in whole, whatever is shown of them`() {
    var answers = gateway([8, 5, 0, 0, 0, 3], [8, 5, 0, 0, 0, 3])
    answers.addReplayed([UInt8](repeating: 8, count: 60_000))
    answers.addRecorded([7])
    answers.addReplayed([UInt8](repeating: 8, count: 60_000))
    let difference = answers.answerDifference
    #expect(difference.sameBytes == 6 && difference.sameUnits == 1)
    #expect(difference.recordedCount == 7 && difference.replayedCount == 120_006)
    #expect(!difference.goesOn && !difference.isShort)
    #expect(gateway([8, 5], [8, 5, 0]).answerDifference.goesOn)
    #expect(gateway([8, 5, 0], [8, 5]).answerDifference.isShort)
  }

  @Test
  func `answers of different services are the same whatever the times of their tuples, and up to a cut one`()
  {
    func compared(_ recorded: [UInt8], _ replayed: [UInt8], isOverflowing: Bool = false) -> AnswerComparison {
      AnswerComparison(
        recorded: recorded,
        replayed: replayed,
        isFeedback: true,
        isOverflowing: isOverflowing
      )
    }
    var later = tuple(1) + tuple(2)
    later[0] = 9
    let same = compared(tuple(1) + tuple(2), later)
    #expect(same.isSame() && same.hasOtherTimes && same.difference(nil) == nil)
    #expect(!compared(tuple(1), tuple(1)).hasOtherTimes)
    #expect(compared(tuple(1), tuple(1) + tuple(2).dropLast()).isSame())
    #expect(!compared(tuple(1), tuple(1) + tuple(2).dropLast(), isOverflowing: true).isSame())
    // The time is another one, and so is the token's first byte.
    let other = compared(tuple(1) + tuple(2) + tuple(3), later + tuple(4)).answerDifference
    #expect(other.sameUnits == 2 && other.sameBytes == 76)
    #expect(other.recorded.bytes == tuple(3) && other.replayed.bytes == tuple(4))
    let longer = compared(tuple(1), tuple(1, length: 33)).answerDifference
    #expect(longer.sameUnits == 0 && longer.replayed.bytes == tuple(1, length: 33))
    let many = (1...1000 as ClosedRange<UInt32>).flatMap { tuple($0) }
    #expect(compared(many, many).isSame() && !compared(many, []).isSame() && !compared([], many).isSame())
  }

  @Test func `a replay's answers differ in their ends where they are the same otherwise`() {
    let end = EndDifference(recorded: .provider, replayed: .openAfter(.seconds(5)))
    let difference = gateway([8], [8]).difference(end)
    #expect(difference == .end(end))
    #expect(difference?.recordedText == ["ended by the provider"])
    #expect(difference?.replayedText == ["still open after 5s"])
    let answers = gateway([8], [7])
    #expect(answers.difference(end) == .answer(answers.answerDifference))
    #expect(answers.difference(nil)?.recordedText == ["08  not an error response"])
  }

  @Test func `a replay's answers are shown in words, a flood of them by its beginning`() {
    let flood = AnswerBytes([UInt8](repeating: 8, count: 120_000), isFeedback: false).text
    #expect(flood.count == 21 && flood.last == "… 120,000 bytes in all")
    #expect(flood.first == "080808080808  status 8 (Invalid token), identifier 08080808")
    #expect(AnswerBytes([], isFeedback: false).text == ["nothing"])
    #expect(AnswerBytes([], isFeedback: true).text == ["no tuples"])
    let two = [0, 0, 0, 0, 0, 1, 0xAB, 0, 0, 0, 0, 0, 1, 0xAB] as [UInt8]
    #expect(
      AnswerBytes(two, isFeedback: true).text == [String](repeating: "1970-01-01T00:00:00.000Z  ab", count: 2)
    )
    #expect(AnswerBytes(two + [0, 1], isFeedback: true).text.last == "0001  incomplete tuple")
    let unread = AnswerBytes([UInt8](repeating: 7, count: 65), isFeedback: false).text
    #expect(unread == [String(repeating: "07", count: 64) + "…  not an error response"])
  }

  @Test func `a replay's answers are about notifications by the capture's numbers`() {
    var numbers = ReplayedNumbers()
    #expect(numbers[7] == 7)
    for number in 1...5 as ClosedRange<UInt64> { numbers.add(number, recordedAs: number) }
    for number in 6...9 as ClosedRange<UInt64> { numbers.add(number, recordedAs: number + 100) }
    numbers.add(10, recordedAs: 10)
    #expect((1...11).map { numbers[$0] } == [1, 2, 3, 4, 5, 106, 107, 108, 109, 10, 11])
  }
}

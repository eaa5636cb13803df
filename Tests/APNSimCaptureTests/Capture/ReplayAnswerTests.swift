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

  @Test func `are the same however they were cut`() {
    let answers = gateway([8, 5, 0, 0, 0, 3], [8, 5, 0, 0, 0, 3])
    #expect(answers.isSame() && !answers.lacks && answers.recorded == [] && answers.replayed == [])
  }

  @Test func `are shown from the beginning of the error response they part in`() {
    let short = gateway([8, 5, 0], [8, 5, 0, 0, 0, 3])
    #expect(!short.isSame() && !short.lacks)
    #expect(short.recorded == [8, 5, 0] && short.replayed == [8, 5, 0, 0, 0, 3])
    let other = gateway([8, 5, 0, 0, 0, 3, 8, 7, 0, 0, 0, 1], [8, 5, 0, 0, 0, 3, 8, 7, 0, 0, 0, 2])
    #expect(!other.isSame() && other.lacks)
    #expect(other.recorded == [8, 7, 0, 0, 0, 1] && other.replayed == [8, 7, 0, 0, 0, 2])
  }

  @Test func `are shown from the beginning of the tuple they part in, and so much of them as anybody reads`()
  {
    let list = (1...50_000 as ClosedRange<UInt32>).flatMap { tuple($0, length: Int($0 % 40)) }
    var answers = AnswerComparison(isFeedback: true)
    answers.addReplayed(list + tuple(7))
    var rest = list[...]
    while !rest.isEmpty {
      answers.addRecorded(rest.prefix(1000))
      rest = rest.dropFirst(1000)
    }
    #expect(answers.recorded == [] && answers.replayed == tuple(7) && !answers.lacks)
    let more = (0..<1000).flatMap { _ in tuple(8) }
    answers.addRecorded(tuple(6) + more)
    #expect(!answers.isSame() && answers.replayed == tuple(7))
    // Of what follows, whole tuples.
    #expect(answers.recorded == tuple(6) + more.prefix(answers.recorded.count - 38))
    #expect(answers.recorded.count == 4096 / 38 * 38)
  }

  @Test
  func `differ once more was recorded than is ever answered before its cause, and do not wait for more`() {
    for isFeedback in [false, true] {
      var answers = AnswerComparison(isFeedback: isFeedback)
      let part = [UInt8](repeating: 8, count: 1000)
      for _ in 1...4 { answers.addRecorded(part) }
      #expect(!answers.hasParted && answers.lacks && answers.waitingByteCount == 4000)
      for _ in 1...1000 { answers.addRecorded(part) }
      #expect(answers.hasParted && answers.lacks && !answers.isSame())
      #expect(answers.waitingByteCount == 4097 && answers.recorded.count <= 4096)
      for _ in 1...1000 { answers.addReplayed(part) }
      #expect(answers.waitingByteCount < 3 * 4096)
    }
  }

  @Test func `are the same where the replay is far ahead, as with a list that is read at once`() {
    let list = (1...1000 as ClosedRange<UInt32>).flatMap { tuple($0) }
    var answers = AnswerComparison(isFeedback: true)
    answers.addReplayed(list)
    #expect(!answers.hasParted && !answers.lacks)
    answers.addRecorded(list)
    #expect(answers.isSame() && answers.waitingByteCount == 0)
  }

  @Test func `are about notifications by the capture's numbers`() {
    var numbers = ReplayedNumbers()
    #expect(numbers[7] == 7)
    for number in 1...5 as ClosedRange<UInt64> { numbers.add(number, recordedAs: number) }
    for number in 6...9 as ClosedRange<UInt64> { numbers.add(number, recordedAs: number + 100) }
    numbers.add(10, recordedAs: 10)
    #expect((1...11).map { numbers[$0] } == [1, 2, 3, 4, 5, 106, 107, 108, 109, 10, 11])
  }
}

import Testing

@testable import APNSimCore

@Suite struct `The schedule of a connection's output` {
  private let now = Timestamp(seconds: 1_338_508_800)

  private func schedule(slice: Int? = nil, pause: TimeSpan = .zero, latency: TimeSpan? = nil)
    -> OutputSchedule
  {
    var plan = ConnectionPlan.usual
    (plan.sliceBytes, plan.slicePause, plan.latency) = (slice, pause, latency)
    return OutputSchedule(plan)
  }

  private func moment(_ milliseconds: Int64) -> Timestamp { now + .milliseconds(milliseconds) }

  @Test func `without a fault a write arrives whole and at once`() {
    var schedule = schedule()
    #expect(schedule.isImmediate)
    let pieces = Array(schedule.pieces(of: 6, at: now))
    #expect(pieces.map(\.range) == [0..<6])
    #expect(pieces.map(\.arrival) == [now])
    #expect(schedule.endArrival(at: now) == now)
  }

  @Test func `latency delays everything and keeps nothing apart`() {
    var schedule = schedule(latency: .milliseconds(200))
    let pieces = (0..<2).flatMap { _ in Array(schedule.pieces(of: 3, at: now)) }
    #expect(pieces.map(\.range) == [0..<3, 0..<3])
    #expect(pieces.map(\.arrival) == [moment(200), moment(200)])
    #expect(schedule.endArrival(at: now) == moment(200))
  }

  @Test func `slices arrive with pauses between them, the last one shorter`() {
    var schedule = schedule(slice: 4, pause: .milliseconds(10), latency: .milliseconds(5))
    let pieces = Array(schedule.pieces(of: 10, at: now))
    #expect(pieces.map(\.range) == [0..<4, 4..<8, 8..<10])
    #expect(pieces.map(\.arrival) == [moment(5), moment(15), moment(25)])
  }

  @Test func `a pause also keeps two writes apart, but not the end`() {
    var schedule = schedule(slice: 6, pause: .milliseconds(10))
    _ = schedule.pieces(of: 6, at: now)
    #expect(Array(schedule.pieces(of: 6, at: moment(3))).map(\.arrival) == [moment(10)])
    #expect(schedule.endArrival(at: moment(4)) == moment(10))
    #expect(schedule.endArrival(at: moment(11)) == moment(11))
    #expect(Array(schedule.pieces(of: 6, at: moment(100))).map(\.arrival) == [moment(100)])
  }

  @Test func `slices without a pause arrive at once`() {
    var schedule = schedule(slice: 1)
    let pieces = Array(schedule.pieces(of: 3, at: now))
    #expect(pieces.map(\.range) == [0..<1, 1..<2, 2..<3])
    #expect(Set(pieces.map(\.arrival)) == [now])
  }

  @Test func `no bytes are no piece and no pause`() {
    var schedule = schedule(slice: 4, pause: .milliseconds(10))
    #expect(Array(schedule.pieces(of: 0, at: now)).isEmpty)
    #expect(Array(schedule.pieces(of: 4, at: now)).map(\.arrival) == [now])
  }

  @Test(arguments: [1, 5, 63, 64, 1000]) func `pieces cover a write in order and without gaps`(count: Int) {
    for size in [1, 2, 7, 64, Int.max] {
      var schedule = schedule(slice: size, pause: .milliseconds(1))
      var end = 0
      for piece in schedule.pieces(of: count, at: now) {
        #expect(piece.range.lowerBound == end && !piece.range.isEmpty && piece.range.count <= size)
        end = piece.range.upperBound
      }
      #expect(end == count)
    }
  }

  @Test func `two writes that draw different times keep the pauses between their pieces`() {
    var plan = ConnectionPlan.usual
    (plan.sliceBytes, plan.slicePause) = (2, .milliseconds(10))
    plan.jitter = .init(from: .zero, to: .milliseconds(80), seed: 7)
    var schedule = OutputSchedule(plan)
    var delays = schedule
    let drawn = (0..<20).map { _ in delays.nextDelay() }
    #expect(Set(drawn).count > 1)
    let arrivals = drawn.indices.flatMap { _ in schedule.pieces(of: 6, at: now).map(\.arrival) }
    #expect(arrivals.first == now + drawn[0])
    for (one, next) in zip(arrivals, arrivals.dropFirst()) { #expect(next - one >= .milliseconds(10)) }
  }

  @Test func `no time is later than the end of time`() {
    var slow = schedule(slice: 1, pause: TimeSpan(milliseconds: .max))
    #expect(Array(slow.pieces(of: 3, at: now)).map(\.arrival.rawValue) == [now.rawValue, .max, .max])
    var late = schedule(slice: 1, pause: .milliseconds(1), latency: TimeSpan(milliseconds: .max))
    #expect(Array(late.pieces(of: 2, at: now)).map(\.arrival.rawValue) == [.max, .max])
    #expect(late.endArrival(at: now).rawValue == .max)
  }
}

import Testing

@testable import APNSimScenario

@Suite struct `What the traffic of a file may come to` {
  /// One item of the file for each place of this text.
  private let document: Document

  init() throws { document = try Document(text: "[a, b, c, d, e]", name: "a.yaml") }

  private var items: [Value] { document.root.list("items") ?? [] }

  private func notification(_ size: Int, count: Int = 1, to token: Int = 32) -> TrafficPiece {
    .notification(
      TrafficNotification(
        recipient: .token([UInt8](repeating: 7, count: token)),
        payload: [UInt8](repeating: 0x20, count: size),
        command: 2,
        identifier: .place,
        expiry: .none,
        priority: nil,
        count: count
      )
    )
  }

  @Test
  func `what the traffic of a file may come to is bounded for each step by what is sent, however many times`()
  {
    var room = TrafficRoom(most: 1 << 20)
    let (small, many) = (notification(10), notification(10, count: 10_000))
    for item in items {
      room.beginStep()
      let isTaken = room.take(many, at: item)
      #expect(isTaken)
    }
    #expect(document.problems.problems.isEmpty)
    let taken = [many, many, small].map { room.take($0, at: items[1]) }
    #expect(taken == [false, false, false])
    #expect(
      document.problems.problems.map(\.message) == [
        "expected at most 1 MiB to be sent at once, found 2 MiB in the step up to here"
      ]
    )
    room.beginStep()
    let isTaken = room.take(small, at: items[2])
    #expect(isTaken)
  }

  @Test(arguments: [false, true])
  func `what the traffic of a file may come to is bounded for the file by what is read, whatever it is`(
    isRaw: Bool
  ) {
    var room = TrafficRoom(most: 1 << 20)
    let piece: TrafficPiece =
      isRaw ? .bytes([UInt8](repeating: 1, count: 400_000)) : notification(340_000, to: 60_000)
    let taken = items.map { item in
      room.beginStep()
      return room.take(piece, at: item)
    }
    #expect(taken == [true, true, false, false, false])
    let problems = document.problems.problems
    #expect(
      problems.map(\.message) == [
        "expected at most 1 MiB in the tokens and payloads of a file, found 2 MiB in the file up to here"
      ]
    )
    #expect(problems.first?.location.column == 8)
  }
}

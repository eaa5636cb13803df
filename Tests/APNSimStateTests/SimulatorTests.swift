import APNSimCore
import APNSimTestSupport
import Testing

@testable import APNSimState

/// No text is in the states of these tests.
private struct NoTexts: StateTexts {
  private struct Unexpected: Error {}

  func scenario(_ json: [UInt8]) throws -> Scenario { throw Unexpected() }
  func command(_ json: [UInt8]) throws -> Command { throw Unexpected() }
}

@Suite(.mustNotHang) struct `A simulator that is kept` {
  private let home: TemporaryDirectory
  private let start = Timestamp(seconds: 1_000_000)

  init() throws { home = try TemporaryDirectory() }

  private typealias Opened = (keeper: StateKeeper, simulator: Simulator, report: StateReport)

  private func open() throws -> Opened {
    try StateKeeper.open(
      in: StateDirectory(home.path),
      identity: StateIdentity([("seed", "1")]),
      options: StateOptions(logSize: StateOptions.leastLogSize),
      StateBeginning(configuration: Configuration(), scenario: Scenario(), seed: 1, start: start),
      texts: NoTexts()
    )
  }

  private func refuse(_ number: Int, at simulator: Simulator) {
    simulator.noteRefusedConnection(
      .gateway,
      peer: "127.0.0.1:\(number)",
      reason: "none",
      subject: "",
      at: start + .seconds(Int64(number))
    )
  }

  /// True if a simulator is what was written down; the bytes themselves are too many to be shown.
  private static func isSame(_ simulator: Simulator, _ written: [UInt8]) -> Bool {
    simulator.writeState().array == written
  }

  @Test func `a simulator that is killed or closed is byte for byte what it was`() throws {
    let (keeper, simulator, report) = try open()
    #expect(report.isNew)
    for number in 1...20 { refuse(number, at: simulator) }
    let position = keeper.status.position
    #expect(position >= 20)
    let written = simulator.writeState().array
    keeper.abandon()

    let (second, restored, tail) = try open()
    #expect(tail.restored?.inputs == Int(position) && second.status.position == position)
    #expect(Self.isSame(restored, written))
    refuse(21, at: restored)
    let later = restored.writeState().array
    #expect(second.close()?.number == second.status.position)

    let (third, again, whole) = try open()
    defer { third.abandon() }
    #expect(whole.restored?.inputs == 0 && Self.isSame(again, later))
  }

  @Test func `a simulator goes on after a restart, and that is kept as well`() throws {
    let (first, simulator, _) = try open()
    refuse(1, at: simulator)
    first.abandon()
    let (second, restored, _) = try open()
    let position = second.status.position
    restored.goOn(at: start + .seconds(60))
    #expect(second.status.position > position)
    // Time in which nothing is due is kept by the input that comes next.
    refuse(70, at: restored)
    let written = restored.writeState().array
    second.abandon()
    let (third, again, _) = try open()
    defer { third.abandon() }
    #expect(Self.isSame(again, written))
  }
}

import APNSimWire
import Testing

@testable import APNSimCore

@Suite struct `Connections of devices that are kept` {
  private static let bundles = [Samples.app: AppBundle(developmentLanguage: "fr")]

  private static func context(_ languages: [String]) -> PresentationContext {
    PresentationContext(
      bundle: AppBundle(developmentLanguage: "fr"),
      languages: languages,
      badgeAbsent: .keep
    )
  }

  private static func session(_ number: UInt32) -> DeviceSession {
    DeviceSession(
      id: ConnectionID(rawValue: number),
      opening: DeviceOpening(peer: "127.0.0.1:\(number)", device: "device \(number)", subject: "CN=device")
    )
  }

  private static func notification(_ number: UInt64) -> DeviceSession.Output {
    let notification = DeviceNotification(
      number: number,
      app: Samples.app,
      time: Moment.start,
      payload: Array(#"{"aps":{"alert":"hi"}}"#.utf8),
      identifier: number % 2 == 0 ? nil : UInt32(number),
      deadline: nil
    )
    return .notification(notification, context(["en"]))
  }

  /// One that has something of each kind to send.
  static var session: DeviceSession {
    let session = session(1)
    session.append(.line(Array("{}\n".utf8)))
    session.append(notification(5))
    return session
  }

  /// Three that hold devices, of which one has lost its device again and ends, and one that has said nothing.
  static func sessions() -> DeviceSessions {
    var sessions = DeviceSessions()
    for number in UInt32(1)...4 {
      let session = session(number)
      sessions.add(session)
      guard number < 4 else { continue }
      sessions.hold(number * 3, by: session)
      session.append(.line(Array("{}\n".utf8)))
      for index in 0..<UInt64(number) { session.append(notification(index)) }
      _ = session.drop(2)
      session.wake()
      guard number == 2 else { continue }
      _ = sessions.release(session)
      session.end()
    }
    return sessions
  }

  private static func read(_ state: inout StateReader, devices: UInt32 = 10) throws -> DeviceSessions {
    try DeviceSessions(reading: &state, devices: devices, bundles: bundles, badgeAbsent: .keep)
  }

  @Test func `connections of devices that are kept go on where they were`() throws {
    var sessions = Self.sessions()
    let written = StateBytes.of { sessions.write(to: &$0) }
    var copy = try StateBytes.read(written) { try Self.read(&$0) }
    #expect(StateBytes.of { copy.write(to: &$0) } == written)
    #expect(copy.devices == [3, 9])
    #expect(copy.all.map(\.id.rawValue) == [1, 2, 3, 4])
    for (one, other) in zip(sessions.all, copy.all) {
      #expect(other.opening == one.opening)
      #expect(other.device == one.device)
      #expect(copy.session(one.id) === (one.device == nil ? nil : other))
      #expect(other.queuedBytes == one.queuedBytes)
      #expect(other.wake() == one.wake())
      #expect(other.isEnding == one.isEnding)
      #expect(other.queue.map(\.line) == one.queue.map(\.line))
      #expect(other.take(400).count == one.take(400).count)
      #expect(other.close() == one.close())
      #expect(other.delivered == one.delivered)
      #expect(other.lost == one.lost)
      #expect(copy.release(other) == sessions.release(one))
    }
    #expect(StateBytes.of { copy.write(to: &$0) } == StateBytes.of { sessions.write(to: &$0) })
  }

  @Test func `connections of devices that are kept hold devices that there are`() {
    let written = StateBytes.of { Self.sessions().write(to: &$0) }
    for devices in [0, 9] as [UInt32] {
      #expect(throws: StateError.self) {
        try StateBytes.read(written) { try Self.read(&$0, devices: devices) }
      }
    }
  }

  @Test func `connections of devices that are kept stay open in a state that follows another`() {
    var sessions = Self.sessions()
    for session in sessions.all { _ = sessions.release(session) }
    let next = DeviceSessions(after: sessions)
    #expect(next.all.map(\.id.rawValue) == [1, 2, 3, 4])
    #expect(next.count == 0)
  }
}

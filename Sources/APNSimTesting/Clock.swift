import APNSimCore
import APNSimServer

extension APNSimulator {
  /// The simulated time: of expiry, storage, provider tokens, delays and the timeline.
  public var clock: Clock { Clock(apns: self) }

  /// The clock of a simulator. It is the machine's, and can be moved beside it; that of a scenario with `clock: virtual` stands
  /// still until it is advanced.
  public struct Clock: Sendable {
    let apns: APNSimulator

    /// The seconds since 1970 UTC.
    public var now: Int64 { apns.server.clock.now.seconds }

    /// Moves it forward; what is due on the way happens, in order.
    /// - Throws: for a negative duration.
    public func advance(by duration: Duration) throws {
      try apns.server.perform(.advanceClock(TimeSpan(duration)))
    }

    /// Lets it stand still.
    public func freeze() throws { try apns.server.perform(.freezeClock) }

    /// Lets it go on, as fast as the machine's.
    public func resume() throws { try apns.server.perform(.resumeClock) }

    /// The real time that a provider has for what it does about a thing that was due, before the next one is.
    private static let pause = Duration.milliseconds(20)

    /// Goes from one thing that is due to the next, as long as its task is not cancelled.
    func advance(slowly span: TimeSpan) async {
      let end = apns.server.clock.now + span
      while (try? await Task.sleep(for: Self.pause)) != nil {
        guard let next = apns.simulator.nextDeadline, next <= end else { continue }
        let way = next - apns.server.clock.now
        if way > .zero { try? apns.server.perform(.advanceClock(way)) }
      }
    }
  }
}

extension TimeSpan {
  /// The whole milliseconds of a duration, as far as they can be counted.
  init(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1000)
    let (sum, isTooMuch) = whole.addingReportingOverflow(attoseconds / 1_000_000_000_000_000)
    self.init(milliseconds: overflow || isTooMuch ? (seconds < 0 ? .min : .max) : sum)
  }
}

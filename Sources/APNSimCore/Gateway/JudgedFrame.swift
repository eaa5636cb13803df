import APNSimWire

/// A frame's submission, with what its batch's lookup found of its token.
struct JudgedFrame: JudgedSubmission {
  let submission: UnsafePointer<Submission>
  let buffer: UnsafeRawBufferPointer
  /// The registration its token means, where that was looked up ahead.
  let known: UInt32?

  @inline(__always)
  var reason: Reason? { nil }

  @inline(__always)
  func fate(by decision: Decision, ofRule rule: UInt16, in world: inout World) -> Ruling.Fate? {
    switch decision {
    // A shutdown lets the notification that triggers it through: its identifier is the one that the answer names.
    case .reply(let reply): reply.status == .shutdown ? nil : .refused(.rule)
    case .end: .refused(.rule)
    case .swallow: .swallowed
    case .proceed, .device, .reason, .answer, .late, .request: nil
    }
  }

  @inline(__always)
  func resolveToken(by decision: Decision, in world: inout World, _ record: inout NotificationRecord) {
    let isOnline = decision.isDeviceOnline
    world.resolveToken(of: submission, known, isOnline: isOnline, in: buffer, into: &record)
  }

  @inline(__always)
  func settle(by decision: Decision, in world: inout World, _ record: inout NotificationRecord) {
    world.settle(submission, decision, in: buffer, &record)
  }
}

extension Ruling {
  /// True where nothing is answered to a frame, and its connection goes on: success is silence, unless a shutdown follows it.
  @inline(__always)
  var isSilence: Bool {
    switch fate {
    case .accepted: if case .reply = decision { false } else { true }
    case .swallowed: true
    case .refused, .discarded: false
    }
  }
}

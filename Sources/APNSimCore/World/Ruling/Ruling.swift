import APNSimWire

/// The result of a submission, whatever interface it came in by. Each door has a table of its own that makes an answer of it.
struct Ruling {
  enum Fate {
    /// All checks passed, and it is settled with its device, or done what else it asks for.
    case accepted
    /// Accepted and delivered to nobody, as scripted.
    case swallowed
    /// A check failed; `rule` is that of scripts.
    case refused(Check)
    /// Never looked at, as scripted.
    case discarded
  }

  let fate: Fate
  /// The decision of scripts, which the answer depends on as well.
  let decision: Decision
}

/// A submission that its door has judged, and the parts of a ruling that are its interface's own.
///
/// A generic parameter of ``World/rule(on:among:at:into:)``, so that each door has a ruling compiled for it.
protocol JudgedSubmission {
  /// The submission's place, so that none of it is copied that nobody looks at.
  var submission: UnsafePointer<Submission> { get }
  /// The buffer that its bytes are in.
  var buffer: UnsafeRawBufferPointer { get }
  /// The reason that it is refused for where no script decides; nil where it is not, and for what has no reasons.
  var reason: Reason? { get }

  /// The fate that a decision has for it; nil lets it pass.
  /// - Parameter rule: the one that decided, counted from 1; 0 for none.
  mutating func fate(by decision: Decision, ofRule rule: UInt16, in world: inout World) -> Ruling.Fate?

  /// Notes in the record of a submission that no script refuses what its token stands for, or the check that failed.
  mutating func resolveToken(by decision: Decision, in world: inout World, _ record: inout NotificationRecord)

  /// Carries out a submission that has passed.
  mutating func settle(by decision: Decision, in world: inout World, _ record: inout NotificationRecord)
}

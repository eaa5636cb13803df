import APNSimCore
import APNSimWire

/// Feeds a watch what a provider would have done.
struct DiligentProvider {
  var watch: DiligenceWatch
  var now = Moment.start

  init(_ change: (inout DiligenceLimits) -> Void = { _ in }) {
    var limits = DiligenceLimits()
    change(&limits)
    watch = DiligenceWatch(limits: limits)
  }

  mutating func wait(_ span: TimeSpan) { now = now + span }

  mutating func open() -> ConnectionDiligence { watch.connectionOpened(at: now) }

  mutating func close(_ connection: ConnectionDiligence, byProvider: Bool = true) {
    watch.connectionClosed(connection, byProvider: byProvider, at: now)
  }

  /// Notifications in one read.
  mutating func send(
    _ notifications: Int,
    resent: Int = 0,
    read: UInt32 = 0,
    on connection: inout ConnectionDiligence
  ) {
    var batch = BatchDiligence()
    for _ in 0..<notifications { batch.note(PayloadFacts()) }
    batch.resent = resent
    watch.received(batch, read: read, on: &connection, at: now)
  }

  /// The payload of one notification.
  mutating func send(_ payload: String) {
    let facts = Array(payload.utf8).withUnsafeBytes { PayloadJudge.judge($0) }.facts
    var batch = BatchDiligence()
    batch.note(facts)
    var connection = open()
    watch.received(batch, read: 1, on: &connection, at: now)
  }

  var advice: [Advice] { watch.advice(for: Samples.app) }

  func advice(_ kind: AdviceKind) -> Advice? { advice.first { $0.kind == kind } }

  func count(_ kind: AdviceKind) -> UInt64 { advice(kind)?.count ?? 0 }
}

import APNSimCore

/// One connection of a script, from both its ends: the provider that uses it and the listener that carries it.
final class ScriptedProvider {
  enum Phase {
    case idle
    /// Its handshake is delayed; its actions wait.
    case waiting([TrafficStep.Action])
    case gateway(GatewayConnection)
    case feedback(FeedbackConnection)
    case requests(RequestConnection)
    case over
  }

  let provider: TrafficProvider
  var phase = Phase.idle
  var sight: ObservedConnection
  var plan = ConnectionPlan.usual { didSet { output = OutputSchedule(plan) } }
  /// The times at which the simulator's output arrives.
  var output = OutputSchedule(.usual)
  /// Notifications written so far.
  var sent = 0
  /// The provider token that it sends, and the number and the moment of it; nil before its first request.
  var token = TrafficToken()
  var minted: (number: UInt64, issuedAt: Timestamp)?
  /// The number of steps that are still to come.
  var stepsLeft = 0
  /// True once the listener reads no more.
  var isDeaf = false
  /// The number of pieces and ends that have not arrived.
  var onTheWay = 0

  init(name: String, provider: TrafficProvider) {
    self.provider = provider
    sight = ObservedConnection(name: name)
  }

  var name: String { sight.name }

  func close(_ reason: ClosingReason, at now: Timestamp) {
    switch phase {
    case .gateway(let connection): connection.closed(reason, at: now)
    case .feedback(let connection): connection.closed(reason, at: now)
    case .requests(let connection): connection.closed(reason, at: now)
    case .idle, .waiting, .over: break
    }
    phase = .over
  }
}

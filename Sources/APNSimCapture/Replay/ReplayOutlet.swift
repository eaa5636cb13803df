import APNSimCore

/// Gathers the actions that are due on connections by time or by command.
final class ReplayOutlet: EffectOutlet, @unchecked Sendable {
  // Used by the one thread that replays.
  private var actions: [(ConnectionID, GatewayAction)] = []
  private var answers: [(ConnectionID, RequestActions)] = []

  func perform(_ actions: RequestActions, on connection: ConnectionID) {
    answers.append((connection, actions))
  }

  @inline(__always)
  func takeAnswers() -> [(ConnectionID, RequestActions)] {
    guard !answers.isEmpty else { return [] }
    defer { answers = [] }
    return answers
  }

  func perform(_ action: GatewayAction, on connection: ConnectionID) { actions.append((connection, action)) }

  func end(_ connection: ConnectionID, _ how: KillMode) {
    // A capture has a shutdown as the listener's actions.
    guard how != .shutdown else { return }
    var action = GatewayAction.none
    action.ending = how == .reset ? .reset : .drain
    perform(action, on: connection)
  }

  @inline(__always)
  func take() -> [(ConnectionID, GatewayAction)] {
    guard !actions.isEmpty else { return [] }
    defer { actions = [] }
    return actions
  }
}

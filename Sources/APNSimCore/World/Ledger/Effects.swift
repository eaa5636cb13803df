import APNSimWire

/// Performs actions on connections that did not ask: a delayed error response, an idle connection's end.
///
/// It is called outside the simulator's lock, from whatever thread moved the time.
package protocol EffectOutlet: AnyObject, Sendable {
  func perform(_ action: GatewayAction, on connection: ConnectionID)
  /// Answers to requests are due.
  func perform(_ actions: RequestActions, on connection: ConnectionID)
  /// A moment that was waited for has come.
  func remind(_ reminder: Reminder)
  /// An operator ends a connection.
  func end(_ connection: ConnectionID, _ how: KillMode)
  /// A device's connection has lines to send, after it had none.
  func deviceHasOutput(_ connection: ConnectionID)
}

extension EffectOutlet {
  package func perform(_ actions: RequestActions, on connection: ConnectionID) {}
  package func end(_ connection: ConnectionID, _ how: KillMode) {}
  package func remind(_ reminder: Reminder) {}
  package func deviceHasOutput(_ connection: ConnectionID) {}
}

/// The effects that an input is to have elsewhere than on the connection that called in: collected under the lock, performed
/// outside of it.
struct Effects {
  /// The performer of what is due on connections.
  private var outlet: (any EffectOutlet)?
  private var pending = Pending()
  /// The version of what frames are judged by: a command may change it.
  private(set) var judgeVersion = 0
  /// The state that a new beginning has replaced.
  private var replaced: ReplacedWorld?

  /// Effects that wait for the lock to be open.
  struct Pending {
    fileprivate var outlet: (any EffectOutlet)?
    fileprivate var actions: [(ConnectionID, GatewayAction)] = []
    fileprivate var answers: [(ConnectionID, RequestActions)] = []
    fileprivate var reminders: [Reminder] = []
    fileprivate var wakes: [ConnectionID] = []
    fileprivate var endings: [(ConnectionID, KillMode)] = []
    fileprivate var watchers: [JournalWatcher] = []
    fileprivate var waits: [(Wait, Wait.Progress)] = []
    /// Nobody else takes it: it is let go of with the effects.
    fileprivate var replaced: ReplacedWorld?

    /// Tells waits and watchers, then the outlet. To be called without the lock.
    func perform() {
      Wait.tell(waits)
      for watcher in watchers { watcher.tell() }
      guard let outlet else { return }
      for (connection, action) in actions { outlet.perform(action, on: connection) }
      for (connection, answers) in answers { outlet.perform(answers, on: connection) }
      for reminder in reminders { outlet.remind(reminder) }
      for connection in wakes { outlet.deviceHasOutput(connection) }
      for (connection, how) in endings { outlet.end(connection, how) }
    }
  }

  @inline(__always)
  var isEmpty: Bool {
    pending.actions.isEmpty && pending.reminders.isEmpty && pending.wakes.isEmpty && pending.endings.isEmpty
      && pending.watchers.isEmpty && pending.answers.isEmpty && replaced == nil
  }

  mutating func perform(_ action: GatewayAction, on connection: ConnectionID) {
    pending.actions.append((connection, action))
  }

  mutating func perform(_ actions: RequestActions, on connection: ConnectionID) {
    pending.answers.append((connection, actions))
  }

  mutating func remind(_ reminder: Reminder) { pending.reminders.append(reminder) }

  /// Says that a device's connection has got something to send.
  mutating func wake(_ connection: ConnectionID) { pending.wakes.append(connection) }

  mutating func end(_ connection: ConnectionID, _ how: KillMode) {
    pending.endings.append((connection, how))
  }

  mutating func tell(_ watchers: [JournalWatcher]) { pending.watchers += watchers }

  /// Chooses who performs what is due; nil for nobody.
  mutating func choose(_ outlet: (any EffectOutlet)?) { self.outlet = outlet }

  /// Takes everything that waits, to be performed outside the lock.
  mutating func take(_ waits: [(Wait, Wait.Progress)]) -> Pending {
    defer { pending = Pending() }
    pending.outlet = outlet
    pending.waits = waits
    pending.replaced = takeReplaced()
    return pending
  }

  /// Lets connections look again at what frames are judged by.
  mutating func renewJudges() { judgeVersion += 1 }

  mutating func replace(_ world: ReplacedWorld) { replaced = world }

  mutating func takeReplaced() -> ReplacedWorld? {
    defer { replaced = nil }
    return replaced
  }
}

/// The state that a new beginning has replaced. Letting go of it takes longer than anything else about it.
package final class ReplacedWorld: @unchecked Sendable {
  private let world: World

  init(_ world: consuming World) { self.world = world }

  /// The number of devices in it, which all are still there.
  package var deviceCount: Int { world.devices.liveDevices }
}

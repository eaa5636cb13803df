/// The program starts again on a state that was kept: nobody is connected any more.
///
/// Its entry has the wall time of the start, and time does not pass to it: connections end at the last moment that is
/// known. Afterwards the clock goes on; where the system's has been set back meanwhile, from where it stood.
struct Restart: Input, KeptByMembers {
  let wall: Timestamp

  static let members = Members(Self.init, \.wall)

  static var kind: InputKind { .restart }

  func apply(to world: inout World) {
    for connection in world.connections.open {
      switch connection {
      case .gateway(let record): world.close(record, .simulatorKilled)
      case .feedback(let record): world.close(record, .simulatorKilled)
      case .http2(let record): world.close(record, .simulatorKilled)
      }
    }
    for session in world.sessions.all { world.close(session, .simulatorKilled) }
    world.schedule.goOn(from: wall)
  }
}

extension Simulator {
  /// Goes on after a restart. Connections that were open are closed at the last moment that is known, devices that were
  /// connected go offline, and then time passes to now.
  package func goOn(at wall: Timestamp) {
    let effects = withWorld { world -> Effects.Pending? in
      let seq = world.history.nextSeq
      var input = Restart(wall: wall)
      applyKept(&input, to: &world)
      return settle(&world, since: seq)
    }
    effects?.perform()
    wake(at: wall)
  }
}

/// The program starts again on a state that was kept: nobody is connected any more.
///
/// Its entry has the wall time of the start, and time does not pass to it: connections end at the last moment that is
/// known. Afterwards the clock goes on. Where the system's has been set back meanwhile, a real clock goes back with it, or
/// one wrong time of the system's would stay for good.
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
    let earlier = world.schedule.moment(setBackTo: wall)
    world.schedule.goOn(from: wall)
    guard world.configuration.rules.clockGoesBack, let earlier else { return }
    world.emit(.clockChanged(.set(earlier)))
    world.schedule.goBack(to: earlier)
  }
}

extension Simulator {
  /// Goes on after a restart. Connections that were open are closed at the last moment that is known, devices that were
  /// connected go offline, and then time passes to now.
  /// - Returns: by how much the clock went back; zero where it did not.
  @discardableResult
  package func goOn(at wall: Timestamp) -> TimeSpan {
    var last = Timestamp(rawValue: 0)
    let effects = withWorld { world -> Effects.Pending? in
      last = world.now
      let seq = world.history.nextSeq
      var input = Restart(wall: wall)
      applyKept(&input, to: &world)
      return settle(&world, since: seq)
    }
    effects?.perform()
    wake(at: wall)
    return max(.zero, last - time(at: wall))
  }
}

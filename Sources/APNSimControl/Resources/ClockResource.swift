import APNSimCore
import APNSimScenario
import APNSimServer
import APNSimWire
import NIOHTTP1

/// `/clock`: the simulated time, and moving it.
enum ClockResource {
  static let routes: [Route] = [
    Route(.GET, "/clock", query: ["ahead"], answer: get),
    Route(.POST, "/clock/preview", body: .json, answer: preview),
    Route(.POST, "/clock/advance", body: .json) { call in
      try await steer(call, .advanceClock(try await call.read(ClockBody.advance)))
    },
    Route(.POST, "/clock/set", body: .json) { call in
      try await steer(call, .setClock(try await call.read(ClockBody.set)))
    },
    Route(.POST, "/clock/freeze") { try await steer($0, .freezeClock) },
    Route(.POST, "/clock/resume") { try await steer($0, .resumeClock) },
  ]

  private static func steer(_ call: Call, _ command: Command) async throws -> Response {
    try call.perform(command)
    return try await answer(call)
  }

  private static func answer(_ call: Call) async throws -> Response {
    let clock = call.server.clock
    return .json { write(clock, to: &$0) }
  }

  private static func write(_ clock: Simulator.ClockView, to writer: inout JSONWriter) {
    writer.member("now", clock.now.description)
    writer.member("mode", clock.isVirtual ? "virtual" : "real")
    writer.member("running", clock.isRunning)
    if let moved = clock.moved { writer.member("moved", "\(moved)") }
  }

  /// The clock, and what is ahead of it where that is asked for: looking for it takes the longer, the more is due.
  private static func get(_ call: Call) async throws -> Response {
    let foresight = try call.query.flag("ahead") ? call.simulator.foresee() : nil
    let clock = call.server.clock
    return .json { writer in
      write(clock, to: &writer)
      if let foresight { write(foresight, to: &writer) }
    }
  }

  /// The events that would follow if the clock were moved.
  private static func preview(_ call: Call) async throws -> Response {
    let move = try await call.read(ClockBody.preview)
    let clock = call.server.clock
    let moment: Timestamp
    let foresight: Foresight
    switch move {
    case .by(let span): (moment, foresight) = call.simulator.foresee(for: span)
    case .to(let end): (moment, foresight) = (end, call.simulator.foresee(until: end))
    }
    return .json { writer in
      write(clock, to: &writer)
      writer.member("to", moment.description)
      write(foresight, to: &writer)
    }
  }

  private static func write(_ foresight: Foresight, to writer: inout JSONWriter) {
    writer.list("ahead", foresight.upcoming) { $0.writeMembers(to: &$1) }
    writer.member("more", foresight.isCut)
  }
}

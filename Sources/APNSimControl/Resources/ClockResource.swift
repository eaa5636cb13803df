import APNSimCore
import APNSimScenario
import APNSimServer
import APNSimWire
import HTTPTypes
import Hummingbird

/// `/clock`: the simulated time, and moving it.
enum ClockResource {
  static let routes: [Route] = [
    Route(.get, "/clock", answer: answer),
    Route(.post, "/clock/advance", body: .json) { call in
      try await steer(call, .advanceClock(try await call.read(ClockBody.advance)))
    },
    Route(.post, "/clock/set", body: .json) { call in
      try await steer(call, .setClock(try await call.read(ClockBody.set)))
    },
    Route(.post, "/clock/freeze") { try await steer($0, .freezeClock) },
    Route(.post, "/clock/resume") { try await steer($0, .resumeClock) },
  ]

  private static func steer(_ call: Call, _ command: Command) async throws -> Response {
    try call.perform(command)
    return try await answer(call)
  }

  private static func answer(_ call: Call) async throws -> Response {
    let clock = call.server.clock
    return .json { writer in
      writer.member("now", clock.now.description)
      writer.member("mode", clock.isVirtual ? "virtual" : "real")
      writer.member("running", clock.isRunning)
    }
  }
}

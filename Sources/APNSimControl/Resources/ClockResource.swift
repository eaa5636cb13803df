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
    return .json(ClockAnswer(clock: clock))
  }

  /// The clock, and what is ahead of it where that is asked for: looking for it takes the longer, the more is due.
  private static func get(_ call: Call) async throws -> Response {
    let foresight = try call.query.flag("ahead") ? call.simulator.foresee() : nil
    let clock = call.server.clock
    return .json(ClockAnswer(clock: clock, foresight: foresight))
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
    return .json(ClockPreview(clock: ClockAnswer(clock: clock), end: moment, foresight: foresight))
  }
}

struct ClockAnswer: JSONObject {
  let clock: Simulator.ClockView
  var foresight: Foresight?

  static let shape = JSONShape<Self>("Clock") {
    $0.member("now") { $0.clock.now }
    $0.member("mode", "Whether it follows the system's.", .words(["real", "virtual"])) {
      $0.clock.isVirtual ? "virtual" : "real"
    }
    $0.member("running") { $0.clock.isRunning }
    $0.optional(
      "moved",
      "How far a real clock was moved from the system's, as a duration; absent for less than a second.",
      .example("28d")
    ) { $0.clock.moved?.description }
    $0.optionalMembers { $0.foresight }
  }
}

struct ClockPreview: JSONObject {
  let clock: ClockAnswer
  let end: Timestamp
  let foresight: Foresight

  static let shape = JSONShape<Self>("ClockPreview") {
    $0.members { $0.clock }
    $0.member("to", "Where the clock would be.") { $0.end }
    $0.members { $0.foresight }
  }
}

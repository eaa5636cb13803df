import APNSimCore
import APNSimServer
import APNSimWire
import NIOHTTP1

/// `POST /reset`, back to the state just after start; `GET /advice`, advice on providers' behaviour.
enum SteeringResource {
  static let routes: [Route] = [
    Route(.POST, "/reset") { call in
      try call.perform(.reset)
      return .noContent
    },
    Route(.GET, "/advice") { call in
      .json(AdviceAnswer(advice: call.simulator.advice(at: call.server.wallTime)))
    },
  ]
}

/// Advice, by provider.
struct AdviceAnswer: JSONObject {
  let advice: [Advice]

  static let shape = JSONShape<Self>("AdviceList") {
    $0.list("advice") { $0.advice }
  }
}

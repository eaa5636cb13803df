import APNSimCore
import APNSimServer
import APNSimWire
import HTTPTypes
import Hummingbird

/// `POST /reset`, back to the state just after start; `GET /advice`, advice on providers' behaviour.
enum SteeringResource {
  static let routes: [Route] = [
    Route(.post, "/reset") { call in
      try call.perform(.reset)
      return .noContent
    },
    Route(.get, "/advice") { call in
      return .json { writer in
        writer.list("advice", call.simulator.advice(at: call.server.wallTime)) { $0.writeMembers(to: &$1) }
      }
    },
  ]
}

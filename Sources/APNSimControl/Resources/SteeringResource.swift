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
      return .json { writer in
        writer.list("advice", call.simulator.advice(at: call.server.wallTime)) { $0.writeMembers(to: &$1) }
      }
    },
  ]
}

/// A connection to the control API that ended before its answer did.
enum ControlInterruption: Error, Sendable, CustomStringConvertible {
  case early
  case broken(String)

  var description: String {
    switch self {
    case .early: "the server closed the connection before its answer was complete"
    case .broken(let reason): reason
    }
  }
}

import APNSimCore
import APNSimServer
import NIOCore

/// One call of a route: the request and the simulator that it is for.
struct Call {
  let request: HTTPRequest
  /// The space that the path names: the main simulator's, or a sandbox's.
  let space: Space
  let services: ControlServices
  /// The connection on which the request came.
  let connection: ControlConnection
  let query: QueryParameters
  let route: Route
  private let parameters: [String: String]

  /// - Throws: `ProblemDetails` 400 for a query parameter that the route does not have.
  init(
    _ request: HTTPRequest,
    _ match: RouteTable.Match,
    _ connection: ControlConnection,
    space: Space,
    services: ControlServices
  ) throws(ProblemDetails) {
    query = try QueryParameters(request.query, known: match.route.parameters)
    route = match.route
    self.request = request
    self.connection = connection
    self.space = space
    self.services = services
    parameters = match.parameters
  }

  var simulator: Simulator { space.simulator }
  var server: SimulatorServer { space.server }

  /// Makes a signal for the end of the simulator or of the client's connection. The answer becomes the last of its
  /// connection.
  func ending() -> EndSignal {
    let ending = EndSignal()
    let token = space.ending.whenFired { ending.fire() }
    channel.triggerUserOutboundEvent(LastAnswerHandler.Event.answerLasts, promise: nil)
    channel.closeFuture.whenComplete { [space] _ in
      space.ending.forget(token)
      ending.fire()
    }
    return ending
  }

  private var channel: any Channel { connection.channel }

  /// True while the client waits for the answer.
  var isAwaited: Bool { channel.isActive }

  /// Tells whether the client waits for the answer and the simulator goes on.
  var isWanted: @Sendable () -> Bool {
    { [channel, ending = space.ending] in channel.isActive && !ending.hasFired }
  }

  /// The part of the path where the route has `{name}`.
  subscript(name: String) -> String { parameters[name] ?? "" }

  /// Reads the body, which must be of one of these types, if any are named; a body without a type and an empty one
  /// are accepted.
  ///
  /// A body whose declared length is too large is refused before it is requested or read.
  func body(_ types: [String] = ["application/json"]) async throws(ProblemDetails) -> String {
    if let said = request[header: "Content-Type"], length != 0, !types.isEmpty {
      let type = (said.split(separator: ";").first ?? "").lowercased().replacing(" ", with: "")
      guard types.contains(type) || (type.hasSuffix("+json") && types.contains("application/json")) else {
        throw .mediaType("\"\(said)\"", expected: types)
      }
    }
    let mostBytes = route.body.mostBytes
    guard length ?? 0 <= mostBytes else { throw .tooLarge(mostBytes) }
    channel.triggerUserOutboundEvent(ExpectationHandler.Event.bodyIsRead, promise: nil)
    let bytes: ByteBuffer
    do {
      bytes = try await connection.body(upTo: mostBytes)
    } catch is NIOTooManyBytesError {
      throw .tooLarge(mostBytes)
    } catch {
      throw .body("the body is incomplete: \(error)")
    }
    guard let text = String(validating: bytes.readableBytesView, as: UTF8.self) else {
      throw .body("expected UTF-8")
    }
    return text
  }

  /// Carries out a command.
  /// - Throws: `ProblemDetails` if it could not be carried out.
  @discardableResult
  func perform(_ command: Command) throws(ProblemDetails) -> RuleView? {
    do throws(CommandError) {
      return try server.carryOut(command)
    } catch {
      throw ProblemDetails(error)
    }
  }

  /// The declared length of the body, in bytes.
  private var length: Int? { request[header: "Content-Length"].flatMap { Int($0) } }
}

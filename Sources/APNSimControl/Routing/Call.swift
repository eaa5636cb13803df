internal import APNSimCore
internal import APNSimServer
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

/// One request as a route sees it: what it is about, and what it says.
struct Call: Sendable {
  let request: Request
  /// The simulator that the path means: the main one, or a sandbox's.
  let space: Space
  let services: ControlServices
  /// The connection it came on.
  let channel: any Channel
  let query: QueryParameters
  let route: Route
  private let parameters: [String: String]

  /// - Throws: `Problem` 400 for a query parameter that the route does not have.
  init(
    _ request: Request,
    _ match: RouteTable.Match,
    _ context: ControlContext,
    space: Space,
    services: ControlServices
  ) throws(Problem) {
    query = try QueryParameters(request.uri.query, known: match.route.parameters)
    route = match.route
    self.request = request
    channel = context.channel
    self.space = space
    self.services = services
    parameters = match.parameters
  }

  var simulator: Simulator { space.simulator }
  var server: SimulatorServer { space.server }

  /// Comes when the simulator stops, or when whoever waits for the answer has gone. The answer is the last of its
  /// connection.
  func ending() -> Ending {
    let ending = Ending()
    let token = space.ending.whenEnding { ending.come() }
    channel.triggerUserOutboundEvent(LastAnswerHandler.Event.answerLasts, promise: nil)
    channel.closeFuture.whenComplete { [space] _ in
      space.ending.forget(token)
      ending.come()
    }
    return ending
  }

  /// Whether whoever waits for the answer is there.
  var isAwaited: Bool { channel.isActive }

  /// What stands in the path where the route has `{name}`.
  subscript(name: String) -> String { parameters[name] ?? "" }

  /// The body, which must be of one of these types, if any are named; one without a type is, and so is an empty one.
  ///
  /// What is too large by its own word is not asked for, and refused before it is read.
  func body(_ types: [String] = ["application/json"]) async throws(Problem) -> String {
    if let said = request.headers[.contentType], length != 0, !types.isEmpty {
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
      bytes = try await request.body.collect(upTo: mostBytes)
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
  /// - Throws: `Problem` that says why it could not be.
  @discardableResult
  func perform(_ command: Command) throws(Problem) -> RuleView? {
    do throws(CommandError) {
      return try server.carryOut(command)
    } catch {
      throw Problem(error)
    }
  }

  /// How many bytes the body has, where that is said.
  private var length: Int? { request.headers[.contentLength].flatMap { Int($0) } }
}

/// What a request comes with: the connection it came on.
struct ControlContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  let channel: any Channel

  init(source: ApplicationRequestContextSource) {
    coreContext = .init(source: source)
    channel = source.channel
  }
}

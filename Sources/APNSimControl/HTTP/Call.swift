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
  let control: ControlServer
  /// The connection it came on.
  let channel: any Channel
  private let parameters: [String: String]
  private let mostBytes: Int

  init(
    _ request: Request,
    _ match: RouteTable.Match,
    _ context: ControlContext,
    space: Space,
    control: ControlServer
  ) {
    self.request = request
    channel = context.channel
    self.space = space
    self.control = control
    parameters = match.parameters
    mostBytes = match.route.mostBytes
  }

  var simulator: Simulator { space.simulator }
  var server: SimulatorServer { space.server }

  /// What stands in the path where the route has `{name}`.
  subscript(name: String) -> String { parameters[name] ?? "" }

  /// The query's parameters, of which these are known.
  func query(_ known: String...) throws(Problem) -> QueryParameters {
    try QueryParameters(request.uri.query, known: known)
  }

  /// The body, which must be of one of these types; a body without a type is taken for the first.
  /// - Parameter other: where it comes from when somebody watches the connection meanwhile.
  func body(
    _ types: [String] = ["application/json"],
    from other: RequestBody? = nil
  ) async throws(Problem) -> (text: String, type: String) {
    let said = request.headers[.contentType] ?? types[0]
    let type = (said.split(separator: ";").first ?? "").trimmingPrefix { $0 == " " }.lowercased()
      .replacing(" ", with: "")
    guard types.contains(type) || (type.hasSuffix("+json") && types[0] == "application/json") else {
      throw .mediaType("\"\(said)\"", expected: types)
    }
    let bytes: ByteBuffer
    do {
      bytes = try await (other ?? request.body).collect(upTo: mostBytes)
    } catch is NIOTooManyBytesError {
      throw .tooLarge(mostBytes)
    } catch {
      throw .body("the body did not come to its end: \(error)")
    }
    guard let text = String(validating: bytes.readableBytesView, as: UTF8.self) else {
      throw .body("expected UTF-8")
    }
    return (text, type)
  }
}

import APNSimServer
import APNSimSystem
import NIOHTTP1

/// Answers every request: it checks access, finds the route, and turns errors into problems.
struct ControlResponder: Sendable {
  let services: ControlServices
  let access: AccessGuard
  let table: RouteTable
  let page: PageAnswers

  func respond(to request: HTTPRequest, on connection: ControlConnection) async -> Response {
    var response: Response
    do {
      response = try await answer(request, connection)
    } catch let problem as ProblemDetails {
      response = problem.response
    } catch is CancellationError {
      response =
        ProblemDetails(
          .serviceUnavailable,
          title: "Shutting down",
          detail: "the simulator is stopping"
        ).response
    } catch {
      response = ProblemDetails(.internalServerError, title: "Internal error", detail: "\(error)").response
    }
    if !response.headers.contains(name: "Cache-Control") {
      response.headers.add(name: "Cache-Control", value: "no-store")
    }
    response.headers.add(name: "X-Content-Type-Options", value: "nosniff")
    if request.method == .HEAD { response = response.withoutBody }
    response.headers.add(name: "Date", value: HTTPDate.text(SystemClock.realTime.seconds))
    return response
  }

  private func answer(_ request: HTTPRequest, _ connection: ControlConnection) async throws -> Response {
    let path = request.path
    let isKnown = (try? access.check(request)) != nil
    if let answer = HealthResource.answer(request, services, isKnown: isKnown) { return answer }
    if let answer = CredentialsResource.answer(path, request.method, services) { return answer }
    if let answer = try page.answer(request, services, access) { return answer }
    try access.check(request)
    guard path.hasPrefix(RouteTable.base + "/") else { throw ProblemDetails.noSuchPath(path) }
    let match = try table.find(request.method, path.dropFirst(RouteTable.base.count))
    guard !match.route.isList || AnswerRoom.shared.hasRoom else { throw ProblemDetails.unreadAnswers }
    guard services.recording == nil || match.route.onlyLooks(request) else {
      throw ProblemDetails.conflict(
        "this is a recording, which nothing changes",
        hint: "apnsim serve starts a simulator"
      )
    }
    let space = try services.space(match.parameters["sandbox"])
    let call = try Call(request, match, connection, space: space, services: services)
    try await call.checkBody()
    return try await match.route.answer(call)
  }
}

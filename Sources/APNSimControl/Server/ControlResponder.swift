import HTTPTypes
import Hummingbird
import Logging

/// Answers every request: it checks access, finds the route, and turns errors into problems.
struct ControlResponder: HTTPResponder {
  typealias Context = ControlContext

  let services: ControlServices
  let access: AccessGuard
  let table: RouteTable
  let page: PageAnswers

  func respond(to request: Request, context: Context) async throws -> Response {
    var response: Response
    do {
      response = try await answer(request, context)
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
    if response.headers[.cacheControl] == nil { response.headers[.cacheControl] = "no-store" }
    response.headers[.xContentTypeOptions] = "nosniff"
    guard request.method != .head else { return response.createHeadResponse() }
    response.body = AnswerRoom.paced(response.body, on: context.channel.eventLoop)
    return response
  }

  private func answer(_ request: Request, _ context: Context) async throws -> Response {
    let path = request.uri.path
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
    let call = try Call(request, match, context, space: space, services: services)
    try await call.checkBody()
    return try await match.route.answer(call)
  }
}

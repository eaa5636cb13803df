import APNSimCore
import NIOHTTP1

/// The problems that many requests can have, in fixed words.
extension ProblemDetails {
  static func methodNotAllowed(_ method: String, allowed: [String]) -> ProblemDetails {
    var problem = ProblemDetails(
      .methodNotAllowed,
      title: "Method not allowed",
      detail: "\(method) is not one of \(allowed.joined(separator: ", "))"
    )
    problem.headers.add(name: "Allow", value: allowed.joined(separator: ", "))
    return problem
  }

  /// Large answers fill their room, and nobody reads them.
  static var unreadAnswers: ProblemDetails {
    ProblemDetails(
      .serviceUnavailable,
      title: "Too many unread answers",
      detail: "\(AnswerRoom.shared.count >> 20) MiB of answers wait to be read",
      hint: "read them, or close their connections"
    )
  }

  static func notFound(_ kind: String, _ name: String, hint: String? = nil) -> ProblemDetails {
    ProblemDetails(.notFound, title: "No such \(kind)", detail: "there is no \(kind) \"\(name)\"", hint: hint)
  }

  static func parameter(_ name: String, _ detail: String, hint: String? = nil) -> ProblemDetails {
    ProblemDetails(.badRequest, title: "Bad parameter", detail: detail, pointer: name, hint: hint)
  }

  static func body(_ detail: String, pointer: String? = nil, hint: String? = nil) -> ProblemDetails {
    ProblemDetails(.badRequest, title: "Bad request body", detail: detail, pointer: pointer, hint: hint)
  }

  static func tooLarge(_ limit: Int) -> ProblemDetails {
    ProblemDetails(
      .payloadTooLarge,
      title: "Request body too large",
      detail: "expected at most \(limit) bytes"
    )
  }

  static func mediaType(_ found: String, expected: [String]) -> ProblemDetails {
    ProblemDetails(
      .unsupportedMediaType,
      title: "Unsupported media type",
      detail: "expected \(expected.joined(separator: " or ")), found \(found)",
      hint: "with curl: -H 'Content-Type: \(expected[0])'"
    )
  }

  /// The problem of a request that is not possible in the present state.
  static func conflict(_ detail: String, hint: String? = nil) -> ProblemDetails {
    ProblemDetails(.conflict, title: "Not possible now", detail: detail, hint: hint)
  }
}

extension ProblemDetails {
  init(_ error: CommandError) {
    switch error {
    case .unknownDevice:
      self.init(
        .notFound,
        title: "No such device",
        detail: error.description,
        hint: "PUT /devices/{name} adds one"
      )
    case .appNotOnDevice:
      self.init(.notFound, title: "No such app on the device", detail: error.description)
    case .unknownRule:
      self.init(.notFound, title: "No such fault", detail: error.description, hint: "GET /faults lists them")
    case .unknownChannel:
      self.init(
        .notFound,
        title: "No such channel",
        detail: error.description,
        hint: "GET /channels lists them"
      )
    case .unknownConnection:
      self.init(.notFound, title: "No such connection", detail: error.description)
    case .tokenTaken, .nameTaken, .tooManyDevices, .tooManyApps, .tooManyRules, .tooManyTuples,
      .channelTaken, .ambiguousChannel, .tooManyChannels, .tooManySubscriptions, .noBroadcast,
      .tooManyActivities, .activityTokenTaken:
      self.init(.conflict, title: "Not possible", detail: error.description)
    case .tokenForNoApp:
      self = .body(error.description, pointer: "/token", hint: "list the app in \"apps\"")
    case .appTwice, .tooManyAppsOnDevice, .badToken, .emptyName, .emptyTopic, .backwards, .badSetting,
      .badChannel:
      self.init(.badRequest, title: "Bad request", detail: error.description)
    case .suspended:
      self.init(
        .serviceUnavailable,
        title: "Suspended",
        detail: error.description,
        hint: "is the disk of the state full? GET /state and the log say why; nothing has changed"
      )
    }
  }
}

internal import APNSimCore
internal import APNSimServer
internal import HTTPTypes

extension Call {
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
}

extension Problem {
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
    case .unknownConnection:
      self.init(.notFound, title: "No such connection", detail: error.description)
    case .tokenTaken, .tooManyDevices, .tooManyApps, .tooManyRules, .tooManyTuples:
      self.init(.conflict, title: "Not possible", detail: error.description)
    case .tokenForNoApp:
      self = .body(error.description, pointer: "/token", hint: "list the app in \"apps\"")
    case .appTwice, .tooManyAppsOnDevice, .badToken, .emptyName, .emptyTopic, .backwards, .badSetting:
      self.init(.badRequest, title: "Bad request", detail: error.description)
    }
  }
}

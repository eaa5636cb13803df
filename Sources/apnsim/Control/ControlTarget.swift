import APNSimScenario

/// The address of a server's control API, with the sandbox and the token.
struct ControlTarget: Hashable, Sendable {
  var url: ControlURL
  /// The sandbox; nil is the server itself.
  var sandbox: String?
  var token: String?
  /// The origin of the address, for errors: `APNSIM_CONTROL_URL`.
  var source: String

  /// Resolves the address from, in this order: `--control`, `--endpoints-file`, `APNSIM_CONTROL_URL`,
  /// `APNSIM_ENDPOINTS_FILE`, `APNSIM_HOST` with `APNSIM_CONTROL_PORT`, the usual port. The sandbox is that of `--sandbox`,
  /// of an address after `--control`, of `APNSIM_SANDBOX`, or of another address, in this order.
  /// - Throws: `CommandFailure` for an address that is none, or a file without one.
  static func resolve(
    _ options: ControlOptions,
    environment: [String: String]
  ) throws(CommandFailure) -> ControlTarget {
    let (url, source) = try place(options, environment)
    let variables = ProviderVariables(environment)
    let token = options.token ?? environment["APNSIM_CONTROL_TOKEN"]
    return ControlTarget(
      url: url,
      sandbox: options.sandbox ?? options.control?.sandbox ?? variables.sandbox ?? url.sandbox,
      token: token.flatMap { $0.isEmpty || $0 == "none" ? nil : $0 },
      source: source
    )
  }

  private static func place(
    _ options: ControlOptions,
    _ environment: [String: String]
  ) throws(CommandFailure) -> (ControlURL, source: String) {
    if let url = options.control { return (url, "--control") }
    if let file = options.endpointsFile { return (try url(of: file), "--endpoints-file") }
    let variable = "APNSIM_CONTROL_URL"
    guard let text = environment[variable], !text.isEmpty else { return try placeOfServer(environment) }
    guard text != ControlURL.none else {
      throw CommandFailure(
        .unreachable,
        "\(variable) says that the simulator has no control API",
        hints: ["it was started with --no-control; --control URL names another"]
      )
    }
    return (try url(text, variable), variable)
  }

  /// The address of a server by the settings that it was started with, in the same environment.
  private static func placeOfServer(
    _ environment: [String: String]
  ) throws(CommandFailure) -> (ControlURL, source: String) {
    let variables = ProviderVariables(environment)
    if let file = variables.endpointsFile { return (try url(of: file), "APNSIM_ENDPOINTS_FILE") }
    let port = try variables.controlPort()
    let source = [
      port == nil ? nil : "APNSIM_CONTROL_PORT", variables.serverHost == nil ? nil : "APNSIM_HOST",
    ].compactMap { $0 }
    guard !source.isEmpty else { return (.usual, "the default") }
    let place = ControlURL(
      host: variables.serverHost ?? ControlURL.usual.host,
      port: port ?? ControlURL.usualPort
    )
    return (place, source.joined(separator: " and "))
  }

  private static func url(of file: String) throws(CommandFailure) -> ControlURL {
    guard let text = try EndpointsFile.load(file).control else {
      throw CommandFailure(
        .unreachable,
        "\(file): the server has no control API",
        hints: ["it was started with --no-control"]
      )
    }
    return try url(text, file)
  }

  private static func url(_ text: String, _ place: String) throws(CommandFailure) -> ControlURL {
    guard let url = ControlURL(argument: text) else {
      throw CommandFailure(
        .badConfiguration,
        "\(place): expected \(ControlURL.expected), found \"\(text)\""
      )
    }
    return url
  }
}

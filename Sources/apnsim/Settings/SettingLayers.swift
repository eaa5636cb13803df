import APNSimControl
import APNSimCore
import APNSimScenario
import APNSimServer
import APNSimTLS
import APNSimWire

/// The settings of one run by their sources; the later source wins: defaults, `--config`, scenario, environment,
/// flags.
struct SettingLayers {
  /// From the command line, already checked.
  var flags: [SettingAssignment]
  /// Every environment variable.
  var environment: [String: String]

  /// Reads the files that flags and environment name, and applies every layer in its order.
  /// - Throws: `CommandFailure` with status 78 that says where the bad value stands.
  func plan() throws -> ServePlan {
    let variables = try variableAssignments()
    let named = try named(by: variables)
    var plan = ServePlan()
    if let config = named.run.config {
      let file = try ConfigurationFile.load(config, settings: KnownSetting.ofConfiguration)
      try apply(file, to: &plan)
    }
    if let path = named.run.scenario ?? plan.run.scenario {
      var served = plan
      try apply(variables, to: &served)
      try apply(flags, to: &served)
      plan.scenario = try ScenarioBody.load(
        ShippedScenarios.file(path),
        serverSettings: ServerSetting.all.map(\.name),
        environment: served.server.listening.environment.first
      )
      if let seed = plan.scenario.seed { plan.run.seed = seed }
      if let clock = plan.scenario.clock { plan.run.clock = clock }
      try apply(plan.scenario.settings, to: &plan)
    }
    try apply(variables, to: &plan)
    try apply(flags, to: &plan)
    if plan.server.listening.asApple { plan.standInApplesPlace() }
    plan.scenario.clock = plan.run.clock
    if plan.server.tls.keyLogFile == nil, let file = environment["SSLKEYLOGFILE"], !file.isEmpty {
      plan.server.tls.keyLogFile = file
    }
    try settleState(of: &plan)
    try checkKeyID(of: plan)
    try checkRedaction(of: plan)
    try checkFiles(of: plan)
    do {
      try plan.server.validate()
    } catch {
      throw CommandFailure(.badConfiguration, "\(error)")
    }
    return plan
  }

  /// The settings that the environment and the command line name, without those of the files that they name.
  func named() throws(CommandFailure) -> ServePlan { try named(by: try variableAssignments()) }

  private func named(by variables: [SettingAssignment]) throws(CommandFailure) -> ServePlan {
    var named = ServePlan()
    try apply(variables, to: &named)
    try apply(flags, to: &named)
    return named
  }

  /// The configuration for judging frames where nothing is served: settings about serving are not checked.
  /// - Throws: as ``plan()``.
  func judging() throws -> Configuration {
    func isOfCore(_ assignment: SettingAssignment) -> Bool { Setting.named(assignment.name) != nil }
    var plan = ServePlan()
    if let config = environment["APNSIM_CONFIG"], !config.isEmpty {
      let file = try ConfigurationFile.load(config, settings: KnownSetting.ofConfiguration)
      try apply(file.filter(isOfCore), to: &plan)
    }
    try apply(try variableAssignments { Setting.named($0) != nil }, to: &plan)
    try apply(flags, to: &plan)
    return plan.configuration
  }

  /// A simulator on free ports, as `exec` has one, is for one run: it has a state only where its own command line says so,
  /// not by what all have in common.
  private func settleState(of plan: inout ServePlan) throws(CommandFailure) {
    let flagged = Set(flags.map(\.name))
    if plan.server.listening.ephemeral, !flagged.contains("state") { plan.run.state = nil }
    guard plan.run.state == nil,
      let idle = ["stateSync", "stateLog", "stateMismatch"].first(where: { flagged.contains($0) })
    else { return }
    throw CommandFailure(.usage, "\(SettingName(idle).flag) requires --state")
  }

  /// The variables with the key of an outer `exec`, which are for its providers and no settings of an inner simulator.
  private var keyOfOuter: Set<String> {
    let (authKey, keyID) = (SettingName("authKey").variable, SettingName("keyId").variable)
    guard let file = environment[authKey], let id = environment[keyID],
      let folder = environment[SettingName("certs").variable],
      file == PKIDirectory(path: folder).file(providerKey: id)
    else { return [] }
    return [authKey, keyID]
  }

  private func checkKeyID(of plan: ServePlan) throws(CommandFailure) {
    guard plan.server.requests.authKeys.isEmpty, flags.contains(where: { $0.name == "keyId" }) else { return }
    throw CommandFailure(.usage, "--key-id requires --auth-key")
  }

  /// A user who gives a key wants nothing secret recorded.
  private func checkRedaction(of plan: ServePlan) throws(CommandFailure) {
    let flagged = Set(flags.map(\.name))
    if plan.run.redactKey != nil, !plan.run.redacts {
      throw CommandFailure(
        flagged.contains("redactKey") ? .usage : .badConfiguration,
        "redactKey is set, but redact is off: a recording would not be redacted",
        hints: ["--redact-key requires --redact"]
      )
    }
    // Outside of a command line it may be a default for recordings to come.
    if flagged.contains("redact"), plan.run.redacts, plan.server.files.record == nil,
      !plan.server.control.isOn
    {
      throw CommandFailure(
        .usage,
        "--redact requires --record or the control API: nothing else has the journal"
      )
    }
  }

  /// Refuses a file that is written if it is also read, or written twice.
  private func checkFiles(of plan: ServePlan) throws(CommandFailure) {
    let (tls, run) = (plan.server.tls, plan.run)
    let outputs = [
      ("record", plan.server.files.record), ("endpointsFile", plan.server.files.endpoints),
      ("keyLog", tls.keyLogFile),
    ]
    let keys = plan.server.requests.authKeys.map { ProviderKeyFile($0) }.filter { !$0.isText }.map { $0.path }
    let problem = SameFile.problem(
      outputs.map { (SettingName($0.0).flag, $0.1) },
      reading: [run.config, run.scenario, run.redactKey] + tls.clientAuthorityFiles + tls.revocationListFiles
        + keys
    )
    guard let problem else { return }
    let isFlagged = flags.contains { flag in outputs.contains { $0.0 == flag.name } }
    throw CommandFailure(isFlagged ? .usage : .badConfiguration, problem)
  }

  /// The settings that environment variables set, in the order of the table.
  /// - Parameter isWanted: whether a setting of that name is.
  private func variableAssignments(
    _ isWanted: (String) -> Bool = { _ in true }
  ) throws(CommandFailure) -> [SettingAssignment] {
    var assignments: [SettingAssignment] = []
    var scratch = ServePlan()
    let ofOuter = keyOfOuter
    for setting in PlanSetting.all where isWanted(setting.name) {
      let variable = SettingName(setting.name).variable
      guard !ofOuter.contains(variable), let text = environment[variable], !text.isEmpty else { continue }
      if let expected = setting.write(text, &scratch) {
        throw CommandFailure(
          .badConfiguration,
          "\(variable): expected \(expected), found \(KeyText.found(text))"
        )
      }
      assignments.append(SettingAssignment(name: setting.name, text: text))
    }
    return assignments
  }

  private func apply(_ assignments: [SettingAssignment], to plan: inout ServePlan) throws(CommandFailure) {
    for assignment in assignments {
      guard let setting = PlanSetting.named(assignment.name) else { continue }
      if let expected = setting.write(assignment.text, &plan) {
        throw CommandFailure(
          .badConfiguration,
          "\(assignment.name): expected \(expected), found \(KeyText.found(assignment.text))"
        )
      }
      plan.said.insert(setting.name)
    }
  }
}

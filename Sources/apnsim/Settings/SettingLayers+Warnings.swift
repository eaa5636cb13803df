import APNSimCore
import APNSimScenario
import APNSimServer
import APNSimWire

extension SettingLayers {
  /// Warnings about settings that have no effect.
  var warnings: [String] { misspelt + emptyToken + idleFlags }

  /// A secret that somebody meant to set.
  private var emptyToken: [String] {
    let variable = SettingName("controlToken").variable
    guard environment[variable] == "" else { return [] }
    return ["apnsim: warning: \(variable) is empty: the control API asks for no token"]
  }

  /// Flags that another flag leaves without a meaning.
  private var idleFlags: [String] {
    let said = Dictionary(flags.map { ($0.name, $0.text) }) { $1 }
    func isOn(_ name: String) -> Bool { ["on", "true", "yes"].contains(said[name] ?? "") }
    let ports = [
      "gatewayPort", "feedbackPort", "sandboxGatewayPort", "sandboxFeedbackPort", "http2Port",
      "sandboxHttp2Port",
      "devicePort", "controlPort",
    ]
    var idle: [(name: String, beside: String)] = []
    if isOn("ephemeral") {
      idle += ports.filter { !["0", "off"].contains(said[$0] ?? "0") }.map { ($0, "ephemeral") }
    }
    if isOn("noControl") {
      idle += ["controlPort", "controlToken", "shareCredentials", "page"].filter { said[$0] != nil }.map {
        ($0, "noControl")
      }
    }
    let sandbox = ["sandboxGatewayPort", "sandboxFeedbackPort", "sandboxHttp2Port"].filter { said[$0] != nil }
    // One environment alone is on the first pair of ports, whichever it is.
    if said["environment"] != nil, said["environment"] != EnvironmentChoice.both.rawValue {
      idle += sandbox.filter { port in !idle.contains { $0.name == port } }.map { ($0, "environment") }
    }
    return idle.map { name, beside in
      let value = beside == "environment" ? " \(said[beside] ?? "")" : ""
      let other = SettingName(beside).flag + value
      return "apnsim: warning: \(SettingName(name).flag) has no effect with \(other)"
    }
  }

  /// Variables that look like a setting of ours but for a slip of the finger.
  private var misspelt: [String] {
    let known = PlanSetting.all.map { SettingName($0.name).variable }
    return environment.keys.sorted().compactMap { variable in
      guard variable.hasPrefix("APNSIM_"), !known.contains(variable), !Self.others.contains(variable),
        let meant = NearestName.find(variable, among: known)
      else { return nil }
      return "apnsim: warning: \(variable) is not a setting; did you mean \(meant)?"
    }
  }

  /// Variables of ours that are no settings of `serve`: what commands and providers read, and where recipes find the program.
  private static let others: Set<String> = [
    "APNSIM_CA_FILE", "APNSIM_PROVIDER_CERT", "APNSIM_PROVIDER_KEY", "APNSIM_PROVIDER_P12",
    "APNSIM_CONTROL_URL", "APNSIM_SANDBOX", "APNSIM_TEAM_ID", "APNSIM_BIN",
  ]
}

import APNSimScenario

extension SettingLayers {
  /// Variables that look like a setting of ours but for a slip of the finger.
  var warnings: [String] {
    let known = PlanSetting.all.map { SettingName($0.name).variable }
    return environment.keys.sorted().compactMap { variable in
      guard variable.hasPrefix("APNSIM_"), !known.contains(variable), !Self.others.contains(variable),
        let meant = NearestName.find(variable, among: known)
      else { return nil }
      return "apnsim: warning: \(variable) is no setting; did you mean \(meant)?"
    }
  }

  /// Variables of ours that are no settings of `serve`.
  private static let others: Set<String> = [
    "APNSIM_CA_FILE", "APNSIM_PROVIDER_CERT", "APNSIM_PROVIDER_KEY", "APNSIM_PROVIDER_P12",
    "APNSIM_CONTROL_URL",
  ]
}

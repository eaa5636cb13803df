import APNSimCore
import APNSimState
import APNSimTLS
import APNSimWire

extension StateIdentity {
  /// The settings that decide outcomes, by name: another start is a mistake where they differ.
  /// - Parameters:
  ///   - before: what the state that is there began with.
  ///   - tokenKey: the key of device tokens, of which the digest is kept.
  init(_ plan: ServePlan, seed: UInt64, tokenKey: [UInt8], before: StateIdentity?) {
    self.init()
    add("seed", "\(seed)")
    add("clock", plan.scenario.clock?.text ?? "real")
    let defaults = Configuration()
    for setting in Setting.all {
      let name = "setting \(setting.name)"
      let text = setting.text(in: plan.configuration)
      // A setting that a later version adds had its default before.
      if let before, before[name] == nil, text == setting.text(in: defaults) { continue }
      add(name, text)
    }
    let digest = tokenKey.withUnsafeBytes { SHA256Digest($0) }
    add("token key", "one of digest \(String(digest?.first ?? 0, radix: 16))")
    for part in plan.scenario.parts { add("key \(part.key) of the scenario", part.value) }
  }
}

extension ClockSetting {
  /// As the setting takes it: `real`, `virtual`, `virtual@2012-06-01T00:00:00.000Z`.
  fileprivate var text: String {
    switch self {
    case .real: "real"
    case .virtual(let start): "virtual" + (start.map { "@\($0)" } ?? "")
    }
  }
}

extension Scenario {
  /// Its members as JSON, so that what differs can be named; without the clock, which a flag may have set.
  fileprivate var parts: [(key: String, value: String)] {
    var scenario = self
    scenario.clock = nil
    var writer = JSONWriter()
    scenario.write(to: &writer)
    let members = (try? JSONValue.parse(writer.bytes))?.objectValue ?? []
    return members.filter { $0.key != "version" }.map { member in
      var writer = JSONWriter()
      writer.value(member.value)
      return (member.key, String(decoding: writer.bytes, as: UTF8.self))
    }
  }
}

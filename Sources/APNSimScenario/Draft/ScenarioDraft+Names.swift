import APNSimCore
import APNSimWire
import Yams

/// Names that parts of a file use for what other parts define.
extension ScenarioDraft {
  /// Reports a device that nothing in the file adds. A token in hex digits names one too: the file's own, or one of the
  /// usual size, whose device is made on first sight.
  @discardableResult
  func noteDevice(_ value: Value) -> Bool {
    guard let name = value.scalar, devices[name] == nil else { return true }
    if let token = Hex.decode(name), tokens[token] != nil || token.count == 32 { return true }
    value.report(
      "no device is called \"\(name)\"",
      suggestion: NearestName.find(name, among: devices.keys.sorted())
    )
    return false
  }

  /// Keeps a connection's name until all the traffic is known.
  mutating func noteConnection(_ value: Value) { connectionNames.append(value) }

  /// As above, for the plain `connection` of a query.
  mutating func noteConnections(in fields: Fields) {
    for key in ["where", "inbox"] {
      guard let value = fields[key], case .mapping = value.node else { continue }
      for entry in value.entries("a mapping") {
        if key == "where", entry.name == "connection", entry.value.scalar != nil {
          noteConnection(entry.value)
        }
        guard key == "inbox", entry.name == "where", case .mapping = entry.value.node else { continue }
        for inner in entry.value.entries("a mapping") where inner.name == "connection" {
          if inner.value.scalar != nil { noteConnection(inner.value) }
        }
      }
    }
  }

  /// Reports names of connections that no step of the traffic has. The simulator's own (`c3`) are left alone.
  func checkConnections() {
    let known = script.providers.keys.sorted()
    for value in connectionNames {
      guard let name = value.scalar, script.providers[name] == nil, ConnectionID(name) == nil else {
        continue
      }
      value.report(
        "no connection of the traffic is called \"\(name)\"",
        suggestion: NearestName.find(name, among: known)
      )
    }
  }
}

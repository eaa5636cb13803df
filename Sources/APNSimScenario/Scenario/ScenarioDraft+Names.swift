import APNSimCore
import APNSimWire
import Yams

/// Names that parts of a file use for what other parts define.
extension ScenarioDraft {
  /// Reports a device that nothing in the file adds; a token in hex digits names one too.
  @discardableResult
  func noteDevice(_ value: Value) -> Bool {
    guard let name = value.scalar, devices[name] == nil, Hex.decode(name) == nil else { return true }
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

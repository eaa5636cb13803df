/// The first lines that `serve` prints: where it listens, which certificates to use, what to try.
struct Banner {
  /// One pair of listeners.
  struct Pair {
    /// `127.0.0.1:2195`
    var gateway: String
    var feedback: String
    /// What stands before the second pair: `sandbox`.
    var environment: String?
  }

  var pairs: [Pair]
  /// Where devices connect: `127.0.0.1:5223`.
  var devices: String?
  /// The control API: `http://127.0.0.1:2199`.
  var control: String?
  var authority: String
  /// The provider's files, the ones people need first.
  var provider: [String]
  var topic: String
  var seed: UInt64
  /// Nil for the real clock.
  var clock: String?
  /// The name of the scenario, if there is one.
  var scenario: String?
  /// What `send` takes to find the server beside `--demo`; nothing where it is in its usual place.
  var place: [String] = []

  func lines(_ style: Style) -> [String] {
    var lines = [
      style.paint("apnsim \(Apnsim.version)", .bold) + " · Apple Push Notification service simulator"
    ]
    for pair in pairs {
      let gateway = "binary, TLS   \(pair.gateway)"
      let padding = String(repeating: " ", count: max(1, 34 - gateway.count))
      lines.append(
        row(pair.environment ?? "gateway", "\(gateway)\(padding)feedback  binary, TLS  \(pair.feedback)")
      )
    }
    if let devices { lines.append(row("devices", "JSON, TLS     \(devices)")) }
    if let control { lines.append(row("control", "HTTP          \(control)")) }
    lines.append(
      row("CA", "\(authority)      provider  \(provider.joined(separator: "  "))   topic \(topic)")
    )
    var state = "\(seed)"
    if let clock { state += "      clock  \(clock)" }
    if let scenario { state += "      scenario  \(scenario)" }
    lines.append(row("seed", state))
    let demo = (["apnsim send --demo"] + place.map(ShellWord.quoted)).joined(separator: " ")
    lines.append(row("try", "\(style.paint(demo, .cyan))          stop  Ctrl-C"))
    return lines
  }

  private func row(_ name: String, _ text: String) -> String {
    "  \(name)\(String(repeating: " ", count: max(1, 10 - name.count)))\(text)"
  }
}

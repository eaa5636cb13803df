internal import APNSimTLS

/// What in a configuration does not fit together, each with what was expected and found.
public struct ServerConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
  public var problems: [String]

  public var description: String { problems.joined(separator: "; ") }
}

extension ServerConfiguration {
  /// Checks everything that one value alone cannot tell.
  /// - Throws: every problem at once.
  public func validate() throws(ServerConfigurationError) {
    let problems = portProblems + rangeProblems + controlProblems
    guard problems.isEmpty else { throw ServerConfigurationError(problems: problems) }
  }

  private var portProblems: [String] {
    var problems: [String] = []
    var taken: [Int: String] = [:]
    for plan in plans {
      guard (0...65_535).contains(plan.port) else {
        problems.append("\(plan.setting): expected a port from 0 to 65535, found \(plan.port)")
        continue
      }
      guard plan.port != 0 else { continue }
      if let other = taken[plan.port] {
        problems.append(
          "\(plan.setting): port \(plan.port) is \(other)'s already; each listener needs its own"
        )
      }
      taken[plan.port] = plan.setting
    }
    if control.isOn, !listening.ephemeral, control.port != 0, let other = taken[control.port] {
      problems.append(
        "controlPort: port \(control.port) is \(other)'s already; each listener needs its own"
      )
    }
    return problems
  }

  /// Who can reach the control API can do everything with it.
  private var controlProblems: [String] {
    guard control.isOn else { return [] }
    var problems: [String] = []
    if !(0...65_535).contains(control.port) {
      problems.append("controlPort: expected a port from 0 to 65535, found \(control.port)")
    }
    if control.token == "" { problems.append("controlToken: expected a token, found nothing") }
    if !listening.isLoopback, control.token == nil, !control.isInsecure {
      problems.append(
        "host: beyond loopback the control API needs controlToken (--control-token TOKEN), or noControl "
          + "(--no-control), or insecureControl (--insecure-control)"
      )
    }
    return problems
  }

  /// A year: nothing that is measured in nanoseconds overflows by it, several times over.
  private static let longestTime = Duration.seconds(365 * 86_400)

  private var rangeProblems: [String] {
    var problems: [String] = []
    func require(_ holds: Bool, _ problem: @autoclosure () -> String) {
      if !holds { problems.append(problem()) }
    }
    require(
      tls.minimum <= tls.maximum,
      "tlsMin: \(tls.minimum.rawValue) is above tlsMax, which is \(tls.maximum.rawValue)"
    )
    require(
      tls.trust == .authority || (tls.clientAuthorityFiles.isEmpty && tls.revocationListFiles.isEmpty),
      "trust: any believes every certificate, so clientCa and crl cannot be given with it"
    )
    require(listening.host != "", "host: expected an address or a name, found nothing")
    func require(_ time: Duration, _ name: String, in range: ClosedRange<Duration>, _ reason: String = "") {
      let (least, most) = (DurationText.text(range.lowerBound), DurationText.text(range.upperBound))
      require(
        range.contains(time),
        "\(name): expected \(least) to \(most)\(reason), found \(DurationText.text(time))"
      )
    }
    require(timing.readDelay, "readDelay", in: .zero ... .seconds(1))
    require(timing.linger, "linger", in: .milliseconds(1)...Self.longestTime)
    require(timing.idleTimeout, "idleTimeout", in: .milliseconds(1)...Self.longestTime)
    require(timing.handshakeTimeout, "handshakeTimeout", in: .milliseconds(1)...Self.longestTime)
    require(
      timing.feedbackPause,
      "feedbackPause",
      in: .milliseconds(50)...Self.longestTime,
      " (with less, clients lose the last tuple)"
    )
    require(timing.drain, "drain", in: .zero...Self.longestTime)
    require(timing.silence, "silence", in: .zero...Self.longestTime)
    require(capacity.connections >= 1, "maxConnections: expected at least 1, found \(capacity.connections)")
    require(capacity.handshakes >= 1, "maxHandshakes: expected at least 1, found \(capacity.handshakes)")
    require((1...256).contains(capacity.loops ?? 1), "loops: expected 1 to 256")
    require(!files.certificates.isEmpty, "certs: expected a directory, found nothing")
    return problems
  }
}

extension ServerConfiguration.Listening {
  /// Whether only this machine can connect.
  package var isLoopback: Bool {
    host.map { Self.isLoopback($0) } ?? true
  }

  /// Whether a name or address, without brackets, is this machine's own by its form: 127.0.0.0/8, ::1, localhost. Any
  /// other name may lead anywhere.
  package static func isLoopback(_ name: some StringProtocol) -> Bool {
    if ["localhost", "::1"].contains(name.lowercased()) { return true }
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }
}

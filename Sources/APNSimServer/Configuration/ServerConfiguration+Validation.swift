import APNSimCore
import APNSimTLS
import APNSimWire

/// The problems of a configuration, each with what was expected and found.
public struct ServerConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
  public var problems: [String]

  public var description: String { problems.joined(separator: "; ") }
}

extension ServerConfiguration {
  /// Checks the values and how they fit together.
  /// - Throws: every problem at once.
  public func validate() throws(ServerConfigurationError) {
    let problems = valueProblems + portProblems + tlsProblems + keyProblems + controlProblems
    guard problems.isEmpty else { throw ServerConfigurationError(problems: problems) }
  }

  /// Problems of single values: a configuration made in code may have values that no setting accepts.
  private var valueProblems: [String] {
    var problems: [String] = []
    var scratch = self
    for setting in ServerSetting.all {
      do throws(SettingFailure) {
        try setting.apply(setting.text(in: self), to: &scratch)
      } catch {
        problems.append(error.description)
      }
    }
    if timing.silence < .zero { problems.append("silence: expected a duration, found \(timing.silence)") }
    return problems
  }

  private var portProblems: [String] {
    var problems: [String] = []
    var taken: [Int: String] = [:]
    for plan in plans where plan.port != 0 {
      if let other = taken[plan.port] {
        problems.append(
          "\(plan.setting): port \(plan.port) is already used by \(other); each listener needs its own"
        )
      }
      taken[plan.port] = plan.setting
    }
    if control.isOn, !listening.ephemeral, control.port != 0, let other = taken[control.port] {
      problems.append(
        "controlPort: port \(control.port) is already used by \(other); each listener needs its own"
      )
    }
    return problems
  }

  /// Problems of the control API, which allows everything to everybody who can reach it.
  private var controlProblems: [String] {
    if let token = control.token?.utf8,
      token.first == 0x20 || token.last == 0x20 || !token.allSatisfy(isOfHeader)
    {
      return [
        "controlToken: expected no control character and no space at its ends, which no header can have"
      ]
    }
    guard control.isOn, !listening.isLoopback, control.token == nil, !control.isInsecure else { return [] }
    return [
      "host: beyond loopback the control API needs controlToken (--control-token TOKEN), or noControl "
        + "(--no-control), or insecureControl (--insecure-control)"
    ]
  }

  private func isOfHeader(_ byte: UInt8) -> Bool { byte >= 0x20 && byte != 0x7F }

  /// Problems of the keys of provider tokens: each needs an identifier, and one that is a text has no name to take it from.
  private var keyProblems: [String] {
    let files = requests.authKeys.map { ProviderKeyFile($0) }
    let nameless = files.filter { $0.id == nil }
    let texts = nameless.filter(\.isText)
    guard texts.count <= 1 else {
      return ["authKey: one key may be given as its text, found \(texts.count): the others belong into files"]
    }
    guard let keyID = requests.keyID else {
      guard !texts.isEmpty else { return [] }
      return ["authKey: a key that is given as its text needs keyId (--key-id ID, APNSIM_KEY_ID)"]
    }
    if !PKIDirectory.isProviderKeyID(keyID) {
      return ["keyId: expected up to 64 letters and digits, found \(KeyText.found(keyID))"]
    }
    if nameless.count > 1 {
      return ["keyId: it is for one key, and \(nameless.count) have no identifier in their names"]
    }
    let named = files.compactMap(\.id)
    guard nameless.isEmpty, !named.isEmpty, !named.contains(keyID) else { return [] }
    return [
      "keyId: expected \(named.joined(separator: " or ")), as the name of the key's file says, found \"\(keyID)\""
    ]
  }

  private var tlsProblems: [String] {
    var problems: [String] = []
    if tls.minimum > tls.maximum {
      problems.append(
        "the lowest TLS version (tlsMin, \(tls.minimum.rawValue)) is above the highest (tlsMax, \(tls.maximum.rawValue))"
      )
    }
    if tls.trust == .any, !tls.clientAuthorityFiles.isEmpty || !tls.revocationListFiles.isEmpty {
      problems.append("trust: any accepts every certificate, so clientCa and crl cannot be given with it")
    }
    return problems
  }
}

extension ServerConfiguration.Listening {
  /// True if only this machine can connect.
  package var isLoopback: Bool {
    host.map { Self.isLoopback($0) } ?? true
  }

  /// True if a name or address, without brackets, is a loopback one by its form: 127.0.0.0/8, ::1, localhost. Any
  /// other name may resolve to anything.
  package static func isLoopback(_ name: some StringProtocol) -> Bool {
    if ["localhost", "::1"].contains(name.lowercased()) { return true }
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127"
      && parts.allSatisfy { part in
        UInt8(part) != nil && part.utf8.allSatisfy { (0x30...0x39).contains($0) }
      }
  }
}

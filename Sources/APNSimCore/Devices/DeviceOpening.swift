/// The facts of a device that connects: who it is, as its certificate says.
package struct DeviceOpening: Hashable, Sendable {
  /// The device's address and port, for people: `127.0.0.1:51234`.
  package var peer: String
  /// The certificate's common name, which is the device's name.
  package var device: String
  /// The certificate's subject in one line, for people.
  package var subject: String
  /// The environment of apps for which the device names none.
  package var environment: PushEnvironment
  /// `1.2` and the cipher's name; empty where no TLS is involved.
  package var tlsVersion: String
  package var cipher: String

  package init(
    peer: String,
    device: String,
    subject: String,
    environment: PushEnvironment = .production,
    tlsVersion: String = "",
    cipher: String = ""
  ) {
    self.peer = peer
    self.device = device
    self.subject = subject
    self.environment = environment
    self.tlsVersion = tlsVersion
    self.cipher = cipher
  }
}

extension DeviceOpening: KeptByMembers {
  static let members = Members(Self.init, \.peer, \.device, \.subject, \.environment, \.tlsVersion, \.cipher)
}

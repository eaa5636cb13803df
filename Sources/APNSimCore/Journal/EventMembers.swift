import APNSimWire

// The types of members that several events have.

extension JSONWriter {
  mutating func app(_ app: AppKey) { app.writeMembers(to: &self) }

  mutating func provider(_ provider: ProviderIdentity) {
    key("provider")
    beginObject()
    provider.writeMembers(to: &self)
    endObject()
  }

  mutating func tls(_ version: String, _ cipher: String) {
    key("tls")
    beginObject()
    member("version", version)
    member("cipher", cipher)
    endObject()
  }

  mutating func registration(_ device: String, _ app: AppKey, _ token: [UInt8]) {
    member("device", device)
    self.app(app)
    member("token", hex: token)
  }
}

extension ConnectionOpening {
  func writeMembers(
    to writer: inout JSONWriter,
    _ id: ConnectionID,
    _ listener: Listener,
    _ ordinal: UInt32
  ) {
    writer.member("connection", id.description)
    writer.member("ordinal", ordinal)
    writer.member("listener", listener.rawValue)
    writer.member("peer", peer)
    writer.provider(provider)
    writer.tls(tlsVersion, cipher)
  }
}

extension DeviceOpening {
  func writeMembers(to writer: inout JSONWriter, _ id: ConnectionID) {
    writer.member("connection", id.description)
    writer.member("listener", Listener.device.rawValue)
    writer.member("peer", peer)
    writer.member("device", device)
    writer.member("subject", subject)
    writer.member("environment", environment.rawValue)
    writer.tls(tlsVersion, cipher)
  }
}

extension ClockChange {
  func writeMembers(to writer: inout JSONWriter) {
    switch self {
    case .advanced(let span): writer.member("advancedBy", span.description)
    case .set(let moment): writer.member("setTo", moment.description)
    case .frozen: writer.member("clock", "frozen")
    case .resumed: writer.member("clock", "running")
    }
  }
}

internal import APNSimWire

// What the members of several events are made of.

extension JSONWriter {
  mutating func field(_ name: StaticString, _ value: String) {
    key(name)
    string(value)
  }

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
    field("version", version)
    field("cipher", cipher)
    endObject()
  }

  mutating func registration(_ device: String, _ app: AppKey, _ token: [UInt8]) {
    field("device", device)
    self.app(app)
    key("token")
    hex(token)
  }
}

extension ConnectionOpening {
  func writeMembers(
    to writer: inout JSONWriter,
    _ id: ConnectionID,
    _ listener: Listener,
    _ ordinal: UInt32
  ) {
    writer.field("connection", id.description)
    writer.key("ordinal")
    writer.int(ordinal)
    writer.field("listener", listener.rawValue)
    writer.field("peer", peer)
    writer.provider(provider)
    writer.tls(tlsVersion, cipher)
  }
}

extension DeviceOpening {
  func writeMembers(to writer: inout JSONWriter, _ id: ConnectionID) {
    writer.field("connection", id.description)
    writer.field("listener", Listener.device.rawValue)
    writer.field("peer", peer)
    writer.field("device", device)
    writer.field("subject", subject)
    writer.field("environment", environment.rawValue)
    writer.tls(tlsVersion, cipher)
  }
}

extension ClockChange {
  func writeMembers(to writer: inout JSONWriter) {
    switch self {
    case .advanced(let span): writer.field("advancedBy", span.description)
    case .set(let moment): writer.field("setTo", moment.description)
    case .frozen: writer.field("clock", "frozen")
    case .resumed: writer.field("clock", "running")
    }
  }
}

internal import APNSimCore
internal import APNSimWire

/// The members of the rarer inputs.
struct OtherInput {
  var connection: ConnectionID?
  var listener: Listener
  var ordinal: UInt32
  var peer: String
  var reason: String
  var subject: String
  var provider: ProviderIdentity?
  var count: Int

  init(_ fields: borrowing LineFields) {
    connection = fields.string("connection").flatMap { ConnectionID($0) }
    listener = fields.string("listener").flatMap(Listener.init(rawValue:)) ?? .gateway
    ordinal = fields.int("ordinal").flatMap { UInt32(exactly: $0) } ?? 0
    peer = fields.string("peer") ?? ""
    reason = fields.string("reason") ?? ""
    subject = fields.string("subject") ?? ""
    provider = fields.value("provider").map { ProviderIdentity($0) }
    count = Int(clamping: fields.int("count") ?? fields.int("seconds") ?? 0)
  }
}

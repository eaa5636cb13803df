/// A notification frame to be encoded, as `send`, replay and the tests put it on the wire.
///
/// The encoder writes frames that a gateway must refuse (a token of 31 bytes, an item twice), since a simulator's
/// provider has to be able to misbehave. A field of more than 65,535 bytes, the most its length field can declare, is
/// cut there.
package struct NotificationFrame: Hashable, Sendable {
  /// 0, 1 or 2. Any other value is written with the layout of command 2.
  package var command: UInt8
  /// The notification identifier. Command 1 writes 0 for nil, command 2 leaves the item out, command 0 has no field
  /// for it.
  package var identifier: NotificationIdentifier?
  /// The expiration date in seconds since 1970 UTC; nil is written as for the identifier.
  package var expiry: UInt32?
  /// The priority, of command 2 only: 10 or 5. Nil leaves the item out, which means 10.
  package var priority: UInt8?
  package var token: [UInt8]
  package var payload: [UInt8]
  /// The item identifiers in the order of writing, of command 2 only. One may be left out or named twice; an item
  /// whose value is nil is skipped.
  package var itemOrder: [UInt8]

  package init(
    command: UInt8,
    identifier: NotificationIdentifier? = nil,
    expiry: UInt32? = nil,
    priority: UInt8? = nil,
    token: [UInt8],
    payload: [UInt8],
    itemOrder: [UInt8] = [1, 2, 3, 4, 5]
  ) {
    self.command = command
    self.identifier = identifier
    self.expiry = expiry
    self.priority = priority
    self.token = token
    self.payload = payload
    self.itemOrder = itemOrder
  }

  package func encode() -> [UInt8] {
    var bytes: [UInt8] = []
    encode(into: &bytes)
    return bytes
  }

  /// Appends the frame to `output`.
  package func encode(into output: inout [UInt8]) {
    output.append(command)
    switch command {
    case 0:
      output.append(lengthPrefixed: token)
      output.append(lengthPrefixed: payload)
    case 1:
      output.append(bigEndian: identifier?.rawValue ?? 0)
      output.append(bigEndian: expiry ?? 0)
      output.append(lengthPrefixed: token)
      output.append(lengthPrefixed: payload)
    default:
      let items = itemOrder.flatMap(item)
      output.append(bigEndian: UInt32(clamping: items.count))
      output.append(contentsOf: items)
    }
  }

  /// The encoded item; empty when it has no value.
  private func item(_ id: UInt8) -> [UInt8] {
    guard let data = data(ofItem: id) else { return [] }
    var bytes = [id]
    bytes.append(lengthPrefixed: data)
    return bytes
  }

  private func data(ofItem id: UInt8) -> [UInt8]? {
    switch id {
    case 1: token
    case 2: payload
    case 3: identifier?.bytes
    case 4: expiry.map { NotificationIdentifier(rawValue: $0).bytes }
    case 5: priority.map { [$0] }
    default: nil
    }
  }
}

extension NotificationFrame {
  /// Copies the fields of `frame` out of the buffer it was read from.
  package init(_ frame: Frame, in buffer: UnsafeRawBufferPointer) {
    self.init(
      command: frame.command,
      identifier: frame.hasIdentifier ? frame.identifier : nil,
      expiry: frame.hasExpiry ? frame.expiry : nil,
      priority: frame.hasPriority ? frame.priority : nil,
      token: Array(buffer[frame.token]),
      payload: Array(buffer[frame.payload])
    )
  }
}

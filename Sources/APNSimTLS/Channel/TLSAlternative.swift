import COpenSSL

/// Another context of a listener, for clients that offer one of its application protocols (RFC 7301). Everybody else
/// meets the listener's own and nothing of this one.
package struct TLSAlternative {
  let context: TLSContext
  /// Called once it has been chosen, before the client's certificate is judged.
  let chosen: () -> Void

  package init(_ context: TLSContext, chosen: @escaping () -> Void) {
    (self.context, self.chosen) = (context, chosen)
  }

  /// True if the ClientHello that is being read offers a protocol of the context.
  func isOffered(by ssl: OpaquePointer) -> Bool {
    guard let offer = ClientHello.field(TLSEXT_TYPE_application_layer_protocol_negotiation, of: ssl) else {
      return false
    }
    // `length u16`, then `length u8 | name`, repeated.
    let names = offer.dropFirst(2)
    return context.applicationProtocols.contains { Self.place(of: $0, in: names) != nil }
  }

  /// The index of a name's first byte in a list of `length u8 | name`, repeated; nil where it is not there.
  static func place(of wanted: [UInt8], in list: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
    var rest = list
    while let count = rest.popFirst() {
      let name = rest.prefix(Int(count))
      if name.count == count, name.elementsEqual(wanted) { return name.startIndex }
      rest = rest.dropFirst(Int(count))
    }
    return nil
  }
}

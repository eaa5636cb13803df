package import APNSimCore

/// A TCP segment of a captured packet (RFC 9293, section 3.1), as far as reassembly needs it.
package struct TCPSegment: Sendable {
  package struct Flags: OptionSet, Hashable, Sendable {
    package var rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let fin = Flags(rawValue: 0x01)
    package static let syn = Flags(rawValue: 0x02)
    package static let rst = Flags(rawValue: 0x04)
    package static let psh = Flags(rawValue: 0x08)
    package static let ack = Flags(rawValue: 0x10)
  }

  package var time: Timestamp
  package var source: NetworkEndpoint
  package var destination: NetworkEndpoint
  package var sequence: UInt32
  package var acknowledgement: UInt32
  package var flags: Flags
  package var payload: ArraySlice<UInt8>
  /// The number of payload bytes after `payload` that the capture's snap length cut off.
  package var cutOff = 0
}

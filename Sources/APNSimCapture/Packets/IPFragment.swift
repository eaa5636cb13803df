package import APNSimCore

/// A part of a fragmented IP packet that carries TCP (RFC 791, section 3.2; RFC 8200, section 4.5).
package struct IPFragment: Sendable {
  /// What the parts of one packet have in common; the endpoints are addresses, without ports.
  package struct Key: Hashable, Sendable {
    package var source: NetworkEndpoint
    package var destination: NetworkEndpoint
    package var identification: UInt32
  }

  package var key: Key
  package var time: Timestamp
  /// Where its bytes belong behind the IP header, and whether nothing follows them.
  package var offset: Int
  package var isLast: Bool
  package var bytes: ArraySlice<UInt8>
}

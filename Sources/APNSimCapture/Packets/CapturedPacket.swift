package import APNSimCore

/// One packet of a capture file, as much of it as was captured.
package struct CapturedPacket: Sendable {
  /// Its place among the packets of the file, from 1, as Wireshark numbers them.
  package var number: Int
  /// When it was captured; a packet without a time has that of the one before it.
  package var time: Timestamp
  package var link: LinkType
  package var bytes: ArraySlice<UInt8>
  /// How long it was on the wire, in bytes; more than `bytes` when the capture's snap length cut it.
  package var wireLength: Int
}

package import APNSimWire

/// How many of a connection's notifications went where; the sum of the last three is the first at every moment.
public struct ConnectionCounts: Hashable, Sendable {
  public var received: UInt64 = 0
  public var accepted: UInt64 = 0
  public var rejected: UInt64 = 0
  public var discarded: UInt64 = 0

  public init() {}
}

extension ConnectionCounts {
  /// `"received":12,"accepted":11,"rejected":1,"discarded":0`, in an object that the caller has begun.
  package func writeMembers(to writer: inout JSONWriter) {
    writer.member("received", received)
    writer.member("accepted", accepted)
    writer.member("rejected", rejected)
    writer.member("discarded", discarded)
  }
}

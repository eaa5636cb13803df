package import APNSimWire

/// The answer to a request, in the byte that a record has for it: a reason by its number, 0 for 200 without one.
package struct RequestStatus: BitwiseCopyable, Hashable, Sendable {
  package let rawValue: UInt8

  init(_ rawValue: UInt8) { self.rawValue = rawValue }

  init(_ reason: Reason?) { rawValue = reason?.rawValue ?? 0 }

  package var reason: Reason? { Reason(rawValue: rawValue) }

  /// 200, 400 …; nil for a byte that no answer has.
  package var number: UInt16? { rawValue == 0 ? 200 : reason?.status }
}

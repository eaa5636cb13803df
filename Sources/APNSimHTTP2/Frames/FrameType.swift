/// The type of a frame (RFC 9113 section 6). An open set: unknown types are ignored (section 4.1).
package struct FrameType: RawRepresentable, Hashable, Sendable, BitwiseCopyable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let data = Self(rawValue: 0)
  package static let headers = Self(rawValue: 1)
  package static let priority = Self(rawValue: 2)
  package static let resetStream = Self(rawValue: 3)
  package static let settings = Self(rawValue: 4)
  package static let pushPromise = Self(rawValue: 5)
  package static let ping = Self(rawValue: 6)
  package static let goAway = Self(rawValue: 7)
  package static let windowUpdate = Self(rawValue: 8)
  package static let continuation = Self(rawValue: 9)
}

/// The flags of a frame. The same bit means another thing in another type of frame.
package struct FrameFlags: OptionSet, Hashable, Sendable, BitwiseCopyable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// DATA and HEADERS: the sender's last frame on the stream.
  package static let endStream = Self(rawValue: 0x01)
  /// SETTINGS and PING: an acknowledgement.
  package static let acknowledgement = Self(rawValue: 0x01)
  /// HEADERS and CONTINUATION: the header block ends here.
  package static let endHeaders = Self(rawValue: 0x04)
  /// DATA and HEADERS: padding.
  package static let padded = Self(rawValue: 0x08)
  /// HEADERS: five bytes of priority.
  package static let priority = Self(rawValue: 0x20)
}

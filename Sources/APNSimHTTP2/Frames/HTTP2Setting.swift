/// A parameter of a SETTINGS frame (RFC 9113 section 6.5.1): identifier u16, value u32. An open set.
package struct HTTP2Setting: Hashable, Sendable, BitwiseCopyable {
  package var identifier: UInt16
  package var value: UInt32

  package init(identifier: UInt16, value: UInt32) {
    self.identifier = identifier
    self.value = value
  }

  package static func headerTableSize(_ bytes: UInt32) -> Self { Self(identifier: 1, value: bytes) }
  package static func enablePush(_ isEnabled: Bool) -> Self { Self(identifier: 2, value: isEnabled ? 1 : 0) }
  package static func maximumConcurrentStreams(_ count: UInt32) -> Self { Self(identifier: 3, value: count) }
  package static func initialWindowSize(_ bytes: UInt32) -> Self { Self(identifier: 4, value: bytes) }
  package static func maximumFrameSize(_ bytes: UInt32) -> Self { Self(identifier: 5, value: bytes) }
  package static func maximumHeaderListSize(_ bytes: UInt32) -> Self { Self(identifier: 6, value: bytes) }
}

/// The settings of one side that bind the other, at first the protocol's defaults (RFC 9113 section 6.5.2).
package struct Settings: Hashable, Sendable, BitwiseCopyable {
  package var headerTableSize: UInt32 = 4096
  package var allowsPush = true
  /// Unlimited at first.
  package var maximumConcurrentStreams: UInt32 = .max
  package var initialWindowSize: UInt32 = 65_535
  package var maximumFrameSize: UInt32 = 16_384
  /// Unlimited at first.
  package var maximumHeaderListSize: UInt32 = .max

  package init() {}

  /// Takes a parameter; returns what is wrong with it. Unknown ones are ignored.
  package mutating func apply(_ setting: HTTP2Setting) -> ConnectionError? {
    switch setting.identifier {
    case 1: headerTableSize = setting.value
    case 2:
      guard setting.value <= 1 else {
        return ConnectionError(.protocolError, "SETTINGS_ENABLE_PUSH is 0 or 1, found \(setting.value)")
      }
      allowsPush = setting.value == 1
    case 3: maximumConcurrentStreams = setting.value
    case 4:
      guard setting.value <= 0x7FFF_FFFF else {
        return ConnectionError(
          .flowControlError,
          "SETTINGS_INITIAL_WINDOW_SIZE is at most 2147483647, found \(setting.value)"
        )
      }
      initialWindowSize = setting.value
    case 5:
      guard (16_384...16_777_215).contains(setting.value) else {
        return ConnectionError(
          .protocolError,
          "SETTINGS_MAX_FRAME_SIZE is 16384 to 16777215, found \(setting.value)"
        )
      }
      maximumFrameSize = setting.value
    case 6: maximumHeaderListSize = setting.value
    default: break
    }
    return nil
  }
}

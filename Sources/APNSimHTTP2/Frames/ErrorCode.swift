/// The reason why a stream or a connection ended (RFC 9113 section 7). An open set: a number that is read may be any.
package struct ErrorCode: RawRepresentable, Hashable, Sendable, BitwiseCopyable {
  package let rawValue: UInt32

  package init(rawValue: UInt32) { self.rawValue = rawValue }

  package static let noError = Self(rawValue: 0)
  package static let protocolError = Self(rawValue: 1)
  package static let internalError = Self(rawValue: 2)
  package static let flowControlError = Self(rawValue: 3)
  package static let settingsTimeout = Self(rawValue: 4)
  package static let streamClosed = Self(rawValue: 5)
  package static let frameSizeError = Self(rawValue: 6)
  package static let refusedStream = Self(rawValue: 7)
  package static let cancel = Self(rawValue: 8)
  package static let compressionError = Self(rawValue: 9)
  package static let connectError = Self(rawValue: 10)
  package static let enhanceYourCalm = Self(rawValue: 11)
  package static let inadequateSecurity = Self(rawValue: 12)
  package static let http11Required = Self(rawValue: 13)
}

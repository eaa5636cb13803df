/// The headers of a request that have white space at the ends of their values.
package struct HeaderWhiteSpace: OptionSet, BitwiseCopyable, Hashable, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let authorization = HeaderWhiteSpace(rawValue: 1)
  /// One of `apns-…`.
  package static let apns = HeaderWhiteSpace(rawValue: 2)
}

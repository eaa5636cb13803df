import APNSimCore
import APNSimHTTP2
import APNSimWire

/// The values of `authorization` of one connection, by the numbers that its header compression knows them by.
///
/// The findings are kept, never the values themselves.
final class RequestAuthorizations {
  private let tokens: ProviderTokenVerifier
  private let hasCertificate: Bool
  private var found: RecentMap<UInt32, RequestAuthorization>
  private var last: UInt32 = 0

  /// - Parameter most: so many that were in use last are known, at least: those of open streams and of the compression's
  ///   table, which has fewer than a hundred.
  init(_ tokens: ProviderTokenVerifier, hasCertificate: Bool, most: Int) {
    self.tokens = tokens
    self.hasCertificate = hasCertificate
    found = RecentMap(count: most)
  }

  /// The bit of a finding about a value in which something has the shape of a provider token: it is not kept.
  static let token: UInt32 = 1 << 31

  /// The finding about a header's value (``RequestDecoder/finding(_:_:)``). That about one of `authorization` is its number;
  /// a path is looked at where its device token is.
  func finding(about value: UnsafeRawBufferPointer, of name: HeaderName) -> UInt32 {
    switch name {
    case .authorization: return self.name(value)
    case .path: return 0
    default:
      let found = RequestHeader(name).map { RequestDecoder.finding($0, value) } ?? 0
      return ProviderToken.isIn(value) ? found | Self.token : found
    }
  }

  /// Gives a value of `authorization` a number, not 0. With a certificate the header counts for nothing.
  func name(_ value: UnsafeRawBufferPointer) -> UInt32 {
    if hasCertificate { return 1 }
    last = last == .max ? 1 : last &+ 1
    found.insert(examine(value), for: last)
    return last
  }

  /// The finding about the value of a number; 0 is that of a request without the header.
  func authorization(_ number: UInt32) -> RequestAuthorization {
    if hasCertificate { return .certificate }
    guard number > 0 else { return .none }
    // One that is forgotten cannot be verified any more.
    return found.value(of: number) ?? RequestAuthorization(scheme: .bearer)
  }

  private func examine(_ value: UnsafeRawBufferPointer) -> RequestAuthorization {
    let value = value.withoutWhiteSpace
    let scheme = RequestDecoder.scheme(value)
    guard scheme == .bearer else { return RequestAuthorization(scheme: scheme) }
    let token = UnsafeRawBufferPointer(rebasing: value.dropFirst(Self.bearer.utf8CodeUnitCount))
    return .bearer(tokens.facts(of: token.withoutWhiteSpace))
  }

  private static let bearer: StaticString = "bearer "
}

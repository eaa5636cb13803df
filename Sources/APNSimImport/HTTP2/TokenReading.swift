import APNSimCapture
import APNSimCore
import APNSimWire

/// The findings about the provider tokens of a foreign capture. Nothing verifies them: any that is well-formed counts as
/// good. The tokens themselves go nowhere; they are kept to tell them apart.
package final class TokenReading {
  private var numbers: [[UInt8]: RequestAuthorization] = [:]
  private var last: UInt64 = 0
  /// The number of the token that exports have; 0 before the first.
  private var exportedNumber: UInt64 = 0

  /// The words that an export has in the place of a token.
  static let placeholder = "not-in-the-capture"

  /// The most that are known; a provider that makes one for each push needs no more.
  private static let most = 10_000

  package init() {}

  /// - Parameters:
  ///   - value: of the `authorization` header; nil for a request without one.
  ///   - time: of the request.
  func authorization(_ value: [UInt8]?, at time: Timestamp) -> RequestAuthorization {
    guard let value else { return RequestAuthorization() }
    return value.withUnsafeBytes { authorization($0, at: time) }
  }

  /// The finding about a token that a capture left out: the one that the answer tells, else one that was good.
  func leftOut(_ answer: CapturedAnswer?, at time: Timestamp) -> RequestAuthorization {
    let facts = exported(at: time)
    guard answer?.reason == Reason.expiredProviderToken.name() else { return .bearer(facts) }
    let issuedAt = (time + .hours(-2)).seconds
    return .bearer(
      ProviderTokenFacts(number: facts.number, keyID: "", teamID: "", issuedAt: issuedAt, verdict: .good)
    )
  }

  private func authorization(_ value: UnsafeRawBufferPointer, at time: Timestamp) -> RequestAuthorization {
    let scheme = RequestDecoder.scheme(value)
    guard scheme == .bearer else { return RequestAuthorization(scheme: scheme) }
    let text = Array(value.dropFirst(Self.bearer)).split(separator: UInt8(ascii: " ")).first.map(Array.init)
    let token = text ?? []
    if token.elementsEqual(Self.placeholder.utf8) { return .bearer(exported(at: time)) }
    if let known = numbers[token] { return known }
    if numbers.count >= Self.most { numbers.removeAll() }
    last += 1
    let found = RequestAuthorization.bearer(Self.facts(of: token, number: last))
    numbers[token] = found
    return found
  }

  /// The text that stands in an export in the place of a token: one that was good, of which nothing else is known.
  private func exported(at time: Timestamp) -> ProviderTokenFacts {
    if exportedNumber == 0 {
      last += 1
      exportedNumber = last
    }
    return ProviderTokenFacts(
      number: exportedNumber,
      keyID: "",
      teamID: "",
      issuedAt: time.seconds,
      verdict: .good
    )
  }

  private static let bearer = "bearer ".utf8.count

  private static func facts(of token: [UInt8], number: UInt64) -> ProviderTokenFacts {
    guard let token = try? ProviderToken.parse(token) else { return .malformed(number: number) }
    return ProviderTokenFacts(token, number: number)
  }
}

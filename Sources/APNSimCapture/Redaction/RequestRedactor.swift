import APNSimCore
import APNSimWire

/// Replaces the secrets in a request's evidence, so that it is judged as before.
///
/// The device token becomes a pseudonym, in the path as well, and the body is filled. Values of headers that the service
/// does not know are blotted out; those that it knows stay, and so does what was found about the provider token, which is
/// not there itself.
struct RequestRedactor {
  let pseudonyms: TokenPseudonyms
  let strings: StringFilling

  /// - Parameter bytes: the evidence; of bytes that are none, nothing is left.
  func redact(_ bytes: [UInt8]) -> [UInt8] {
    var output = bytes
    let isEvidence = bytes.withUnsafeBytes { raw -> Bool in
      guard let evidence = RequestEvidence(raw), let base = raw.baseAddress else { return false }
      func put(_ other: [UInt8], over place: UnsafeRawBufferPointer) {
        guard let start = place.baseAddress, other.count == place.count else { return }
        output.replaceSubrange(start - base..<start - base + other.count, with: other)
      }
      put(pseudonyms.of(Array(evidence.token), length: evidence.token.count), over: evidence.token)
      put(PayloadFiller.redact(Array(evidence.body), with: strings), over: evidence.body)
      evidence.forEachField { field in
        let value = field.value.bytes(in: raw)
        put(
          redacted(Array(value), of: String(decoding: field.name.bytes(in: raw), as: UTF8.self)),
          over: value
        )
      }
      return true
    }
    return isEvidence ? output : [UInt8](repeating: 0, count: bytes.count)
  }

  private static let path = Array("/3/device/".utf8)
  private static let kept: Set<String> = [
    "host", "content-type", "content-length", "user-agent", "accept", "accept-encoding",
  ]

  private func redacted(_ value: [UInt8], of name: String) -> [UInt8] {
    guard name != ":path" else {
      guard value.starts(with: Self.path) else { return value }
      let digits = String(decoding: value.dropFirst(Self.path.count), as: UTF8.self)
      return Self.path + Array((pseudonyms.of(hex: digits) ?? pseudonyms.replaced(in: digits)).utf8)
    }
    if name.hasPrefix(":") || name.hasPrefix("apns-") || Self.kept.contains(name) { return value }
    return [UInt8](repeating: UInt8(ascii: "x"), count: value.count)
  }
}

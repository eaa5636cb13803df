import APNSimCore
import APNSimWire

/// Replaces the secrets in a request's evidence, so that it is judged as before.
///
/// The device token becomes a pseudonym, in the path as well, the body is filled, and of the header list only what is
/// known stays (``RequestTexts``); so does what was found about the provider token, which is not there itself.
struct RequestRedactor {
  let pseudonyms: TokenPseudonyms
  let strings: StringFilling
  let texts: RequestTexts

  /// - Parameter bytes: the evidence; of bytes that are none, nothing is left.
  func redact(_ bytes: [UInt8]) -> [UInt8] {
    Self.rewrite(bytes, texts) { evidence, put in
      put(pseudonyms.of(Array(evidence.token), length: evidence.token.count), evidence.token)
      put(PayloadFiller.redact(Array(evidence.body), with: strings), evidence.body)
      guard var facts = evidence.authorization.token else { return }
      facts.keyID = pseudonyms.replaced(in: facts.keyID)
      facts.teamID = pseudonyms.replaced(in: facts.teamID)
      put(RequestAuthorization(token: facts).finding, evidence.finding)
    } ?? [UInt8](repeating: 0, count: bytes.count)
  }

  /// The evidence with the shapes of what redaction replaces in its header list: the same of a request and of the redacted
  /// one.
  static func outline(_ bytes: [UInt8]) -> [UInt8] { rewrite(bytes, RequestTexts(nil)) { _, _ in } ?? bytes }

  /// Replaces parts of evidence by others of the same lengths; nil for bytes that are none.
  private static func rewrite(
    _ bytes: [UInt8],
    _ texts: RequestTexts,
    _ body: (RequestEvidence, (_ other: [UInt8], _ place: UnsafeRawBufferPointer) -> Void) -> Void
  ) -> [UInt8]? {
    var output = bytes
    let isEvidence = bytes.withUnsafeBytes { raw -> Bool in
      guard let evidence = RequestEvidence(raw), let base = raw.baseAddress else { return false }
      func put(_ other: [UInt8], over place: UnsafeRawBufferPointer) {
        guard let start = place.baseAddress, other.count == place.count else { return }
        output.replaceSubrange(start - base..<start - base + other.count, with: other)
      }
      body(evidence) { put($0, over: $1) }
      evidence.forEachField { field in
        let (name, value) = (field.name.bytes(in: raw), field.value.bytes(in: raw))
        put(texts.name(Array(name)), over: name)
        put(texts.value(Array(value), of: String(decoding: name, as: UTF8.self)), over: value)
      }
      return true
    }
    return isEvidence ? output : nil
  }
}

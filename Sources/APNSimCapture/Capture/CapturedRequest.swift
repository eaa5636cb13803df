package import APNSimCore
import APNSimWire

/// A request of a capture as its provider sent it, but for the provider token, which no capture has.
package struct CapturedRequest: Sendable {
  package var stream: UInt32
  /// The header list in its order, pseudo-headers among it; `authorization` is empty.
  package var fields: [(name: String, value: String)]
  /// The body, as long as it was, or as one that a service reads at all; what was not kept of it is zeros.
  package var body: [UInt8]
  /// The number of these zeros.
  package private(set) var madeUp = 0
  /// The finding about the provider token, or that there was none.
  package var authorization: RequestAuthorization
  /// The provider's real time at the first sight of its token, where the recorded clock was another.
  package var realTime: Timestamp?
  /// The identifier that the provider gave it.
  package var suppliedId: String?

  /// The longest body that is made up: the simulator, for one, does not read on after so many bytes.
  private static let mostBody = 16 << 10

  /// - Parameter evidence: the encoding of `RequestEvidence`; nil for bytes that are none.
  package init?(evidence: [UInt8]) {
    let read = evidence.withUnsafeBytes { bytes -> CapturedRequest? in
      RequestEvidence(bytes).map { CapturedRequest($0) }
    }
    guard let read else { return nil }
    self = read
  }

  private init(_ evidence: RequestEvidence) {
    stream = evidence.stream
    fields = evidence.fields
    body = Array(evidence.body)
    madeUp = max(0, min(evidence.bodyByteCount, Self.mostBody) - body.count)
    body += [UInt8](repeating: 0, count: madeUp)
    authorization = evidence.authorization
    realTime = evidence.realTime
    let request = evidence.request
    suppliedId = evidence.text(of: request.isBroadcast ? request.requestId : request.messageId)
  }

  /// Leaves of the body what the capture has.
  package mutating func dropMadeUp() {
    body.removeLast(madeUp)
    madeUp = 0
  }

  /// The first value of a field.
  package func value(_ name: String) -> String? { fields.first { $0.name == name }?.value }

  /// The stream of a request's evidence; nil for bytes that are none.
  package static func stream(of evidence: [UInt8]) -> UInt32? {
    evidence.withUnsafeBytes { RequestEvidence($0)?.stream }
  }
}

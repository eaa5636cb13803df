import APNSimCore
import APNSimWire

/// The bytes of a service's answer on one connection, or of a part of it, as they are shown: error responses of the
/// gateway, or tuples of the feedback service.
package struct AnswerBytes: Hashable, Sendable {
  /// The beginning, at most `most` bytes.
  package private(set) var bytes: [UInt8]
  /// The number of all bytes, of which `bytes` may be the beginning only.
  package private(set) var count: Int
  package private(set) var isFeedback: Bool

  /// The most bytes that are kept.
  package static let most = 4096
  /// The most error responses or tuples, and the most bytes that are neither, in the text.
  private static let mostShown = 20
  private static let mostUnread = 64

  package init(_ bytes: some Collection<UInt8>, isFeedback: Bool) {
    self.init(beginning: bytes, count: bytes.count, isFeedback: isFeedback)
  }

  /// - Parameters:
  ///   - beginning: the first bytes.
  ///   - count: the number of all.
  init(beginning: some Collection<UInt8>, count: Int, isFeedback: Bool) {
    (bytes, self.count, self.isFeedback) = (Array(beginning.prefix(Self.most)), count, isFeedback)
  }

  /// The answer in words, a line for each error response or tuple; of a long one, its beginning.
  package var text: [String] {
    guard count > 0 else { return [isFeedback ? "no tuples" : "nothing"] }
    var (lines, rest) = isFeedback ? tuples : errorResponses
    if lines.count > Self.mostShown || count > bytes.count && !lines.isEmpty {
      lines = lines.prefix(Self.mostShown) + ["… \(Number.counted(count, "byte")) in all"]
    } else if !rest.isEmpty {
      let more = rest.count > Self.mostUnread ? "…" : ""
      rest = rest.prefix(Self.mostUnread)
      lines.append("\(Hex.encode(rest))\(more)  \(isFeedback ? "incomplete tuple" : "not an error response")")
    }
    return lines
  }

  private var errorResponses: (lines: [String], rest: ArraySlice<UInt8>) {
    var lines: [String] = []
    var rest = bytes[...]
    while let response = ErrorResponse(bytes: rest.prefix(ErrorResponse.byteCount)) {
      lines.append(
        "\(Hex.encode(response.bytes))  status \(response.status.rawValue) (\(response.status.name)), "
          + "identifier \(response.identifier.hex)"
      )
      rest = rest.dropFirst(ErrorResponse.byteCount)
    }
    return (lines, rest)
  }

  private var tuples: (lines: [String], rest: ArraySlice<UInt8>) {
    var decoder = FeedbackTupleDecoder()
    let lines = decoder.decode(bytes)
      .map { "\(Timestamp(seconds: Int64($0.timestamp)))  \(Hex.encode($0.token))" }
    return (lines, bytes.suffix(decoder.pendingByteCount))
  }
}

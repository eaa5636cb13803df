/// The part of a request in a digest that other notifications do not have.
package struct RequestItem: Hashable, Sendable {
  package var stream: UInt32
  package var method: String
  /// The path; of a push, without the token.
  package var path: String
  /// The identifier that its provider gave it.
  package var suppliedId: String?
  package var pushType: String?
  package var collapseId: String?
  /// As sent; nil for a request without them.
  package var priority: String?
  package var expiration: String?
  /// Nil where the capture does not have it.
  package var answer: StreamOutcome?

  static func of(_ request: CapturedRequest, answer: StreamOutcome?) -> RequestItem {
    let path = request.value(":path") ?? ""
    return RequestItem(
      stream: request.stream,
      method: request.value(":method") ?? "",
      path: path.hasPrefix(devicePath) ? devicePath : path,
      suppliedId: request.suppliedId,
      pushType: request.value("apns-push-type"),
      collapseId: request.value("apns-collapse-id"),
      priority: request.value("apns-priority"),
      expiration: request.value("apns-expiration"),
      answer: answer
    )
  }

  private static let devicePath = "/3/device/"

  /// The difference from other requests with the same token, topic and body.
  var mark: [UInt8] { Array("\(method) \(path) \(suppliedId ?? "")".utf8) }

  /// True where both were answered alike: status and reason, and `apns-id` where its provider chose it.
  func isAnsweredAs(_ other: RequestItem) -> Bool {
    guard let answer, let another = other.answer else { return true }
    var comparison = StreamComparison()
    comparison.begin(stream, suppliedId: suppliedId, recorded: answer)
    comparison.note(replayed: another, of: stream)
    return comparison.differenceCount == 0
  }

  /// The fields that differ, with both values: `apns-priority 10 → 5`.
  package func changes(to other: RequestItem, comparesTimes: Bool) -> [(
    name: String, from: String, to: String
  )] {
    func written(_ text: String?) -> String { text ?? "none" }
    var changed = [
      ("apns-push-type", written(pushType), written(other.pushType)),
      ("apns-priority", written(priority), written(other.priority)),
      ("apns-collapse-id", written(collapseId), written(other.collapseId)),
    ]
    let (one, two) = (written(expiration), written(other.expiration))
    // Two times of different runs are no difference, unless times are compared.
    let isOtherTime = Self.isTime(expiration) && Self.isTime(other.expiration)
    if comparesTimes || !isOtherTime { changed.append(("apns-expiration", one, two)) }
    return changed.filter { $0.1 != $0.2 }.map { (name: $0.0, from: $0.1, to: $0.2) }
  }

  private static func isTime(_ expiration: String?) -> Bool { (expiration.flatMap { Int64($0) } ?? 0) > 0 }
}

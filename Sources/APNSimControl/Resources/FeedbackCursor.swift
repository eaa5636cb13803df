internal import APNSimCore

/// Where a page of feedback tuples ended: behind a place in the list of one app. For people it is a word.
struct FeedbackCursor: CustomStringConvertible {
  var app: AppKey
  /// A lasting position in the list.
  var position: UInt64

  var description: String { "\(position):\(app.environment.rawValue):\(app.topic)" }
}

extension FeedbackCursor {
  init?(_ text: String) {
    let parts = text.split(separator: ":", maxSplits: 2)
    guard
      parts.count == 3,
      let position = UInt64(parts[0]),
      let environment = PushEnvironment(rawValue: String(parts[1]))
    else { return nil }
    self.init(app: AppKey(topic: String(parts[2]), environment: environment), position: position)
  }
}

/// A request in a digest, with numbers in place of texts: a capture may have many millions.
struct RequestEntry: BitwiseCopyable, Sendable {
  private enum Answer: UInt8, BitwiseCopyable, Sendable {
    case unknown, answered, reset, unanswered
  }

  private var stream: UInt32
  /// Numbers of the digest's words, from 1; 0 for none.
  private var method: UInt32
  private var path: UInt32
  private var suppliedId: UInt32
  private var pushType: UInt32
  private var collapseId: UInt32
  private var priority: UInt32
  private var expiration: UInt32
  /// The reason of an answer, the code of a reset, or why there was no answer.
  private var word: UInt32 = 0
  private var answerId: UInt32 = 0
  private var status: UInt16 = 0
  private var kind = Answer.unknown

  init(_ item: RequestItem, _ words: inout TextTable) {
    stream = item.stream
    method = words.place(of: item.method)
    path = words.place(of: item.path)
    suppliedId = words.place(of: item.suppliedId)
    pushType = words.place(of: item.pushType)
    collapseId = words.place(of: item.collapseId)
    priority = words.place(of: item.priority)
    expiration = words.place(of: item.expiration)
    if let answer = item.answer { set(answer, &words) }
  }

  mutating func set(_ outcome: StreamOutcome, _ words: inout TextTable) {
    switch outcome {
    case .answered(let answer):
      (kind, status) = (.answered, answer.status ?? 0)
      (word, answerId) = (words.place(of: answer.reason), words.place(of: answer.id))
    case .reset(let code): (kind, word) = (.reset, words.place(of: code))
    case .unanswered(let reason): (kind, word) = (.unanswered, words.place(of: reason))
    }
  }

  func item(_ words: TextTable) -> RequestItem {
    RequestItem(
      stream: stream,
      method: words.text(at: method) ?? "",
      path: words.text(at: path) ?? "",
      suppliedId: words.text(at: suppliedId),
      pushType: words.text(at: pushType),
      collapseId: words.text(at: collapseId),
      priority: words.text(at: priority),
      expiration: words.text(at: expiration),
      answer: answer(words)
    )
  }

  private func answer(_ words: TextTable) -> StreamOutcome? {
    switch kind {
    case .unknown: nil
    case .answered:
      .answered(
        CapturedAnswer(
          stream: stream,
          status: status > 0 ? status : nil,
          reason: words.text(at: word),
          id: words.text(at: answerId)
        )
      )
    case .reset: .reset(words.text(at: word) ?? "")
    case .unanswered: .unanswered(words.text(at: word))
    }
  }
}

extension TextTable {
  /// The number of a text from 1, which gets a new one where it has none; 0 for no text.
  fileprivate mutating func place(of text: String?) -> UInt32 {
    guard let text else { return 0 }
    return Array(text.utf8).withUnsafeBytes { UInt32(truncatingIfNeeded: number(of: $0) + 1) }
  }

  fileprivate func text(at place: UInt32) -> String? {
    place > 0 ? String(decoding: self[Int(place) - 1], as: UTF8.self) : nil
  }
}

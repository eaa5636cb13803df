/// The head of a fault's row: what it is called, and where and when it happens. ``FaultKind`` says more of each member.
struct FaultTitle {
  let name: String
  let tag: UInt8?
  let listeners: [Listener]
  let moment: FaultMoment
  let times: Int?

  /// - Parameter tag: a number is never given to another kind: a new kind takes the next one.
  init(
    _ name: String,
    tag: UInt8?,
    on listeners: [Listener],
    at moment: FaultMoment = .notification,
    times: Int? = nil
  ) {
    (self.name, self.tag, self.listeners, self.moment, self.times) = (name, tag, listeners, moment, times)
  }
}

/// The words of a fault for people. ``FaultKind`` says more of each member.
struct FaultWords {
  /// Its value as people write it; empty where it takes none.
  let example: String
  let meaning: String
  let details: String
  let page: [FaultSentence]
  let advice: String

  init(
    example: String = "",
    meaning: String,
    details: String = "",
    page: FaultSentence...,
    advice: String
  ) {
    (self.example, self.meaning, self.details) = (example, meaning, details)
    (self.page, self.advice) = (page, advice)
  }
}

import APNSimWire

/// Faults of a connection to the feedback service.
enum FeedbackFaults {
  /// The rows, in the order in which errors and help list them.
  static let kinds = [Fault.feedbackHoldOpen.kind, Fault.feedbackTruncate.kind, Fault.feedbackKeep.kind]
}

extension Fault {
  package static let feedbackHoldOpen = Fault(
    FaultTitle("feedbackHoldOpen", tag: 23, on: [.feedback], at: .opening),
    words: FaultWords(
      meaning: "The feedback connection stays open after the last tuple.",
      page: FaultSentence(.feedback, "Held open", "The feedback connection stays open after the last tuple"),
      advice: FaultAdvice.useWholeTuples
    ),
    sees: ["the list, and then nothing: the connection stays open"],
    effect: .plan { plan, _ in plan.holdsFeedbackOpen = true }
  )

  /// In the middle of a tuple if it falls there.
  package static let feedbackTruncate = FaultOf(
    FaultTitle("feedbackTruncate", tag: 24, on: [.feedback], at: .opening),
    .count(in: 0...Int(Int32.max)),
    words: FaultWords(
      example: "20",
      meaning: "The feedback list ends after so many bytes.",
      page: FaultSentence(
        .feedback,
        "Cut short",
        "The feedback list ends after \(choice: "", "20", of: ["0", "20", "38", "40"]) bytes"
      ),
      advice: FaultAdvice.useWholeTuples
    ),
    sees: { bytes in ["the first \(Number.counted(bytes, "byte")) of the list, and FIN"] },
    effect: { bytes in
      .plan { plan, _ in plan.truncatesFeedbackAt = plan.truncatesFeedbackAt ?? max(0, bytes) }
    }
  )

  package static let feedbackKeep = Fault(
    FaultTitle("feedbackKeep", tag: 25, on: [.feedback], at: .opening),
    words: FaultWords(
      meaning: "The feedback list stays as it is when it is read.",
      page: FaultSentence(.feedback, "Never cleared", "The feedback list stays as it is when it is read"),
      advice: "It should bear to read a tuple more than once."
    ),
    sees: ["the same list at every read"],
    effect: .plan { plan, _ in plan.more.keepsFeedback = true }
  )
}

import APNSimWire

/// A row of the catalogue of faults: everything about one kind of fault.
///
/// Readers, the schema, the control API, the page, errors, help, kept states and previews go by these rows. There is one
/// object for each.
package final class FaultKind: Sendable {
  private let title: FaultTitle
  package let parameters: FaultParameters
  private let words: FaultWords
  private let mistake: @Sendable (FaultArguments) -> FaultMistake?
  private let sees: @Sendable (FaultArguments) -> [FaultSight]
  private let act: @Sendable (FaultArguments) -> FaultEffect

  init(
    _ title: FaultTitle,
    _ parameters: FaultParameters,
    words: FaultWords,
    mistake: @escaping @Sendable (FaultArguments) -> FaultMistake?,
    sees: @escaping @Sendable (FaultArguments) -> [FaultSight],
    effect: @escaping @Sendable (FaultArguments) -> FaultEffect
  ) {
    (self.title, self.parameters, self.words) = (title, parameters, words)
    (self.mistake, self.sees, act) = (mistake, sees, effect)
  }

  /// Its name in scenarios, in the API and in the journal.
  package var name: String { title.name }
  /// The tag that stands for it in a kept state; nil for what is spelled as a fault and is none.
  package var tag: UInt8? { title.tag }
  /// The listeners on whose connections it can happen; the first is meant where a rule names none.
  package var listeners: [Listener] { title.listeners }
  /// The moment of decision; a fault with a trigger other than `now` is decided when the connection opens.
  package var moment: FaultMoment { title.moment }
  /// The number of times it happens where a rule says nothing of that; nil is without end.
  package var times: Int? { title.times }
  /// The meaning, in a sentence for people who write a file.
  package var meaning: String { words.meaning }
  /// More about that, for the table in the scenarios' README; it follows the meaning.
  package var details: String { words.details }
  /// The sentences by which people choose it on the page.
  package var page: [FaultSentence] { words.page }
  /// The advice to a provider that meets it.
  package var advice: String { words.advice }

  /// Makes the fault of arguments that are as ``parameters`` says.
  package func make(_ arguments: FaultArguments) throws(FaultMistake) -> Fault {
    if let mistake = mistake(arguments) { throw mistake }
    return Fault(self, arguments)
  }

  /// The sights that a provider has of a fault of this kind, in order.
  func sights(of fault: Fault) -> [FaultSight] { sees(fault.arguments) }

  func effect(_ fault: Fault) -> FaultEffect { act(fault.arguments) }

  /// `latency: 200ms`, the fault as an error shows it; without a value where it takes none.
  package var example: String {
    switch parameters {
    case .none, .replyOptions: name
    case .value(_, let example), .fields(_, let example): "\(name): \(example)"
    }
  }
}

extension FaultKind: Hashable {
  package static func == (left: FaultKind, right: FaultKind) -> Bool { left === right }

  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension FaultKind: CaseIterable {
  /// Every kind, in the order in which errors and help list them.
  package static let allCases = FaultFamily.allCases.flatMap(\.kinds)

  package static let names = allCases.map(\.name)

  package static func named(_ name: String) -> FaultKind? { allCases.first { $0.name == name } }
}

/// The family of a fault, and so the file that its row stands in.
package enum FaultFamily: String, JSONWord, Sendable {
  case notification, request, connection, feedback

  package var kinds: [FaultKind] {
    switch self {
    case .notification: NotificationFaults.kinds
    case .request: RequestFaults.kinds
    case .connection: ConnectionFaults.kinds
    case .feedback: FeedbackFaults.kinds
    }
  }
}

/// The moment at which a fault is decided, and so what is known to its rule.
package enum FaultMoment: Sendable {
  /// TCP is accepted: the listener and the connection's place are known.
  case arrival
  /// The certificate is good: topic and environment are known.
  case handshake
  /// The connection opens.
  case opening
  /// A notification came.
  case notification
}

/// Arguments that are each good and do not go together.
package struct FaultMistake: Error {
  /// The parameter to point at.
  package let key: String
  package let message: String
}

package import APNSimWire

/// A sentence by which people choose a fault on the page, with a choice for each of its arguments.
///
/// The page begins and ends it by what it is about: "The next request for any device …, once." A choice stands in it as an
/// interpolation: `"comes \(choice: "", "300ms") later"` has one for the only value, which begins with 300 ms.
package struct FaultSentence: Sendable {
  /// The part of the page's catalogue in which it stands.
  package enum Layer: String, JSONWord { case handshake, connection, answer, delivery, feedback }

  package enum Subject: String, JSONWord { case notification, frame, request, token, connection, feedback }

  package let layer: Layer
  /// The name that people know it by.
  package let title: String
  package let about: Subject
  package let text: Text
  /// True for one that is offered at once.
  package let isCommon: Bool
  /// The listener that it is about at first; nil for the first of the fault's.
  package let listener: Listener?

  /// - Parameter layer: nil where the subject says it.
  init(
    _ about: Subject,
    _ title: String,
    _ text: Text,
    in layer: Layer? = nil,
    isCommon: Bool = false,
    startingOn listener: Listener? = nil
  ) {
    (self.about, self.title, self.text, self.layer) = (about, title, text, layer ?? about.layer)
    (self.isCommon, self.listener) = (isCommon, listener)
  }
}

extension FaultSentence.Subject {
  fileprivate var layer: FaultSentence.Layer {
    switch self {
    case .notification, .frame, .request: .answer
    case .token: .delivery
    case .connection: .connection
    case .feedback: .feedback
    }
  }
}

extension FaultSentence {
  package enum Part: Sendable {
    case words(String)
    /// The parameter's key, or the key in its value, and the value at first. Without choices, those of its kind are offered.
    case choice(String, first: String, [(value: String, words: String)])
  }

  package struct Text: Sendable, ExpressibleByStringInterpolation {
    package let parts: [Part]

    package init(stringLiteral text: String) { parts = [.words(text)] }

    package init(stringInterpolation: StringInterpolation) { parts = stringInterpolation.parts }

    package struct StringInterpolation: StringInterpolationProtocol {
      var parts: [Part] = []

      package init(literalCapacity: Int, interpolationCount: Int) {}

      package mutating func appendLiteral(_ literal: String) {
        if !literal.isEmpty { parts.append(.words(literal)) }
      }

      package mutating func appendInterpolation(choice key: String, _ first: String, of values: [String] = [])
      {
        parts.append(.choice(key, first: first, values.map { ($0, $0) }))
      }

      /// - Parameter words: what stands for each value.
      package mutating func appendInterpolation(
        choice key: String,
        _ first: String,
        as words: KeyValuePairs<String, String>
      ) {
        parts.append(.choice(key, first: first, words.map { ($0.key, $0.value) }))
      }
    }
  }
}

extension FaultSentence: JSONObject {
  package static let shape = JSONShape<Self> {
    $0.member("layer") { $0.layer }
    $0.member("title", "The name that people know it by.") { $0.title }
    $0.member("about", "What the sentence begins with.") { $0.about }
    $0.member("common", "Whether it is offered at once.") { $0.isCommon }
    $0.optional("listener", "The listener that it is about at first.") { $0.listener }
    $0.list("parts", "Words, or a choice for a parameter.") { $0.text.parts }
  }
}

extension FaultSentence.Part: JSONObject {
  package static let shape = JSONShape<Self> {
    $0.optional("text", "Words.") { if case .words(let words) = $0 { words } else { nil as String? } }
    $0.optional("key", "The parameter; empty for the only value.") {
      if case .choice(let key, _, _) = $0 { key } else { nil as String? }
    }
    $0.optional("first", "What is chosen at first.") {
      if case .choice(_, let first, _) = $0 { first } else { nil as String? }
    }
    $0.optional("choices") {
      if case .choice(_, _, let choices) = $0, !choices.isEmpty {
        choices.map { Choice(value: $0.value, words: $0.words) }
      } else {
        nil as [Choice]?
      }
    }
  }

  private struct Choice: JSONObject {
    let value: String
    let words: String

    static let shape = JSONShape<Self> {
      $0.member("value") { $0.value }
      $0.member("words") { $0.words }
    }
  }
}

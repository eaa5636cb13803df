package import APNSimWire

/// A sentence by which people choose a fault on the page, with a choice for each of its arguments.
///
/// The page begins and ends it by what it is about: "The next request for any device …, once." A choice stands in it as an
/// interpolation: `"comes \(choice: "", "300ms") later"` has one for the only value, which begins with 300 ms.
package struct FaultSentence: Sendable {
  /// The part of the page's catalogue in which it stands.
  package enum Layer: String, Sendable { case handshake, connection, answer, delivery, feedback }

  package enum Subject: String, Sendable { case notification, frame, request, token, connection, feedback }

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

  package func writeMembers(to writer: inout JSONWriter) {
    writer.member("layer", layer.rawValue)
    writer.member("title", title)
    writer.member("about", about.rawValue)
    writer.member("common", isCommon)
    if let listener { writer.member("listener", listener.rawValue) }
    writer.list("parts", text.parts) { part, writer in
      switch part {
      case .words(let words): writer.member("text", words)
      case .choice(let key, let first, let choices):
        writer.member("key", key)
        writer.member("first", first)
        guard !choices.isEmpty else { return }
        writer.list("choices", choices) { choice, writer in
          writer.member("value", choice.value)
          writer.member("words", choice.words)
        }
      }
    }
  }
}

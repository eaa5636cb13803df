package import APNSimCore
package import APNSimWire

extension FaultKind {
  /// The rule that its example makes.
  package var exampleRule: Rule? {
    let text = "fault: \(example == name ? name : "{ \(example) }")"
    return (try? Document(text: text, name: name)).flatMap { RuleReader.ofRules.read($0.root, nil) }
  }
}

/// A fault's row in the catalogue.
package struct FaultEntry: JSONObject {
  private let family: FaultFamily
  private let kind: FaultKind
  private let preview: FaultPreview

  /// - Parameter preview: of ``FaultKind/exampleRule``.
  package init(family: FaultFamily, kind: FaultKind, preview: FaultPreview) {
    (self.family, self.kind, self.preview) = (family, kind, preview)
  }

  package static let shape = JSONShape<Self>("FaultKind", "A fault that there is.") {
    $0.member("name", "What stands at `fault`.") { $0.kind.name }
    $0.member("family", "What it is of.") { $0.family }
    $0.list(
      "interfaces",
      "The listeners on whose connections it can happen; the first is meant where a rule names none."
    ) { $0.kind.listeners }
    $0.list("parameters") { $0.kind.parameters.all }
    $0.member("example", "The fault as an entry of a mapping; its name where it takes nothing.") {
      $0.kind.example
    }
    $0.member("meaning", "What happens, in a sentence.") { $0.kind.meaning }
    $0.list("sees", "What a provider sees of the example, in order.") { $0.preview.sees }
    $0.member("advice", "What a good provider does then.") { $0.preview.advice }
    $0.list("page", "The sentences by which it is chosen on the page.") { $0.kind.page }
  }
}

extension FaultParameter: JSONObject {
  package static let shape = JSONShape<Self> {
    $0.optional("key", "Absent for a fault's only value.") { $0.key.isEmpty ? nil : $0.key }
    $0.member("kind") { $0.kind.word }
    $0.optional("least", "Of a count.") { $0.kind.range?.lowerBound }
    $0.optional("most", "Of a count.") { $0.kind.range?.upperBound }
    $0.optional("values", "The names that it may have.") { $0.kind.names }
    $0.member("required") { $0.isRequired }
  }
}

extension FaultParameter.Kind {
  fileprivate enum Word: String, JSONWord {
    case count, duration, trigger, refusal, reason, flag, choice, code, lastStream, text
  }

  fileprivate var word: Word {
    switch self {
    case .count: .count
    case .span: .duration
    case .trigger: .trigger
    case .refusal: .refusal
    case .reason: .reason
    case .flag: .flag
    case .choice: .choice
    case .code: .code
    case .lastStream: .lastStream
    case .text: .text
    }
  }

  fileprivate var range: ClosedRange<Int>? { if case .count(let range) = self { range } else { nil } }

  fileprivate var names: [String]? {
    switch self {
    case .trigger: ["now"] + FaultKind.triggerNoun.keys
    case .refusal: FaultArgumentReader.refusalNames
    case .choice(let names): names
    case .code: HTTP2Code.names
    case .lastStream: ["exact", "below", "zero"]
    case .count, .span, .reason, .flag, .text: nil
    }
  }
}

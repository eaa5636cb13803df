package import APNSimWire

/// The effect that a rule would have on a provider, and would have had on the past, without adding it.
package struct FaultPreview: Sendable {
  /// The sights of a provider, in order, of each interface that the rule holds for.
  package var sees: [Step] = []
  /// The advice to a good provider.
  package var advice = ""
  package var lookingBack = LookingBack()
  /// The digits of a magic token with the same effect, whenever it is sent to; nil where there is none.
  package var magicToken: String?

  package struct Step: Hashable, Sendable {
    package enum Place: String, Hashable, JSONWord { case binary, http2, feedback, handshake }

    package var place: Place
    /// In words.
    package var text: String
    /// Bytes as they are sent; empty where that cannot be said beforehand.
    package var hex: [UInt8] = []
    /// Headers of an answer in order, and its body.
    package var headers: [AnswerHeader] = []
    package var body: String?
  }

  /// The hits that the rule would have had in the history.
  package struct LookingBack: Hashable, Sendable {
    /// True for a rule that is decided when a connection opens: then connections are counted.
    package var isOfConnections = false
    /// The notifications that fit, of so many.
    package var count = 0
    package var total = 0
    /// The notifications at which it would have fired, by its `times`, `after` and `every`; a probability is not drawn.
    package var fired = 0
    /// The first of these: `n57`, `c3`.
    package var first: [String] = []

    package static let mostFirst = 10
  }
}

extension FaultPreview.Step: JSONObject {
  package static let shape = JSONShape<Self>("FaultSight") {
    $0.member("interface") { $0.place }
    $0.member("text", "In words.") { $0.text }
    $0.optional("hex", "Bytes as they are sent; an identifier that is not known yet is 0.") {
      $0.hex.isEmpty ? nil : HexText($0.hex)
    }
    $0.optional("headers", "Of an answer, in order.") { step in
      step.headers.isEmpty ? nil : step.headers.map { JSONField($0.name, $0.value) }
    }
    $0.optional("body", "Of an answer, or the debug data of a GOAWAY.") { $0.body }
  }
}

extension FaultPreview: JSONObject {
  package static let shape = JSONShape<Self> {
    $0.list("sees", "What a provider sees, in order, of each interface that the rule holds for.") { $0.sees }
    $0.member("advice", "What a good provider does then; may be empty.") { $0.advice }
    $0.member("wouldHaveHit", "What it would have done to the history.") { $0.lookingBack }
  }
}

extension FaultPreview.LookingBack: JSONObject {
  package static let shape = JSONShape<Self> {
    $0.member(
      "what",
      "`connections` for what is decided when one opens.",
      .words(["notifications", "connections"])
    ) { $0.isOfConnections ? "connections" : "notifications" }
    $0.member("count", "Those that its conditions fit.", .least(0)) { $0.count }
    $0.member(
      "of",
      "Those that were looked at: the newest 100,000 that the history has.",
      .least(0)
    ) { $0.total }
    $0.member(
      "fired",
      "Those at which it would have fired, by `times`, `after` and `every`; a probability is not drawn.",
      .least(0)
    ) { $0.fired }
    $0.list("first", "The first of these.", counts: 0...mostFirst) { $0.first }
  }
}

extension Simulator {
  /// The sights of a rule and the advice on it, without a look at the history.
  package func foresee(_ rule: Rule) -> FaultPreview {
    let (now, quirks) = withWorld { ($0.now, $0.configuration.quirks) }
    var preview = FaultPreview()
    preview.sees = ProviderView(now: now, quirks: quirks).steps(of: rule)
    preview.advice = ProviderView.advice(on: rule.action)
    return preview
  }

  /// Looks at what a rule would do. Nothing is added, counted or drawn.
  /// - Parameter isWanted: false once nobody waits for the answer: what it would have hit is not counted to the end then.
  package func preview(_ rule: Rule, while isWanted: @Sendable () -> Bool = { true }) async -> FaultPreview {
    var preview = foresee(rule)
    preview.lookingBack = await lookBack(rule, while: isWanted)
    preview.magicToken = MagicToken(sameAs: rule.action).map { Hex.encode($0.token()) }
    return preview
  }
}

extension MagicToken {
  /// The token that does to its notification what a rule's action does; nil where none does just that.
  package init?(sameAs action: Rule.Action) {
    switch action {
    case .reply(let reply):
      if reply == Reply(status: .invalidToken, resets: true, isLost: true) {
        self.init(kind: .fault, code: 4)
      } else if reply == Reply(status: reply.status) {
        self.init(kind: .refuse, code: reply.status.rawValue)
      } else {
        return nil
      }
    case .answer(let answer):
      guard let reason = answer.reason, answer == ScriptedAnswer(reason: reason),
        ReasonRow.all.contains(where: { $0.reason == reason && $0.isForDevices })
      else { return nil }
      self.init(kind: .reason, code: reason.rawValue)
    case .fault(.close(.now)): self.init(kind: .fault, code: 0)
    case .fault(.reset(.now)): self.init(kind: .fault, code: 1)
    case .fault(.swallow): self.init(kind: .fault, code: 2)
    case .fault(.stopReading(.now)): self.init(kind: .fault, code: 3)
    case .fault(let fault):
      let code = (UInt8.min...0x0F).first { code in
        if case .request(fault) = Decision.requestFault(code, .http2) { true } else { false }
      }
      guard let code else { return nil }
      self.init(kind: .requestFault, code: code)
    case .proceed: return nil
    }
  }
}

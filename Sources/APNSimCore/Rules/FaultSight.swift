/// A thing that a provider sees of a fault; text by itself is seen on every interface that the fault happens on.
struct FaultSight: Sendable, ExpressibleByStringInterpolation {
  enum What: Sendable {
    case text(String)
    /// An answer, which each interface has in its own form.
    case answer(ScriptedAnswer)
    case goAway(Fault.GoAway)
  }

  enum Place: Sendable { case everywhere, binary, http2, handshake }

  let place: Place
  let what: What

  private init(_ place: Place, _ what: What) { (self.place, self.what) = (place, what) }

  init(stringLiteral text: String) { self.init(.everywhere, .text(text)) }

  static func binary(_ text: String) -> Self { Self(.binary, .text(text)) }
  static func http2(_ text: String) -> Self { Self(.http2, .text(text)) }
  static func handshake(_ text: String) -> Self { Self(.handshake, .text(text)) }
  static func answer(_ answer: ScriptedAnswer) -> Self { Self(.everywhere, .answer(answer)) }
  static func answerOfRequest(_ answer: ScriptedAnswer) -> Self { Self(.http2, .answer(answer)) }
  static func goAway(_ goAway: Fault.GoAway) -> Self { Self(.http2, .goAway(goAway)) }
}

/// The advice to a provider, where several faults ask the same of it.
enum FaultAdvice {
  static let connectAgain =
    "It should connect again after a pause, and send again what it cannot be sure of."
  static let giveUp =
    "It should give up after a time of its own, connect again, and send again what was not answered."
  static let sendLater = "It should send again later, each time after a longer pause. The token is good."
  static let wait =
    "It should wait, and go on sending meanwhile; it should not take bytes that come alone for an answer."
  static let takeForDead = "It should take the connection for dead after a time, and connect again."
  static let useWholeTuples = "It should use each whole tuple as it comes, and not wait for the end."
}

import APNSimWire

/// What a provider sees of faults that both interfaces and the feedback service have.
extension ProviderView {
  func connection(_ fault: Fault, _ place: Step.Place) -> [Step] {
    func one(_ text: String) -> [Step] { [Step(place: place, text: text)] }
    switch fault {
    case .close(let trigger): return one("FIN\(Self.text(trigger)), without a word before it")
    case .reset(let trigger): return one("RST\(Self.text(trigger))")
    case .stopReading(let trigger):
      return one("nothing is read any more\(Self.text(trigger)): writes fill the pipe, and then block")
    case .refuseHandshake(.alert(let code)):
      return [Step(place: .handshake, text: "the handshake fails: TLS alert \(code)")]
    case .refuseHandshake(.close):
      return [Step(place: .handshake, text: "FIN in the middle of the handshake")]
    case .acceptDelay(let span):
      return [Step(place: .handshake, text: "the handshake begins \(StoryWords.span(span)) late")]
    case .latency(let span): return one("everything arrives \(StoryWords.span(span)) later")
    case .jitter(let from, let to):
      return one("each answer arrives later by \(StoryWords.span(from)) to \(StoryWords.span(to)), in order")
    case .slice(let bytes, let pause):
      let apart = pause > .zero ? ", \(StoryWords.span(pause)) apart" : ""
      return one("everything in TLS records of \(Number.counted(bytes, "byte"))\(apart)")
    case .closeAfterHandshake(let span): return one("FIN \(StoryWords.span(span)) after the handshake")
    case .idleClose(let span): return one("FIN after \(StoryWords.span(span)) without a notification")
    case .blackHole: return one("nothing: everything is read, and nothing is answered or closed")
    case .zeroWindow: return one("no window: bodies of requests cannot be sent")
    case .ignorePing: return one("no answer to PING")
    case .ignoreSettings: return one("no acknowledgement of its SETTINGS")
    case .swallow, .unavailable, .lateUnregistered, .goaway, .resetStream, .unanswered, .slowAnswer,
      .maxStreams,
      .stickyServerError, .feedbackHoldOpen, .feedbackTruncate, .feedbackKeep:
      return []
    }
  }

  func feedback(_ fault: Fault) -> [Step] {
    func one(_ text: String) -> [Step] { [Step(place: .feedback, text: text)] }
    switch fault {
    case .feedbackHoldOpen: return one("the list, and then nothing: the connection stays open")
    case .feedbackTruncate(let bytes):
      return one("the first \(Number.counted(bytes, "byte")) of the list, and FIN")
    case .feedbackKeep: return one("the same list at every read")
    default: return connection(fault, .feedback)
    }
  }

  private static func text(_ trigger: Fault.Trigger) -> String {
    switch trigger {
    case .now: ""
    case .afterBytes(let count): " once \(Number.counted(count, "byte")) of it \(be(count)) read"
    case .afterFrames(let count): " once \(Number.counted(count, "frame")) of it \(be(count)) read"
    case .afterRequests(let count): " once \(Number.counted(count, "request")) of it \(be(count)) answered"
    }
  }

  private static func be(_ count: Int) -> String { count == 1 ? "is" : "are" }
}

import APNSimWire

/// What a provider sees of a rule's action, by interface.
struct ProviderView {
  typealias Step = FaultPreview.Step

  let now: Timestamp
  let quirks: Quirks

  func steps(of rule: Rule) -> [Step] {
    let entry = RuleBook.Entry(rule)
    func holds(_ listener: Listener) -> Bool {
      let name = listener == .http2 ? "http2" : "binary"
      return entry.acts(on: listener) && rule.when.listener.admits(listener)
        && rule.when.interface?.matches(.string(name)) ?? true
    }
    var steps: [Step] = []
    if holds(.gateway), !rule.when.asksForRequest { steps += binary(rule.action) }
    if holds(.http2), rule.when.command == nil, rule.when.identifier == nil { steps += requests(rule.action) }
    if holds(.feedback), case .fault(let fault) = rule.action { steps += feedback(fault) }
    // A handshake is the same whatever comes after it.
    var told: Set<Step> = []
    return steps.filter { $0.place != .handshake || told.insert($0).inserted }
  }

  // MARK: The binary interface

  private func binary(_ action: Rule.Action) -> [Step] {
    switch action {
    case .reply(let reply): self.reply(reply)
    case .answer(let answer): counterpart(answer.binaryCounterpart, delay: answer.delay)
    case .fault(let fault): binary(fault)
    case .proceed: [Step(place: .binary, text: "nothing: it is judged as if there were no other rules")]
    }
  }

  private func reply(_ reply: Reply) -> [Step] {
    var steps: [Step] = []
    if reply.afterFrames > 0 {
      let frames = Number.counted(reply.afterFrames, "more frame")
      steps.append(
        Step(place: .binary, text: "\(frames) \(reply.afterFrames == 1 ? "is" : "are") taken, and discarded")
      )
    }
    if reply.delay > .zero {
      steps.append(Step(place: .binary, text: "\(StoryWords.span(reply.delay)) pass"))
    }
    let status = "status \(reply.status.rawValue) \(reply.status.name)"
    if reply.isLost {
      steps.append(Step(place: .binary, text: "no error response: \(status) is lost to the reset"))
    } else {
      var identifier = NotificationIdentifier.none
      var whose = "the notification's identifier, here 0"
      switch reply.identifier {
      case .right: if reply.status == .shutdown { whose = "the identifier of the last accepted one, here 0" }
      case .wrong: (identifier, whose) = (.init(rawValue: ~0), "another identifier, here that of 0")
      case .zero: whose = "identifier 0"
      case .exactly(let chosen): (identifier, whose) = (chosen, "identifier \(chosen.hex)")
      }
      let bytes = ErrorResponse(status: reply.status, identifier: identifier).bytes.prefix(
        max(0, reply.byteCount)
      )
      let isWhole = bytes.count == ErrorResponse.byteCount
      var text = "error response, \(status), with \(whose)"
      if !isWhole { text += "; only \(Number.counted(bytes.count, "byte")) of it" }
      if reply.isSplit { text += "; in two TLS records" }
      steps.append(Step(place: .binary, text: text, hex: Array(bytes)))
    }
    let end = reply.resets ? "RST" : "FIN; what was written meanwhile is discarded unread"
    return steps + [Step(place: .binary, text: end)]
  }

  private func counterpart(_ counterpart: BinaryCounterpart?, delay: TimeSpan) -> [Step] {
    switch counterpart {
    case nil: [Step(place: .binary, text: "nothing: it is accepted, and silence is the answer")]
    case .status(let status): reply(Reply(status: status, delay: delay))
    case .feedback:
      [Step(place: .binary, text: "nothing: it is accepted, and the feedback service lists the token")]
    case .handshake, .close: [Step(place: .binary, text: "FIN, without an error response")]
    }
  }

  private func binary(_ fault: Fault) -> [Step] {
    switch fault {
    case .swallow: [Step(place: .binary, text: "nothing: it is accepted, and reaches nobody")]
    case .unavailable(let outage): counterpart(outage.answer.binaryCounterpart, delay: .zero)
    default: connection(fault, .binary)
    }
  }

  // MARK: HTTP/2

  private func requests(_ action: Rule.Action) -> [Step] {
    switch action {
    case .reply(let reply):
      var steps: [Step] = []
      if reply.delay > .zero {
        steps.append(Step(place: .http2, text: "\(StoryWords.span(reply.delay)) pass"))
      }
      if reply.isLost {
        steps.append(Step(place: .http2, text: "no answer: it is lost to the reset"))
      } else {
        steps.append(answer(ScriptedAnswer(reason: Reason(counterpartOf: reply.status))))
      }
      return reply.resets ? steps + [Step(place: .http2, text: "RST")] : steps
    case .answer(let answer): return delayed(answer)
    case .fault(let fault): return requests(fault)
    case .proceed: return [Step(place: .http2, text: "nothing: it is judged as if there were no other rules")]
    }
  }

  private func delayed(_ scripted: ScriptedAnswer) -> [Step] {
    let pause = Step(place: .http2, text: "\(StoryWords.span(scripted.delay)) pass")
    return (scripted.delay > .zero ? [pause] : []) + [answer(scripted)]
  }

  private func answer(_ scripted: ScriptedAnswer) -> Step {
    var body = scripted.body
    if body == nil, let reason = scripted.reason {
      let name = reason.name(documented: quirks.contains(.documentedReasons))
      let moment: Timestamp? =
        switch scripted.timestamp {
        case .at(let moment): moment
        case .ago(let span): now + -span
        case nil: now
        }
      let timestamp = scripted.status == 410 ? moment.map { #","timestamp":\#($0.rawValue)"# } ?? "" : ""
      body = #"{"reason":"\#(name)"\#(timestamp)}"#
    }
    var headers = [AnswerHeader(name: ":status", value: "\(scripted.status)")]
    if !scripted.headers.contains(where: { $0.name == "apns-id" }) {
      headers.append(AnswerHeader(name: "apns-id", value: "its own, or one that is made"))
    }
    return Step(
      place: .http2,
      text: "answer \(scripted.title)",
      headers: headers + scripted.headers,
      body: body
    )
  }

  private func requests(_ fault: Fault) -> [Step] {
    func one(_ text: String) -> [Step] { [Step(place: .http2, text: text)] }
    switch fault {
    case .swallow:
      return [answer(ScriptedAnswer())] + one("the notification reaches nobody")
    case .unavailable(let outage):
      let time = outage.span.map { "for \(StoryWords.span($0)) from the first" }
      let count = outage.requests.map { "\(Number.counted($0, "request")) in all" }
      let extent = [time, count].compactMap { $0 }.joined(separator: ", at most ")
      return [answer(outage.answer)] + one("the same \(extent); then all is well")
    case .lateUnregistered(let lag):
      let time = lag.span.map { "for \(StoryWords.span($0))" }
      let count = lag.successes.map { Number.counted($0, "time") }
      let extent = [time, count].compactMap { $0 }.joined(separator: ", at most ")
      return [answer(ScriptedAnswer())] + one("the same \(extent), though the app is gone")
        + [answer(ScriptedAnswer(reason: .unregistered))]
    case .goaway(let goAway): return goAwaySteps(goAway)
    case .resetStream(let code): return one("RST_STREAM \(code.name) on its stream, and no answer")
    case .unanswered(let isDelivered):
      return one(
        "nothing: its stream stays open; it \(isDelivered ? "is delivered all the same" : "reaches nobody")"
      )
    case .slowAnswer(let headers, let body):
      return one(
        "the headers of its answer after \(StoryWords.span(headers)), the body \(StoryWords.span(body)) later"
      )
    case .maxStreams(let count):
      return one("SETTINGS MAX_CONCURRENT_STREAMS \(count), ahead of its answer") + [answer(ScriptedAnswer())]
    case .stickyServerError:
      return [answer(ScriptedAnswer(reason: .internalServerError))]
        + one("the same for every request of the connection from then on")
    default: return connection(fault, .http2)
    }
  }

  private func goAwaySteps(_ goAway: Fault.GoAway) -> [Step] {
    let stream: UInt32 = 5
    guard case .goAway(let last, let code, let debug) = goAway.frame(at: stream, quirks) else { return [] }
    var steps: [Step] = []
    let isAnswered = goAway.lastAnswered(at: stream) >= stream
    if isAnswered { steps.append(answer(ScriptedAnswer())) }
    let whose = isAnswered && last == stream ? "its own" : "\(last)"
    var frame = Step(
      place: .http2,
      text: "GOAWAY \(code.name), last stream \(whose), at a request on stream \(stream)",
      body: debug.isEmpty ? nil : String(decoding: debug, as: UTF8.self)
    )
    if goAway.isTwice { frame.text += "; twice" }
    steps.append(frame)
    if !isAnswered {
      steps.append(Step(place: .http2, text: "no answer to it, nor to what is open above \(last)"))
    }
    let then =
      switch goAway.then {
      case .close: "FIN, once the rest is answered"
      case .open: "the connection stays open, and nothing that comes is heard"
      case .refuse: "RST_STREAM REFUSED_STREAM for every stream that comes"
      }
    return steps + [Step(place: .http2, text: then)]
  }
}

import APNSimWire

/// A provider's sight of a rule's action, by interface.
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
    if holds(.feedback), case .fault(let fault) = rule.action {
      steps += self.steps(of: fault, on: .feedback)
    }
    // A handshake is the same whatever comes after it.
    var told: Set<Step> = []
    return steps.filter { $0.place != .handshake || told.insert($0).inserted }
  }

  // MARK: Faults

  /// The sight of a fault on one interface, or on a connection to the feedback service.
  private func steps(of fault: Fault, on place: Step.Place) -> [Step] {
    fault.kind.sights(of: fault).flatMap { sight -> [Step] in
      switch (sight.place, place) {
      case (.everywhere, _), (.binary, .binary), (.http2, .http2): steps(sight.what, place)
      case (.handshake, _): steps(sight.what, .handshake)
      case (.binary, _), (.http2, _): []
      }
    }
  }

  private func steps(_ what: FaultSight.What, _ place: Step.Place) -> [Step] {
    switch what {
    case .text(let text): [Step(place: place, text: text)]
    case .answer(let scripted) where place == .http2: [answer(scripted)]
    case .answer(let scripted): counterpart(scripted.binaryCounterpart, delay: .zero)
    case .goAway(let goAway): goAwaySteps(goAway)
    }
  }

  // MARK: The binary interface

  private func binary(_ action: Rule.Action) -> [Step] {
    switch action {
    case .reply(let reply): self.reply(reply)
    case .answer(let answer): counterpart(answer.binaryCounterpart, delay: answer.delay)
    case .fault(let fault): steps(of: fault, on: .binary)
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
      steps.append(Step(place: .binary, text: "\(reply.delay.words) pass"))
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
        max(0, reply.packet.byteCount)
      )
      let isWhole = bytes.count == ErrorResponse.byteCount
      var text = "error response, \(status), with \(whose)"
      if !isWhole { text += "; only \(Number.counted(bytes.count, "byte")) of it" }
      if reply.packet.cut != .none { text += "; in two TLS records" }
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

  // MARK: HTTP/2

  private func requests(_ action: Rule.Action) -> [Step] {
    switch action {
    case .reply(let reply):
      var steps: [Step] = []
      if reply.delay > .zero {
        steps.append(Step(place: .http2, text: "\(reply.delay.words) pass"))
      }
      if reply.isLost {
        steps.append(Step(place: .http2, text: "no answer: it is lost to the reset"))
      } else {
        steps.append(answer(ScriptedAnswer(reason: Reason(counterpartOf: reply.status))))
      }
      return reply.resets ? steps + [Step(place: .http2, text: "RST")] : steps
    case .answer(let answer): return delayed(answer)
    case .fault(let fault): return steps(of: fault, on: .http2)
    case .proceed: return [Step(place: .http2, text: "nothing: it is judged as if there were no other rules")]
    }
  }

  private func delayed(_ scripted: ScriptedAnswer) -> [Step] {
    let pause = Step(place: .http2, text: "\(scripted.delay.words) pass")
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

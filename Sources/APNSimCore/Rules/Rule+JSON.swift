package import APNSimWire

extension Rule {
  /// Writes the rule as an entry of a scenario's `rules`, which reads back as the same value.
  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    if !name.isEmpty {
      writer.member("name", name)
    }
    writer.key("when")
    when.write(to: &writer)
    switch action {
    case .reply(let reply):
      writer.key("reply")
      reply.write(to: &writer)
    case .fault(let fault):
      writer.key("fault")
      fault.write(to: &writer)
    case .proceed:
      writer.member("proceed", true)
    }
    if let times {
      writer.member("times", times)
    }
    if after > 0 {
      writer.member("after", after)
    }
    if every != 1 {
      writer.member("every", every)
    }
    if let state {
      writer.key("state")
      writer.beginObject()
      if let requires = state.requires {
        writer.member("requires", requires)
      }
      if let becomes = state.becomes {
        writer.member("becomes", becomes)
      }
      writer.endObject()
    }
    writer.endObject()
  }
}

extension RuleMatch {
  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("listener", listener?.rawValue ?? "any")
    let tests: [(StaticString, Matcher?)] = [
      ("connection", connection), ("topic", topic), ("nth", nth), ("command", command),
      ("identifier", identifier), ("priority", priority), ("token", token), ("device", device),
    ]
    for case (let key, let matcher?) in tests {
      writer.key(key)
      matcher.write(to: &writer)
    }
    if let environment {
      writer.member("environment", environment.rawValue)
    }
    if !payload.isEmpty {
      writer.key("payload")
      writer.beginObject()
      for match in payload {
        writer.key(match.path)
        match.matcher.write(to: &writer)
      }
      writer.endObject()
    }
    if let probability {
      writer.key("probability")
      writer.raw("\(probability)".utf8)
    }
    writer.endObject()
  }
}

extension Reply {
  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("status", status.rawValue)
    if identifier != .right {
      writer.key("identifier")
      switch identifier {
      case .right: writer.string("right")
      case .wrong: writer.string("wrong")
      case .zero: writer.string("zero")
      case .exactly(let chosen): writer.string(chosen.hex)
      }
    }
    if afterFrames > 0 {
      writer.member("afterFrames", afterFrames)
    }
    if delay > .zero {
      writer.member("delay", delay.description)
    }
    if byteCount != ErrorResponse.byteCount {
      writer.member("truncateTo", byteCount)
    }
    let flags: [(StaticString, Bool)] = [("split", isSplit), ("reset", resets), ("lost", isLost)]
    for (key, isOn) in flags where isOn {
      writer.key(key)
      writer.bool(true)
    }
    writer.endObject()
  }
}

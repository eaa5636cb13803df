package import APNSimWire

extension Rule {
  /// Writes the rule as an entry of a scenario's `rules`, which reads back as the same value.
  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    if !name.isEmpty {
      writer.key("name")
      writer.string(name)
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
      writer.key("proceed")
      writer.bool(true)
    }
    if let times {
      writer.key("times")
      writer.int(times)
    }
    if after > 0 {
      writer.key("after")
      writer.int(after)
    }
    if every != 1 {
      writer.key("every")
      writer.int(every)
    }
    if let state {
      writer.key("state")
      writer.beginObject()
      if let requires = state.requires {
        writer.key("requires")
        writer.string(requires)
      }
      if let becomes = state.becomes {
        writer.key("becomes")
        writer.string(becomes)
      }
      writer.endObject()
    }
    writer.endObject()
  }
}

extension RuleMatch {
  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("listener")
    writer.string(listener?.rawValue ?? "any")
    let tests: [(StaticString, Matcher?)] = [
      ("connection", connection), ("topic", topic), ("nth", nth), ("command", command),
      ("identifier", identifier), ("priority", priority), ("token", token), ("device", device),
    ]
    for case (let key, let matcher?) in tests {
      writer.key(key)
      matcher.write(to: &writer)
    }
    if let environment {
      writer.key("environment")
      writer.string(environment.rawValue)
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
    writer.key("status")
    writer.int(status.rawValue)
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
      writer.key("afterFrames")
      writer.int(afterFrames)
    }
    if delay > .zero {
      writer.key("delay")
      writer.string(delay.description)
    }
    if byteCount != ErrorResponse.byteCount {
      writer.key("truncateTo")
      writer.int(byteCount)
    }
    let flags: [(StaticString, Bool)] = [("split", isSplit), ("reset", resets), ("lost", isLost)]
    for (key, isOn) in flags where isOn {
      writer.key(key)
      writer.bool(true)
    }
    writer.endObject()
  }
}

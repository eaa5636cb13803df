package import APNSimWire

extension Expectation {
  /// Writes the expectation as a scenario has it, with how it reads in a report as its name.
  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    if !text.isEmpty {
      writer.member("name", text)
    }
    switch subject {
    case .notifications(let query):
      writer.key("where")
      query.write(to: &writer)
      writer.key("count")
      count.write(to: &writer)
    case .inbox(let device, let query):
      writer.member("device", device)
      writer.key("inbox")
      writer.beginObject()
      writer.key("count")
      count.write(to: &writer)
      if !query.conditions.isEmpty {
        writer.key("where")
        query.write(to: &writer)
      }
      writer.endObject()
    case .stored(let device):
      writer.member("device", device)
      writer.key("stored")
      writer.beginObject()
      writer.key("count")
      count.write(to: &writer)
      writer.endObject()
    case .badge(let device, let app):
      writer.member("device", device)
      writer.key("badge")
      count.write(to: &writer)
      app?.writeReference(to: &writer)
    case .activities(let device):
      writer.member("device", device)
      writer.key("activities")
      count.write(to: &writer)
    case .ignored(let device):
      writer.member("device", device)
      writer.key("ignored")
      count.write(to: &writer)
    case .feedback(let app):
      writer.key("feedback")
      if let app {
        writer.beginObject()
        app.writeReference(to: &writer)
        writer.endObject()
      } else {
        writer.string("all")
      }
      writer.key("count")
      count.write(to: &writer)
    case .errors(let status, let identifier):
      writer.key("error")
      write(status, identifier, to: &writer)
      writer.key("count")
      count.write(to: &writer)
    }
    writer.endObject()
  }

  private func write(
    _ status: StatusCode?,
    _ identifier: NotificationIdentifier?,
    to writer: inout JSONWriter
  ) {
    guard status != nil || identifier != nil else { return writer.string("any") }
    writer.beginObject()
    if let status {
      writer.member("status", status.rawValue)
    }
    if let identifier {
      writer.member("identifier", identifier.hex)
    }
    writer.endObject()
  }
}

extension Expectation {
  /// True if it asks for a connection by the name that a file gives it, which only a runner of that file knows.
  package var namesConnection: Bool {
    switch subject {
    case .notifications(let query), .inbox(_, let query):
      query.conditions.contains { $0.path == "connection" }
    case .stored, .feedback, .badge, .activities, .ignored, .errors: false
    }
  }
}

extension Query {
  /// `{"topic":"com.example.app","payload.aps.badge":{"gt":9.0}}`
  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    for condition in conditions {
      writer.key(condition.path)
      condition.matcher.write(to: &writer)
    }
    writer.endObject()
  }
}

extension CountTest {
  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    switch (atLeast, atMost) {
    case (let low?, let high?) where low == high:
      writer.member("exactly", low)
    case (nil, nil):
      writer.member("atLeast", 0)
    default:
      if let atLeast {
        writer.member("atLeast", atLeast)
      }
      if let atMost {
        writer.member("atMost", atMost)
      }
    }
    writer.endObject()
  }
}

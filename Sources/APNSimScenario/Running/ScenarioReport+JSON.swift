import APNSimCore
import APNSimWire

extension ScenarioReport {
  /// One line of JSON, without a newline.
  package var json: String {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("scenario", name)
    writer.member("satisfied", isSatisfied)
    writer.member("seed", seed)
    writer.member("start", start.description)
    writer.member("end", end.description)
    writer.key("expectations")
    writer.beginArray()
    for outcome in outcomes { outcome.write(to: &writer) }
    writer.endArray()
    writer.key("connections")
    writer.beginArray()
    for connection in connections { connection.write(to: &writer) }
    writer.endArray()
    writer.member("failures", failures)
    writer.endObject()
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}

extension ScenarioOutcome {
  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("text", text)
    writer.member("satisfied", isSatisfied)
    writer.member("expected", expected)
    writer.member("found", found)
    writer.member("time", time.description)
    writer.list("nearMisses", nearMisses) { miss, writer in
      writer.member("id", miss.id)
      writer.list("differences", miss.differences) { difference, writer in
        writer.member("path", difference.path)
        writer.member("expected", difference.expected)
        writer.member("actual", difference.actual)
      }
    }
    writer.endObject()
  }
}

extension ConnectionSight {
  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("name", name)
    writer.member("id", id?.description)
    writer.member("received", hex: received)
    writer.member("ending", ending.rawValue)
    writer.key("alert")
    if let alert { writer.int(alert) } else { writer.null() }
    if let view {
      for count in ConnectionCount.allCases {
        writer.key(count.rawValue)
        writer.int(count.value(in: view))
      }
    }
    writer.endObject()
  }
}

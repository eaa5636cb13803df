import APNSimCore
import APNSimWire

extension ScenarioReport {
  /// One line of JSON, without a newline.
  package var json: String {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("scenario")
    writer.string(name)
    writer.key("satisfied")
    writer.bool(isSatisfied)
    writer.key("seed")
    writer.int(seed)
    writer.key("start")
    writer.string(start.description)
    writer.key("end")
    writer.string(end.description)
    writer.key("expectations")
    writer.beginArray()
    for outcome in outcomes { outcome.write(to: &writer) }
    writer.endArray()
    writer.key("connections")
    writer.beginArray()
    for connection in connections { connection.write(to: &writer) }
    writer.endArray()
    writer.key("failures")
    writer.beginArray()
    for failure in failures { writer.string(failure) }
    writer.endArray()
    writer.endObject()
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}

extension ScenarioOutcome {
  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("text")
    writer.string(text)
    writer.key("satisfied")
    writer.bool(isSatisfied)
    writer.key("expected")
    writer.string(expected)
    writer.key("found")
    writer.string(found)
    writer.key("time")
    writer.string(time.description)
    writer.key("nearMisses")
    writer.beginArray()
    for miss in nearMisses {
      writer.beginObject()
      writer.key("id")
      writer.string(miss.id)
      writer.key("differences")
      writer.beginArray()
      for difference in miss.differences {
        writer.beginObject()
        writer.key("path")
        writer.string(difference.path)
        writer.key("expected")
        writer.string(difference.expected)
        writer.key("actual")
        writer.string(difference.actual)
        writer.endObject()
      }
      writer.endArray()
      writer.endObject()
    }
    writer.endArray()
    writer.endObject()
  }
}

extension ConnectionSight {
  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("name")
    writer.string(name)
    writer.key("id")
    if let id { writer.string(id.description) } else { writer.null() }
    writer.key("received")
    writer.hex(received)
    writer.key("ending")
    writer.string(ending.rawValue)
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

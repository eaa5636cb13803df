import APNSimCore
import APNSimWire

/// What came of playing a capture over the network.
struct NetworkReplayReport: Sendable {
  var connections = 0
  var feedbackConnections = 0
  var skipped = 0
  var bytesSent = 0
  /// Connections on which the same came back as in the capture.
  var same = 0
  var differences: [ReplayDifference] = []
  /// What else a reader should know, a line each.
  var notes: [String] = []
  /// Differences past this number are counted and not kept.
  static let mostDifferences = 1000
  var moreDifferences = 0

  var json: String {
    var writer = JSONWriter()
    writer.beginObject()
    let counts: [(StaticString, Int)] = [
      ("connections", connections), ("feedbackConnections", feedbackConnections), ("skipped", skipped),
      ("bytesSent", bytesSent), ("same", same), ("different", differences.count + moreDifferences),
    ]
    for (name, count) in counts {
      writer.key(name)
      writer.int(count)
    }
    writer.key("differences")
    writer.beginArray()
    for difference in differences {
      writer.beginObject()
      for (name, text) in [
        ("connection", difference.connection), ("listener", difference.listener.rawValue),
        ("topic", difference.topic), ("summary", difference.summary),
      ] {
        writer.key(name)
        writer.string(text)
      }
      for (name, lines) in [("recorded", difference.recorded), ("replayed", difference.replayed)] {
        writer.key(name)
        writer.beginArray()
        for line in lines { writer.string(line) }
        writer.endArray()
      }
      writer.endObject()
    }
    writer.endArray()
    writer.key("notes")
    writer.beginArray()
    for note in notes { writer.string(note) }
    writer.endArray()
    writer.endObject()
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  /// The result, and the first difference in full.
  var lines: [String] {
    var lines = [
      "replayed  \(Number.counted(connections, "gateway connection")), "
        + "\(Number.counted(feedbackConnections, "feedback connection")), \(Number.counted(bytesSent, "byte"))"
        + (skipped > 0 ? "; \(Number.grouped(skipped)) skipped" : "")
    ]
    let different = differences.count + moreDifferences
    lines.append(
      different == 0
        ? "same      every answer is the recorded one"
        : "different on \(Number.counted(different, "connection")), the same on \(Number.grouped(same)); the first:"
    )
    if let first = differences.first { lines += first.lines }
    return lines
  }
}

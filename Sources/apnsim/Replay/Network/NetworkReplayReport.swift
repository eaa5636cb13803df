import APNSimCore
import APNSimWire

/// What came of playing a capture over the network.
struct NetworkReplayReport: Sendable {
  var connections = 0
  var feedbackConnections = 0
  var skipped = 0
  var bytesSent = 0
  /// Those that a service no longer took.
  var bytesUnsent = 0
  /// Connections on which the same came back as in the capture.
  var same = 0
  /// Connections that the capture does not have well enough to compare them.
  var uncompared = 0
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
      ("bytesSent", bytesSent), ("bytesUnsent", bytesUnsent), ("same", same),
      ("different", differences.count + moreDifferences), ("uncomparedConnections", uncompared),
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
    writer.member("notes", notes)
    writer.endObject()
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  /// The result, and the first difference in full.
  var lines: [String] {
    var replayed =
      "replayed  \(Number.counted(connections, "gateway connection")), "
      + "\(Number.counted(feedbackConnections, "feedback connection")), \(Number.counted(bytesSent, "byte"))"
    if bytesUnsent > 0 { replayed += "; \(Number.counted(bytesUnsent, "byte")) could not be sent" }
    if skipped > 0 { replayed += "; \(Number.grouped(skipped)) skipped" }
    return [replayed, result] + (differences.first?.lines ?? [])
  }

  private var result: String {
    let different = differences.count + moreDifferences
    if different > 0 {
      let rest = uncompared > 0 ? ", not compared on \(Number.grouped(uncompared))" : ""
      return
        "different on \(Number.counted(different, "connection")), the same on \(Number.grouped(same))\(rest); "
        + "the first:"
    }
    if same == 0 { return "compared  nothing: the capture has no connection whose answers can be compared" }
    if uncompared == 0 { return "same      every answer is the recorded one" }
    return "same      the same answers where they can be compared: on \(Number.grouped(same)) of "
      + Number.counted(same + uncompared, "connection")
  }
}

import APNSimCapture
import APNSimCore
import APNSimProvider
import APNSimScenario
import APNSimWire

/// A replay over the network, for people and for programs.
extension NetworkReplayReport {
  var json: String {
    var writer = JSONWriter()
    writer.beginObject()
    let counts: [(StaticString, Int)] = [
      ("connections", connections), ("feedbackConnections", feedbackConnections),
      ("http2Connections", requestConnections), ("requests", requests), ("skipped", skipped),
      ("bytesSent", bytesSent), ("bytesUnsent", bytesUnsent), ("same", same),
      ("different", differences.count + moreDifferences), ("uncomparedConnections", uncompared),
      ("sameAnswers", sameAnswers),
      ("uncomparedRequests", uncomparedRequests),
    ]
    for (name, count) in counts { writer.member(name, count) }
    writer.member("complete", stoppedAfter == nil)
    if let stoppedAfter { writer.member("stoppedAfter", stoppedAfter.description) }
    writer.list("differences", differences) { difference, writer in
      writer.member("connection", difference.connection)
      writer.member("listener", difference.listener.rawValue)
      writer.member("topic", difference.topic)
      writer.member("summary", difference.summary)
      writer.member("recorded", difference.recorded)
      writer.member("replayed", difference.replayed)
      writer.member("recordedBytes", hex: difference.recordedBytes)
      writer.member("replayedBytes", hex: difference.replayedBytes)
      guard !difference.requests.isEmpty else { return }
      writer.list("requests", difference.requests) { request, writer in
        writer.member("stream", request.stream)
        writer.key("recorded")
        request.recorded.write(to: &writer)
        writer.key("replayed")
        request.replayed.write(to: &writer)
      }
    }
    writer.list("uncomparedAnswers", uncomparedAnswers) { answer, writer in
      writer.member("connection", answer.captured.id.description)
      writer.member("listener", answer.captured.listener.rawValue)
      writer.member("topic", answer.captured.provider.topic)
      writer.member("replayedBytes", hex: answer.answer.bytes)
    }
    writer.member("notes", notes)
    writer.endObject()
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  /// The result, and the first difference in full.
  var lines: [String] {
    var replayed =
      "replayed  \(Number.counted(connections, "gateway connection")), "
      + "\(Number.counted(feedbackConnections, "feedback connection")), \(Number.counted(bytesSent, "byte"))"
    if requestConnections > 0 {
      replayed +=
        "; \(Number.counted(requestConnections, "HTTP/2 connection")), \(Number.counted(requests, "request"))"
    }
    if bytesUnsent > 0 { replayed += "; \(Number.counted(bytesUnsent, "byte")) could not be sent" }
    if skipped > 0 { replayed += "; \(Number.grouped(skipped)) skipped" }
    let stop = stoppedAfter.map { ["stopped   \($0) into the capture"] } ?? []
    return [replayed] + stop + [result] + (differences.first?.lines ?? []) + answerLines
  }

  private var result: String {
    let different = differences.count + moreDifferences
    if different > 0 {
      let rest = uncompared > 0 ? ", not compared on \(Number.grouped(uncompared))" : ""
      return
        "different on \(Number.counted(different, "connection")), the same on \(Number.grouped(same))\(rest); "
        + "the first:"
    }
    if same == 0, stoppedAfter != nil { return "compared  nothing: no connection had ended by then" }
    if same == 0 { return "compared  nothing: the capture has no connection whose answers can be compared" }
    if uncompared == 0 { return "same      every answer is as recorded" }
    return "same      the same answers where they can be compared: on \(Number.grouped(same)) of "
      + Number.counted(same + uncompared, "connection")
  }

  /// The most connections that are listed.
  private static let mostListed = 20

  /// Answers for which the capture has nothing to compare them with.
  private var answerLines: [String] {
    guard !uncomparedAnswers.isEmpty else { return [] }
    var lines = ["came back without being compared:"]
    for answer in uncomparedAnswers.prefix(Self.mostListed) {
      let captured = answer.captured
      lines.append(
        "\(ReplayDifference.name(captured.id.description, captured.listener, captured.provider.topic)):"
      )
      lines += answer.answer.text.map { "  \($0)" }
    }
    let more = uncomparedAnswers.count - Self.mostListed
    return more > 0 ? lines + ["… and on \(Number.counted(more, "connection")) more"] : lines
  }
}

extension StreamOutcome {
  /// `{"status":410,"reason":"Unregistered","apnsId":"…"}`; without a status, `error` says what came instead.
  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    if case .answered(let answer) = self {
      writer.key("status")
      if let status = answer.status { writer.int(status) } else { writer.null() }
      if let reason = answer.reason { writer.member("reason", reason) }
      if let id = answer.id { writer.member("apnsId", id) }
    } else {
      writer.key("status")
      writer.null()
      writer.member("error", text)
    }
    writer.endObject()
  }
}

extension ReplayDifference {
  /// In full, for people.
  var lines: [String] {
    ["\(Self.name(connection, listener, topic)): \(summary)"]
      + recorded.map { "  recorded  \($0)" } + replayed.map { "  replayed  \($0)" }
  }

  /// `c3 (gateway, com.example.app)`
  static func name(_ connection: String, _ listener: Listener, _ topic: String) -> String {
    "\(connection) (\(listener.rawValue)\(topic.isEmpty ? "" : ", \(TerminalText.visible(topic))"))"
  }
}

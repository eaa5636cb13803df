import APNSimCapture
import APNSimImport
import APNSimWire

/// The findings of an import for people: the result, and what to keep in mind about it.
struct ImportSummaryText {
  private let summary: ImportSummary
  private let output: String?

  /// - Parameter output: the file written; nil for stdout.
  init(_ summary: ImportSummary, output: String?) {
    self.summary = summary
    self.output = output
  }

  /// The most gaps that are told one by one.
  private static let mostGaps = 10

  /// `c1: 100 bytes from the provider are missing at byte 9`
  private func words(_ gap: ImportSummary.Gap) -> String {
    let whose = gap.direction == .in ? "from the provider" : "to the provider"
    if gap.isBeginning {
      return "\(gap.connection): the capture begins inside this connection; what came before is not in it"
    }
    let count = gap.count > 0 ? Number.counted(gap.count, "byte") : "an unknown number of bytes"
    let place = gap.offset.map { " at byte \(Number.grouped($0))" } ?? ""
    return "\(gap.connection): \(count) \(whose) missing\(place)"
  }

  var lines: [String] {
    var lines = summary.files.map { file in
      "read      \(file.name), \(file.kind.rawValue)"
        + (file.packets > 0 ? ", \(Number.counted(file.packets, "packet"))" : "")
    }
    if let output { lines.append("wrote     \(output)") }
    var kinds: [String] = []
    if summary.gatewayConnections > 0 {
      kinds.append("\(Number.grouped(summary.gatewayConnections)) gateway")
    }
    if summary.feedbackConnections > 0 {
      kinds.append("\(Number.grouped(summary.feedbackConnections)) feedback")
    }
    if summary.requestConnections > 0 { kinds.append("\(Number.grouped(summary.requestConnections)) HTTP/2") }
    if summary.deviceConnections > 0 { kinds.append("\(Number.grouped(summary.deviceConnections)) device") }
    lines.append(
      "found     \(Number.counted(summary.connections, "connection"))"
        + (kinds.isEmpty ? "" : ": \(kinds.joined(separator: ", "))")
    )
    if summary.connections == 0 || summary.connections > summary.requestConnections {
      lines.append(
        "          \(Number.counted(summary.frames, "frame")) in \(Number.counted(summary.bytesIn, "byte")), "
          + "\(Number.counted(summary.bytesOut, "byte")) of answers"
      )
    }
    if summary.requestConnections > 0 {
      lines.append(
        "          \(Number.counted(summary.requests, "request")), \(Number.counted(summary.answers, "answer"))"
      )
    }
    if let start = summary.start, let end = summary.end {
      lines.append("          \(start) to \(end)")
    }
    if !summary.topics.isEmpty {
      lines.append("topic     \(TerminalText.visible(summary.topics.joined(separator: ", ")))")
    }
    return lines
  }

  /// For stderr, a line each.
  var notes: [String] {
    var notes = summary.damage.map { "damage: \($0); everything before it was read" }
    func note(_ count: Int, _ noun: String, _ text: (String) -> String) {
      if count > 0 { notes.append("note: " + text(Number.counted(count, noun))) }
    }
    if let topic = summary.assumedTopic {
      notes.append(
        "note: the capture does not show the providers' certificates; the topic is taken to be \(topic) (--topic)"
      )
    }
    note(summary.gaps, "gap") { gaps in
      "\(gaps) in \(Number.counted(summary.connectionsWithGaps, "connection"))"
        + (summary.missingBytes > 0
          ? ", \(Number.counted(summary.missingBytes, "byte")) known to be missing" : "")
        + (summary.resumed > 0 ? "; frames were found again after \(Number.grouped(summary.resumed))" : "")
    }
    notes += summary.gapPlaces.prefix(Self.mostGaps).map { "note: \(words($0))" }
    if summary.gaps > Self.mostGaps {
      notes.append(
        "note: and \(Number.counted(summary.gaps - Self.mostGaps, "gap")) more; bytesMissing in the capture has all"
      )
    }
    note(summary.requestsWithoutAnswer, "request") { count in
      "\(count) without an answer"
        + (summary.resetStreams > 0 ? ", \(Number.grouped(summary.resetStreams)) of them by RST_STREAM" : "")
    }
    note(summary.answersWithoutRequest, "answer") { "\($0) without a request in the capture" }
    note(summary.unfinishedRequests, "request") { "\($0) left out: the capture does not have its end" }
    note(summary.unreadableTails, "connection") { count in
      "\(count) \(summary.unreadableTails == 1 ? "ends" : "end") in something other than a whole frame"
    }
    note(summary.cutShort, "packet") { "\($0) cut before the end of its headers (tcpdump -s 0 keeps all)" }
    for file in summary.files where file.cutData > 0 {
      notes.append(
        "note: \(file.name): \(file.cutData) of \(Number.counted(file.packets, "packet")) cut inside their data, at "
          + "\(file.snapLength) bytes at most (tcpdump -s 0 keeps all)"
      )
    }
    if !summary.encapsulations.isEmpty {
      notes.append(
        "note: packets inside others that are not taken apart, left out: \(summary.encapsulationText)"
      )
    }
    note(summary.fragments, "IP fragment") { "\($0) left out: the rest of their packets is missing" }
    note(summary.streams.strays, "packet") { "\($0) left out, far from where their connections were" }
    note(summary.streams.lateBytes, "byte") {
      "\($0) left out: sent more than \(StreamLimits().afterReset) after a reset"
    }
    note(summary.unknownLinks, "packet") {
      "\($0) of link type \(summary.unknownLinkText), which is not understood, left out"
    }
    note(summary.streams.tlsConnections, "TLS connection") { "\($0) left out; --keylog FILE decrypts them" }
    note(summary.undecryptable, "TLS connection") { "\($0) not decrypted: not in the key log" }
    note(summary.withoutHandshake, "TLS connection") {
      "\($0) not decrypted: the capture does not have the whole handshake"
    }
    note(summary.streams.unknownSides, "connection") {
      "\($0) where nothing tells which side is the gateway; --port N says it"
    }
    note(summary.streams.proxied, "connection") {
      "\($0) through a proxy (CONNECT \(TerminalText.visible(summary.streams.proxiedTo))) left out: the TLS inside is not read"
    }
    note(summary.streams.otherConnections, "connection") { "\($0) of other protocols left out" }
    note(summary.streams.unfollowed, "connection") { "\($0) left out: too many at once" }
    return notes + summary.notes.map { "note: \($0)" }
  }
}

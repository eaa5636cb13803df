import APNSimCore
import APNSimWire

/// Writes entries as the lines of a capture, for imports.
///
/// Numbers are given in the order of writing. The caller keeps what `lines` has and empties it.
package struct CaptureWriter {
  private var writer = JSONWriter()
  private var seq: UInt64 = 0

  /// Begins a capture with its first line.
  package init(_ header: CaptureHeader) {
    writer.raw(header.importedLine)
    writer.removeSeparator()
  }

  /// Takes the lines that were written since the last call.
  package mutating func takeLines() -> [UInt8] {
    defer { writer.removeAll() }
    return writer.bytes
  }

  package var byteCount: Int { writer.bytes.count }

  /// Appends an entry; one of kind `other` has nothing to write but its name.
  package mutating func write(_ entry: CaptureEntry) {
    seq += 1
    writer.beginObject()
    writer.member("seq", seq)
    writer.member("time", entry.time.description)
    writer.key("event")
    switch entry.kind {
    case .connectionOpened(let connection): write(connection)
    case .bytesIn(let id, let bytes, let dropped, _):
      begin("bytesIn", id)
      writer.member("bytes", base64: bytes)
      writer.member("count", bytes.count + max(0, dropped))
    case .bytesOut(let id, let bytes):
      begin("bytesOut", id)
      writer.member("bytes", base64: bytes)
    case .bytesMissing(let id, let direction, let count):
      begin("bytesMissing", id)
      writer.member("direction", direction.rawValue)
      writer.member("count", count)
    case .framesFound(let id): begin("framesFound", id)
    case .captureEnded: writer.string("captureEnded")
    case .inputEnded(let id): begin("inputEnded", id)
    case .connectionClosed(let id, let reason, let byService):
      begin("connectionClosed", id)
      writer.member("reason", reason.rawValue)
      if reason == .reset, byService { writer.member("by", "service") }
    case .command(let json):
      writer.string("command")
      writer.key("do")
      writer.raw(json)
    case .stream(let id, let happening):
      begin(happening.name, id)
      happening.write(to: &writer)
    case .other(let name): writer.string(name)
    }
    writer.endObject()
    writer.newline()
  }

  private mutating func begin(_ event: String, _ id: ConnectionID) {
    writer.string(event)
    writer.member("connection", id.description)
  }

  private mutating func write(_ connection: CapturedConnection) {
    begin("connectionOpened", connection.id)
    if connection.ordinal > 0 {
      writer.member("ordinal", connection.ordinal)
    }
    writer.member("listener", connection.listener.rawValue)
    writer.member("peer", connection.peer)
    writer.key("provider")
    writer.beginObject()
    connection.provider.writeMembers(to: &writer)
    writer.endObject()
    writer.key("tls")
    writer.beginObject()
    writer.member("version", connection.tlsVersion)
    writer.member("cipher", connection.cipher)
    writer.endObject()
    if connection.areAnswersSeen { writer.member("answersSeen", true) }
  }
}

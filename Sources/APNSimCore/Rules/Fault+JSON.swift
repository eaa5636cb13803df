package import APNSimWire

extension Fault {
  /// Writes the fault as `fault` has it: `"swallow"`, `{"reset":{"afterBytes":40}}`.
  package func write(to writer: inout JSONWriter) {
    switch self {
    case .swallow, .blackHole, .feedbackHoldOpen, .feedbackKeep, .close(.now), .reset(.now),
      .stopReading(.now):
      return writer.string(name)
    default: break
    }
    writer.beginObject()
    writer.key(name)
    switch self {
    case .close(let trigger), .reset(let trigger), .stopReading(let trigger): trigger.write(to: &writer)
    case .refuseHandshake(let refusal): refusal.write(to: &writer)
    case .acceptDelay(let span), .latency(let span), .closeAfterHandshake(let span), .idleClose(let span):
      writer.string(span.description)
    case .slice(let bytes, let pause):
      writer.beginObject()
      writer.member("bytes", bytes)
      writer.member("pause", pause.description)
      writer.endObject()
    case .feedbackTruncate(let bytes): writer.int(bytes)
    case .swallow, .blackHole, .feedbackHoldOpen, .feedbackKeep: writer.bool(true)
    }
    writer.endObject()
  }
}

extension Fault.Trigger {
  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    switch self {
    case .now: break
    case .afterBytes(let count):
      writer.member("afterBytes", count)
    case .afterFrames(let count):
      writer.member("afterFrames", count)
    }
    writer.endObject()
  }
}

extension Fault.HandshakeRefusal {
  /// `"close"` or `{"alert":44}`.
  package func write(to writer: inout JSONWriter) {
    switch self {
    case .close: writer.string("close")
    case .alert(let number):
      writer.beginObject()
      writer.member("alert", number)
      writer.endObject()
    }
  }
}

// Writing frames. Nothing is judged here: whatever a fault asks for can be written.

extension GrowingBytes {
  /// Writes a frame's header. `length` need not be that of what follows; its low 24 bits are written.
  @inline(__always)
  package mutating func append(_ header: FrameHeader) {
    let room = end(room: FrameHeader.byteCount)
    let word = UInt32(truncatingIfNeeded: header.length) << 8 | UInt32(header.type.rawValue)
    room.storeBytes(of: word.bigEndian, as: UInt32.self)
    room[4] = header.flags.rawValue
    room.storeBytes(of: header.stream.bigEndian, toByteOffset: 5, as: UInt32.self)
    advance(by: FrameHeader.byteCount)
  }

  /// Writes a frame. Its header declares the payload's length, unless another one is given.
  package mutating func appendFrame(
    _ type: FrameType,
    flags: FrameFlags = [],
    stream: UInt32 = 0,
    payload: [UInt8] = [],
    declaredLength: Int? = nil
  ) {
    append(FrameHeader(length: declaredLength ?? payload.count, type: type, flags: flags, stream: stream))
    append(payload)
  }

  /// `06 00 00 04 08 …`: SETTINGS with the given settings, in order.
  package mutating func appendSettings(_ settings: [HTTP2Setting]) {
    append(FrameHeader(length: settings.count * 6, type: .settings))
    for setting in settings {
      append(bigEndian: setting.identifier)
      append(bigEndian: setting.value)
    }
  }

  package mutating func appendSettingsAcknowledgement() {
    append(FrameHeader(length: 0, type: .settings, flags: .acknowledgement))
  }

  package mutating func appendPing(_ opaque: UInt64, isAcknowledgement: Bool = false) {
    append(FrameHeader(length: 8, type: .ping, flags: isAcknowledgement ? .acknowledgement : []))
    append(bigEndian: opaque)
  }

  package mutating func appendWindowUpdate(stream: UInt32, by increment: UInt32) {
    append(FrameHeader(length: 4, type: .windowUpdate, stream: stream))
    append(bigEndian: increment)
  }

  package mutating func appendReset(stream: UInt32, _ code: ErrorCode) {
    append(FrameHeader(length: 4, type: .resetStream, stream: stream))
    append(bigEndian: code.rawValue)
  }

  /// GOAWAY: the last stream that is answered, a code, and debug data of any length.
  package mutating func appendGoAway(lastStream: UInt32, _ code: ErrorCode, debug: [UInt8] = []) {
    append(FrameHeader(length: 8 + debug.count, type: .goAway))
    append(bigEndian: lastStream)
    append(bigEndian: code.rawValue)
    append(debug)
  }
}

/// Reads notification frames of commands 0, 1 and 2 out of a byte stream.
///
/// ```text
/// command 0   00 | length u16 | token | length u16 | payload
/// command 1   01 | identifier 4 | expiry u32 | length u16 | token | length u16 | payload
/// command 2   02 | length u32 | items ...            item:  id u8 | length u16 | data
/// ```
///
/// All integers are big endian. Frames follow each other without separators, commands may be mixed, and TCP may cut
/// anywhere: ``next(in:from:mode:)`` is a pure function that returns nil until the bytes decide, so any cut gives the
/// same frames.
///
/// Source: Local and Push Notification Programming Guide 2011-08-09, Listings 5-1 and 5-2; Binary Provider API
/// (2018), Tables.
package enum FrameDecoder: Sendable {
  package enum Mode: Sendable {
    /// The gateway's reading until its first error. Commands 0 and 1 stop at the first declared length that is
    /// refused, rather than wait for up to 65,535 bytes that may never come.
    case judging(FrameLimits)
    /// The reading after an error, and in captures and imports: every declared length is accepted and commands 0, 1
    /// and 2 are all known. Only the bound on a command-2 frame remains.
    case reading
  }

  /// The maximum length of a command-2 frame in either mode, in bytes without its header.
  package static let maximumFrameLength = 131_072

  /// The maximum length of a frame in bytes; an unfinished frame has fewer. The largest is one of command 1 read with
  /// ``Mode/reading``: a header of 9 bytes and two fields of 2 + 65,535.
  package static let maximumByteCount = 9 + 2 * (2 + 65_535)

  /// The frame that starts at `offset`, or nil while the bytes do not decide what it is.
  package static func next(in buffer: UnsafeRawBufferPointer, from offset: Int, mode: Mode) -> Frame? {
    var frame = Frame(.malformed, command: 0, start: offset, end: offset)
    return read(&frame.envelope, &frame.fields, in: buffer, from: offset, mode: mode) ? frame : nil
  }

  /// The identifier of a frame that is not complete; nil if its command has none, or the bytes do not reach that far.
  package static func identifier(ofBeginning bytes: UnsafeRawBufferPointer) -> NotificationIdentifier? {
    guard bytes.first == 1, bytes.count >= 5 else { return nil }
    return NotificationIdentifier(rawValue: bytes[1..<5].reduce(0) { $0 << 8 | UInt32($1) })
  }

  /// Reads the frame that starts at `offset` into the places of its envelope and its fields; false while the bytes do
  /// not decide what it is.
  ///
  /// A value that was just written field by field is slow to copy: the processor waits until its parts have come
  /// together. Hence the places.
  package static func read(
    _ frame: inout FrameEnvelope,
    _ fields: inout NotificationFields,
    in buffer: UnsafeRawBufferPointer,
    from offset: Int,
    mode: Mode
  ) -> Bool {
    guard offset >= 0, offset < buffer.count else { return false }
    let command = buffer[offset]
    var commands = CommandSet.all
    var frameLimit = maximumFrameLength
    if case .judging(let limits) = mode {
      commands = limits.commands
      frameLimit = min(frameLimit, limits.frame)
    }
    guard commands.contains(command: command) else {
      frame = FrameEnvelope(.malformed, command: command, start: offset, end: offset + 1)
      frame.defect = .unknownCommand
      fields = NotificationFields()
      return true
    }
    return command == 2
      ? readFramed(&frame, &fields, in: buffer, from: offset, limit: frameLimit)
      : readUnframed(&frame, &fields, in: buffer, from: offset, command: command, mode: mode)
  }

  /// Reads a frame of command 0 or 1: its fields are at offsets that follow from the lengths before them, judged in
  /// wire order.
  @inline(__always)
  private static func readUnframed(
    _ frame: inout FrameEnvelope,
    _ fields: inout NotificationFields,
    in buffer: UnsafeRawBufferPointer,
    from start: Int,
    command: UInt8,
    mode: Mode
  ) -> Bool {
    let tokenField = command == 0 ? start + 1 : start + 9
    let tokenStart = tokenField + 2
    guard tokenStart <= buffer.count else { return false }

    frame = FrameEnvelope(.stopped, command: command, start: start, end: tokenStart)
    fields = NotificationFields()
    if command == 1 {
      (fields.hasIdentifier, fields.hasExpiry) = (true, true)
      fields.identifier = NotificationIdentifier(rawValue: buffer.bigEndian(UInt32.self, at: start + 1))
      fields.expiry = Int64(buffer.bigEndian(UInt32.self, at: start + 5))
    }
    fields.tokenLength = buffer.bigEndian(UInt16.self, at: tokenField)
    fields.hasToken = true
    if case .judging(let limits) = mode, !limits.tokenSizes.contains(Int(fields.tokenLength)) { return true }

    let payloadField = tokenStart + Int(fields.tokenLength)
    let payloadStart = payloadField + 2
    guard payloadStart <= buffer.count else { return false }
    fields.tokenStart = UInt32(truncatingIfNeeded: tokenStart - start)
    fields.payloadLength = buffer.bigEndian(UInt16.self, at: payloadField)
    fields.hasPayload = true
    frame.end = payloadStart
    if case .judging(let limits) = mode,
      fields.payloadLength == 0 || Int(fields.payloadLength) > limits.payload(of: command)
    {
      return true
    }

    let end = payloadStart + Int(fields.payloadLength)
    guard end <= buffer.count else { return false }
    fields.payloadStart = UInt32(truncatingIfNeeded: payloadStart - start)
    frame.end = end
    frame.form = .complete
    return true
  }

  /// Reads a frame of command 2, whole or not at all: item order must not change the answer, and the identifier may
  /// come last. Only an impossible frame length is refused at once.
  private static func readFramed(
    _ frame: inout FrameEnvelope,
    _ fields: inout NotificationFields,
    in buffer: UnsafeRawBufferPointer,
    from start: Int,
    limit: Int
  ) -> Bool {
    let items = start + 5
    guard items <= buffer.count else { return false }
    let length = Int(buffer.bigEndian(UInt32.self, at: start + 1))
    guard length > 0, length <= limit else {
      frame = FrameEnvelope(.malformed, command: 2, start: start, end: items)
      fields = NotificationFields()
      frame.defect = length == 0 ? .emptyFrame : .frameTooLong
      frame.defectOffset = start + 1
      return true
    }
    guard buffer.count - items >= length else { return false }
    frame = FrameEnvelope(.complete, command: 2, start: start, end: items + length)
    fields = NotificationFields()
    var offset = items
    var seen: UInt8 = 0
    while offset < frame.end {
      offset = read(itemAt: offset, of: buffer, into: &frame, &fields, seen: &seen)
    }
    return true
  }

  /// Reads one item into `fields` and returns the offset after it: the frame's end when it is malformed. `seen` has a
  /// bit for each item before it.
  @inline(__always)
  private static func read(
    itemAt offset: Int,
    of buffer: UnsafeRawBufferPointer,
    into frame: inout FrameEnvelope,
    _ fields: inout NotificationFields,
    seen: inout UInt8
  ) -> Int {
    guard frame.end - offset >= 3 else { return refuse(&frame, .strayBytes, at: offset) }
    let id = buffer[offset]
    let length = buffer.bigEndian(UInt16.self, at: offset + 1)
    let data = offset + 3
    guard id >= 1, id <= 5 else { return refuse(&frame, .unknownItem, at: offset) }
    let field = 1 &<< id
    guard seen & field == 0 else { return refuse(&frame, .duplicateItem, at: offset) }
    guard id < 3 || length == (id == 5 ? 1 : 4) else {
      return refuse(&frame, .wrongItemLength, at: offset + 1)
    }
    guard Int(length) <= frame.end - data else { return refuse(&frame, .itemOverrun, at: offset + 1) }

    seen |= field
    let place = UInt32(truncatingIfNeeded: data - frame.start)
    switch id {
    case 1: (fields.hasToken, fields.tokenStart, fields.tokenLength) = (true, place, length)
    case 2: (fields.hasPayload, fields.payloadStart, fields.payloadLength) = (true, place, length)
    case 3:
      fields.hasIdentifier = true
      fields.identifier = NotificationIdentifier(rawValue: buffer.bigEndian(UInt32.self, at: data))
    case 4: (fields.hasExpiry, fields.expiry) = (true, Int64(buffer.bigEndian(UInt32.self, at: data)))
    default: (fields.hasPriority, fields.priority) = (true, buffer[data])
    }
    return data + Int(length)
  }

  private static func refuse(_ frame: inout FrameEnvelope, _ defect: FrameDefect, at offset: Int) -> Int {
    frame.form = .malformed
    frame.defect = defect
    frame.defectOffset = offset
    return frame.end
  }
}

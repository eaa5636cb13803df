import APNSimCore

/// Writes a pcapng file of IP packets (link type 101), little endian, times in microseconds.
///
/// Source: draft-ietf-opsawg-pcapng, section 4.
struct PcapngWriter {
  private(set) var bytes: [UInt8] = []
  private(set) var packets = 0

  /// Begins a file with its section and its one interface.
  /// - Parameter comment: the section's comment, for people.
  init(application: String, comment: String) {
    block(0x0A0D_0D0A) { body in
      Self.append(UInt32(0x1A2B_3C4D), to: &body)
      Self.append(UInt16(1), to: &body)
      Self.append(UInt16(0), to: &body)
      Self.append(UInt64.max, to: &body)  // the section's length is not known
      Self.option(1, comment, to: &body)
      Self.option(4, application, to: &body)
      Self.endOfOptions(&body)
    }
    block(1) { body in
      Self.append(LinkType.raw.rawValue, to: &body)
      Self.append(UInt16(0), to: &body)
      Self.append(UInt32(0), to: &body)
      Self.option(2, "apnsim", to: &body)
      Self.option(3, "plaintext of the captured connections", to: &body)
      Self.endOfOptions(&body)
    }
  }

  /// - Parameter cutOff: bytes at the packet's end that the file does not have.
  mutating func add(_ packet: [UInt8], cutOff: Int = 0, at time: Timestamp, comment: String? = nil) {
    packets += 1
    let microseconds = UInt64(clamping: time.rawValue).multipliedReportingOverflow(by: 1000)
    let ticks = microseconds.overflow ? .max : microseconds.partialValue
    block(6) { body in
      Self.append(UInt32(0), to: &body)
      Self.append(UInt32(truncatingIfNeeded: ticks >> 32), to: &body)
      Self.append(UInt32(truncatingIfNeeded: ticks), to: &body)
      let kept = packet.dropLast(cutOff)
      Self.append(UInt32(truncatingIfNeeded: kept.count), to: &body)
      Self.append(UInt32(truncatingIfNeeded: packet.count), to: &body)
      body += kept
      Self.pad(&body)
      if let comment {
        Self.option(1, comment, to: &body)
        Self.endOfOptions(&body)
      }
    }
  }

  /// Adds a TLS key log, which decrypts the packets after it.
  mutating func add(keyLog: [UInt8]) {
    block(10) { body in
      Self.append(PcapngReader.tlsKeyLog, to: &body)
      Self.append(UInt32(truncatingIfNeeded: keyLog.count), to: &body)
      body += keyLog
    }
  }

  /// Takes the bytes that were written since the last call.
  mutating func takeBytes() -> [UInt8] {
    defer { bytes.removeAll(keepingCapacity: true) }
    return bytes
  }

  private mutating func block(_ type: UInt32, _ fill: (inout [UInt8]) -> Void) {
    var body: [UInt8] = []
    fill(&body)
    Self.pad(&body)
    let length = UInt32(truncatingIfNeeded: 12 + body.count)
    Self.append(type, to: &bytes)
    Self.append(length, to: &bytes)
    bytes += body
    Self.append(length, to: &bytes)
  }

  /// An option's text is cut where its 16-bit length ends.
  private static func option(_ code: UInt16, _ text: String, to body: inout [UInt8]) {
    let value = Array(text.utf8.prefix(60_000))
    append(code, to: &body)
    append(UInt16(truncatingIfNeeded: value.count), to: &body)
    body += value
    pad(&body)
  }

  private static func endOfOptions(_ body: inout [UInt8]) { body += [0, 0, 0, 0] }

  private static func pad(_ body: inout [UInt8]) {
    while body.count % 4 != 0 { body.append(0) }
  }

  private static func append(_ value: some FixedWidthInteger & UnsignedInteger, to bytes: inout [UInt8]) {
    for shift in stride(from: 0, to: value.bitWidth, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: value >> shift))
    }
  }
}

import APNSimHTTP2

/// Cuts the bytes of one direction of a captured connection into HTTP/2 frames.
struct FrameReading {
  struct Frame {
    var header: FrameHeader
    var payload: ArraySlice<UInt8>
  }

  /// The reason why a direction is not read any further.
  enum Loss: Hashable, Sendable {
    /// The capture begins inside of it: neither where a frame begins is known, nor the table of its header compression.
    case joined
    /// Bytes are missing in the middle.
    case gap
    /// Its first bytes are missing, though the capture has the connection's beginning.
    case beginning
    /// It does not begin as HTTP/2 does, or is damaged otherwise.
    case damaged(String)
  }

  private(set) var loss: Loss?
  private var buffer: [UInt8] = []
  private var start = 0
  private var preface: ArraySlice<UInt8>
  private var hasBegun = false

  /// Larger frames are nothing that a provider or the service sends.
  private static let mostBytes = 1 << 20
  static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)

  /// - Parameter isProvider: true for the direction that begins with the connection preface.
  init(isProvider: Bool) { preface = isProvider ? Self.preface[...] : [] }

  mutating func lose(_ reason: Loss) {
    guard loss == nil else { return }
    loss = reason
    (buffer, start) = ([], 0)
  }

  /// Bytes are missing here.
  mutating func miss() { lose(hasBegun ? .gap : .beginning) }

  mutating func append(_ bytes: ArraySlice<UInt8>) {
    guard loss == nil else { return }
    hasBegun = true
    if start > 0 { buffer.removeFirst(start) }
    start = 0
    buffer += bytes
  }

  /// The next whole frame.
  mutating func next() -> Frame? {
    guard loss == nil, passPreface() else { return nil }
    let header = buffer.withUnsafeBytes { FrameHeader(in: $0, at: start) }
    guard let header else { return nil }
    guard header.length <= Self.mostBytes else {
      lose(.damaged("a frame of \(header.length) bytes"))
      return nil
    }
    let end = start + FrameHeader.byteCount + header.length
    guard end <= buffer.count else { return nil }
    defer { start = end }
    return Frame(header: header, payload: buffer[start + FrameHeader.byteCount..<end])
  }

  private mutating func passPreface() -> Bool {
    guard !preface.isEmpty else { return true }
    let found = buffer[start...].prefix(preface.count)
    guard preface.starts(with: found) else {
      lose(.damaged("it does not begin as HTTP/2 does"))
      return false
    }
    start += found.count
    preface = preface.dropFirst(found.count)
    return preface.isEmpty
  }
}

extension FrameReading.Frame {
  /// The payload without padding and priority; nil where these would leave it.
  var content: ArraySlice<UInt8>? {
    var content = payload
    if header.flags.contains(.padded),
      header.type == .data || header.type == .headers || header.type == .pushPromise
    {
      guard let padding = content.popFirst(), Int(padding) <= content.count else { return nil }
      content = content.dropLast(Int(padding))
    }
    if header.type == .headers, header.flags.contains(.priority) {
      guard content.count >= 5 else { return nil }
      content = content.dropFirst(5)
    }
    if header.type == .pushPromise {
      guard content.count >= 4 else { return nil }
      content = content.dropFirst(4)
    }
    return content
  }

  /// A number of four bytes of the payload.
  func number(at offset: Int) -> UInt32? {
    guard payload.count >= offset + 4 else { return nil }
    return payload.dropFirst(offset).prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
  }
}

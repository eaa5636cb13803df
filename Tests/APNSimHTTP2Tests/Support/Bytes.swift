import APNSimHTTP2

/// The bytes of hexadecimal digits; spaces and line ends are for the reader.
func hex(_ text: String) -> [UInt8] {
  let digits = text.compactMap(\.hexDigitValue)
  return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
}

func frame(_ type: FrameType, _ flags: FrameFlags = [], _ stream: UInt32 = 0, _ payload: [UInt8] = [])
  -> [UInt8]
{
  bytes { $0.appendFrame(type, flags: flags, stream: stream, payload: payload) }
}

func bytes(_ write: (inout GrowingBytes) -> Void) -> [UInt8] {
  var buffer = GrowingBytes()
  write(&buffer)
  return Array(buffer.bytes)
}

let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
let emptySettings = frame(.settings)
let opening = preface + emptySettings

/// A header block, each field a literal with its name.
func block(_ fields: [(String, String)], _ representation: HPACKEncoder.Representation = .withoutIndexing)
  -> [UInt8]
{
  bytes {
    for (name, value) in fields {
      HPACKEncoder.append(name: Array(name.utf8), value: Array(value.utf8), representation, to: &$0)
    }
  }
}

let pseudo = [(":method", "POST"), (":scheme", "https"), (":path", "/3/device/ab")]

func request(_ more: [(String, String)] = []) -> [UInt8] { block(pseudo + more) }

func headers(
  _ stream: UInt32,
  _ block: [UInt8] = request(),
  _ flags: FrameFlags = [.endHeaders, .endStream]
) -> [UInt8] {
  frame(.headers, flags, stream, block)
}

func data(_ stream: UInt32, _ text: String = "{}", _ flags: FrameFlags = .endStream) -> [UInt8] {
  frame(.data, flags, stream, Array(text.utf8))
}

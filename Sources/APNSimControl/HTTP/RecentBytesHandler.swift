import NIOCore

/// Keeps the last bytes that came before the parser: it says that a length is wrong, and not what it was.
final class RecentBytesHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  /// More than the field's name and a number with which the parser gives up.
  private static let most = 256

  /// The end of what came before the last read.
  private var before: [UInt8] = []
  private var read = ByteBuffer()

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    before = recent(Self.most)
    read = unwrapInboundIn(data)
    context.fireChannelRead(data)
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    before = recent(Self.most)
    read = ByteBuffer()
    context.fireChannelReadComplete()
  }

  private func recent(_ count: Int) -> [UInt8] {
    Array((before + read.readableBytesView.suffix(count)).suffix(count))
  }

  /// True where the last Content-Length that came begins with more digits than any length has.
  var hasEndlessLength: Bool {
    let name = Array("content-length:".utf8)
    let bytes = before + read.readableBytesView
    for start in stride(from: bytes.count - name.count, through: 0, by: -1)
    where bytes[start..<start + name.count].elementsEqual(name, by: { $0 | 0x20 == $1 || $0 == $1 }) {
      let value = bytes[(start + name.count)...].drop { $0 == 0x20 || $0 == 0x09 }
      let digits = value.prefix { (0x30...0x39).contains($0) }
      return digits.drop { $0 == 0x30 }.count >= String(UInt64.max).utf8.count
    }
    return false
  }
}

import NIOCore
import Synchronization

/// Notes the TLS records that arrive, by the headers that stand in clear before each (RFC 5246, section 6.2.1).
final class RecordSpy: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  struct Record: Hashable, Sendable {
    var kind: UInt8
    /// The length on the wire, with the overhead of encryption.
    var byteCount: Int
    /// Application data.
    var isData: Bool { kind == 23 }
  }

  /// The records so far, for the test to look at.
  final class Log: Sendable {
    private let records = Mutex<[Record]>([])
    func append(_ record: Record) { records.withLock { $0.append(record) } }
    var all: [Record] { records.withLock { $0 } }
    var data: [Record] { all.filter(\.isData) }
  }

  private let log: Log
  private var pending = ByteBuffer()

  init(_ log: Log) { self.log = log }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    var bytes = unwrapInboundIn(data)
    pending.writeBuffer(&bytes)
    while let kind = pending.getInteger(at: pending.readerIndex, as: UInt8.self),
      let count = pending.getInteger(at: pending.readerIndex + 3, as: UInt16.self),
      pending.readableBytes >= 5 + Int(count)
    {
      log.append(Record(kind: kind, byteCount: Int(count)))
      pending.moveReaderIndex(forwardBy: 5 + Int(count))
    }
    pending.discardReadBytes()
    context.fireChannelRead(data)
  }
}

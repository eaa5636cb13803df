import APNSimTLS
import NIOCore
import NIOEmbedded
import NIOTLS

/// A client and a server in one thread, with the test as the network between them.
final class EmbeddedPair {
  let client = EmbeddedChannel()
  let server = EmbeddedChannel()
  let clientTLS: TLSHandler
  let serverTLS: TLSHandler
  let clientSaw = Log()
  let serverSaw = Log()

  /// The input above TLS.
  final class Log: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    var reads: [ByteBuffer] = []
    var handshakes = 0
    var errors: [any Error] = []
    var isInactive = false
    var bytes: [UInt8] { reads.flatMap { Array($0.readableBytesView) } }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) { reads.append(unwrapInboundIn(data)) }
    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
      if case TLSUserEvent.handshakeCompleted = event { handshakes += 1 }
    }
    func errorCaught(context: ChannelHandlerContext, error: any Error) { errors.append(error) }
    func channelInactive(context: ChannelHandlerContext) { isInactive = true }
  }

  init(client clientContext: TLSContext, server serverContext: TLSContext) throws {
    clientTLS = try TLSHandler(clientContext)
    serverTLS = try TLSHandler(serverContext)
    try server.pipeline.syncOperations.addHandlers(serverTLS, serverSaw)
    try client.pipeline.syncOperations.addHandlers(clientTLS, clientSaw)
    let address = try SocketAddress(ipAddress: "127.0.0.1", port: 2195)
    server.connect(to: address, promise: nil)
    client.connect(to: address, promise: nil)
  }

  /// Everything one side has to send, as one run of bytes.
  static func output(_ channel: EmbeddedChannel) throws -> [UInt8] {
    var bytes: [UInt8] = []
    while let buffer = try channel.readOutbound(as: ByteBuffer.self) { bytes += buffer.readableBytesView }
    return bytes
  }

  /// Carries bytes both ways until both sides are silent, each piece as long as `cut` says.
  func pump(cut: () -> Int = { .max }) throws {
    while true {
      let up = try Self.output(client)
      let down = try Self.output(server)
      if up.isEmpty, down.isEmpty { return }
      try Self.deliver(up, to: server, cut: cut)
      try Self.deliver(down, to: client, cut: cut)
    }
  }

  static func deliver(_ bytes: [UInt8], to channel: EmbeddedChannel, cut: () -> Int) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let piece = rest.prefix(max(1, cut()))
      rest = rest.dropFirst(piece.count)
      try channel.writeInbound(ByteBuffer(bytes: piece))
    }
  }

  func finish() {
    _ = try? client.finish(acceptAlreadyClosed: true)
    _ = try? server.finish(acceptAlreadyClosed: true)
  }
}

/// The lengths of the TLS records in a run of bytes: type and content length.
func records(_ bytes: [UInt8]) -> [(type: UInt8, length: Int)] {
  var found: [(UInt8, Int)] = []
  var rest = bytes[...]
  while rest.count >= 5 {
    let header = Array(rest.prefix(5))
    let length = Int(header[3]) << 8 | Int(header[4])
    found.append((header[0], length))
    rest = rest.dropFirst(5 + length)
  }
  return found
}

import APNSimSystem
package import NIOCore
import NIOTLS
import SystemPackage

/// The channel handler of TLS for both roles: ciphertext towards the socket, plaintext towards the application.
///
/// - One read of the socket becomes one `channelRead`, whatever number of records it brought, or a few large ones.
/// - One `write` of up to 16,384 bytes becomes exactly one record; everything flushed together leaves in one
///   socket write. Write promises complete when the ciphertext is with the kernel, and writability is the
///   socket's: back-pressure passes through in both directions.
/// - `TLSUserEvent.handshakeCompleted` comes before the first data. Before that, writes wait.
/// - Whatever goes wrong is one ``TLSError`` through `errorCaught`; the alert is sent, the connection read
///   and discarded for ``TLSServerOptions/linger``, then closed.
/// - The end of the peer's data is `ChannelEvent.inputClosed`, once, with or without close_notify before it.
///   (Without `allowRemoteHalfClosure`, TCP's end closes the channel, as everywhere in NIO.)
///
/// `close(mode: .output)` and `close()` send close_notify first, unless ``TLSCommand/omitCloseNotify`` was given. The
/// handler is not `Sendable`: add it with `pipeline.syncOperations`.
package final class TLSHandler: ChannelDuplexHandler {
  package typealias InboundIn = ByteBuffer
  package typealias InboundOut = ByteBuffer
  package typealias OutboundIn = ByteBuffer
  package typealias OutboundOut = ByteBuffer

  enum State {
    /// Not connected yet.
    case idle
    case handshaking
    case open
    /// TLS failed: input is discarded until the peer closes or the linger ends.
    case draining
    case closed
  }

  let connection: TLSConnection
  var state = State.idle
  var writes = PendingWrites()
  /// The promises of `close` calls while draining.
  var closePromises: [EventLoopPromise<Void>] = []
  var sentCloseNotify = false
  var omitsCloseNotify = false
  var discardsInput = false
  var reportedEnd = false
  /// True once the peer's FIN has come.
  private(set) var hasTCPEnded = false
  var timer: Scheduled<Void>?

  private let plaintext: PlaintextRoom
  /// The buffer of the first read. NIO keeps a connection's first buffer and reads into it again, if nobody else has it, and it
  /// would stay as large as the largest read. While it is held, each read has a buffer of its own, which is let go of.
  private var firstBuffer: ByteBuffer?
  /// The peer's first bytes, until the handshake is complete.
  private(set) var firstBytes: [UInt8] = []
  /// The number of bytes of ciphertext that arrived during the handshake.
  private(set) var handshakeBytes = 0
  /// The number of bytes that TLS itself has sent since the peer last read everything.
  private var unreadAnswers = 0
  private static let unreadAnswerLimit = 65_536

  /// Makes a handler for one connection.
  ///
  /// - Parameters:
  ///   - serverName: client role: the host name (sent as SNI) or address that the server's certificate must
  ///     be valid for; `nil` = any.
  ///   - alternative: server role: another context, for clients that offer a protocol of it.
  ///   - plaintext: the room to decrypt into, of this connection's event loop.
  ///   - helloPolicy: server role: refuses a client by its ClientHello, before there is any certificate. Called once, with the
  ///     server name that the client asks for.
  ///   - policy: judges the peer's certificate after its chain was accepted; a refusal ends the handshake in
  ///     the shape it asks for. Called once, on the event loop.
  /// - Throws: ``TLSSetupError`` when memory is exhausted.
  package init(
    _ context: TLSContext,
    serverName: String? = nil,
    alternative: TLSAlternative? = nil,
    plaintext: PlaintextRoom = PlaintextRoom(),
    helloPolicy: ((String?) -> TLSRefusal?)? = nil,
    policy: ((PeerCertificate) -> TLSRefusal?)? = nil
  ) throws(TLSSetupError) {
    self.plaintext = plaintext
    connection = try TLSConnection(
      context,
      serverName: serverName,
      alternative: alternative,
      helloPolicy: helloPolicy,
      policy: policy
    )
  }

  /// The peer's certificate; known from its check during the handshake on, until it is forgotten.
  package var peer: PeerCertificate? { connection.peer }
  /// Releases the certificate, of about 1.5 KB, once it is not needed any more.
  package func forgetPeer() { connection.forgetPeer() }
  /// The version that was agreed on; meaningful after `handshakeCompleted`.
  package var version: TLSVersion? { connection.version }
  /// The cipher in OpenSSL's spelling; meaningful after `handshakeCompleted`.
  package var cipher: String? { connection.cipher }

  // MARK: Life

  package func handlerAdded(context: ChannelHandlerContext) {
    if context.channel.isActive { begin(context) }
  }

  package func channelActive(context: ChannelHandlerContext) {
    begin(context)
    context.fireChannelActive()
  }

  package func handlerRemoved(context: ChannelHandlerContext) { end() }

  package func channelInactive(context: ChannelHandlerContext) {
    if state == .handshaking { reportLost(context, "the peer closed the connection") }
    end()
    context.fireChannelInactive()
  }

  private func begin(_ context: ChannelHandlerContext) {
    guard state == .idle else { return }
    state = .handshaking
    if let limit = connection.context.handshakeTimeout {
      timer = context.eventLoop.assumeIsolated().scheduleTask(in: limit) {
        self.handshakeTimedOut(context, limit)
      }
    }
    switch connection.start() {
    case .wantsMore, .closedByPeer: sendOutput(context)
    case .failed: fail(context, connection.failure(firstBytes: firstBytes))
    }
  }

  private func end() {
    state = .closed
    timer?.cancel()
    timer = nil
    writes.fail(ChannelError.ioOnClosedChannel)
    let promises = closePromises
    closePromises = []
    for promise in promises { promise.succeed() }
  }

  // MARK: Reading

  package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard state == .open || state == .handshaking, !discardsInput else { return }
    let ciphertext = unwrapInboundIn(data)
    if firstBuffer == nil { firstBuffer = ciphertext }
    let wasOpen = state == .open
    if !wasOpen { remember(ciphertext) }

    var decrypted = plaintext.take()
    let progress = connection.receive(ciphertext, into: &decrypted) { gathered in
      // The end of the handshake is reported before any data.
      guard wasOpen else { return true }
      context.fireChannelRead(self.wrapInboundOut(gathered))
      gathered.clear()
      return self.state == .open && !self.discardsInput
    }

    if !wasOpen, connection.isEstablished {
      state = .open
      timer?.cancel()
      timer = nil
      firstBytes = []
    }
    sendOutput(context)
    if !wasOpen, state == .open {
      context.fireUserInboundEventTriggered(TLSUserEvent.handshakeCompleted(negotiatedProtocol: nil))
      if state == .open, writes.hasFlushed { sendWrites(context) }
    }
    let count = decrypted.readableBytes
    if count > 0, state == .open, !discardsInput { context.fireChannelRead(wrapInboundOut(decrypted)) }
    plaintext.giveBack(decrypted)

    switch progress {
    case .wantsMore: break
    case .closedByPeer:
      guard state == .open, !reportedEnd else { return }
      discardsInput = true
      context.fireUserInboundEventTriggered(TLSEvent.peerClosedNotify)
      reportEnd(context)
    case .failed: fail(context, connection.failure(firstBytes: firstBytes))
    }
  }

  package func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    guard case ChannelEvent.inputClosed = event else {
      return context.fireUserInboundEventTriggered(event)
    }
    hasTCPEnded = true
    switch state {
    case .open: reportEnd(context)
    case .handshaking:
      reportLost(context, "the peer closed the connection")
      state = .closed
      context.close(promise: nil)
    case .draining: context.close(promise: nil)
    case .idle, .closed: break
    }
  }

  package func errorCaught(context: ChannelHandlerContext, error: any Error) {
    switch state {
    case .handshaking:
      let reason = (error as? IOError).map { Errno(rawValue: $0.errnoCode).words } ?? "\(error)"
      reportLost(context, "the connection broke: \(reason)")
    case .draining: break
    case .idle, .open, .closed: context.fireErrorCaught(error)
    }
  }

  private func remember(_ ciphertext: ByteBuffer) {
    handshakeBytes += ciphertext.readableBytes
    guard firstBytes.count < FirstBytes.limit else { return }
    firstBytes += ciphertext.readableBytesView.prefix(FirstBytes.limit - firstBytes.count)
  }

  /// Reports the end of the peer's data, once.
  private func reportEnd(_ context: ChannelHandlerContext) {
    guard !reportedEnd else { return }
    reportedEnd = true
    context.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
  }

  /// Sends the messages of TLS itself. A peer that provokes them without reading them is disconnected.
  private func sendOutput(_ context: ChannelHandlerContext) {
    guard let output = connection.takeOutput() else { return }
    unreadAnswers = context.channel.isWritable ? 0 : unreadAnswers + output.readableBytes
    context.writeAndFlush(wrapOutboundOut(output), promise: nil)
    if unreadAnswers > Self.unreadAnswerLimit, state == .open || state == .handshaking {
      fail(
        context,
        TLSError(
          .flood,
          "the peer provokes TLS messages and reads none of them",
          duringHandshake: state == .handshaking
        )
      )
    }
  }
}

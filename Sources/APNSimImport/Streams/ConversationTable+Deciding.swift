import APNSimCore

/// Recognition of conversations, as early as possible.
extension ConversationTable {
  /// Emits the pending events once the connection is recognized.
  mutating func decide(
    _ conversation: inout Conversation,
    isOver: Bool,
    into events: inout [StreamEvent]
  ) {
    if case .undecided = conversation.state { settle(&conversation, isOver: isOver, into: &events) }
    guard case .imported(let id) = conversation.state else { return }
    for entry in conversation.pending {
      let side = conversation.side(isFromLow: entry.isFromLow)
      let kind: StreamEvent.Kind =
        switch entry.piece {
        case .bytes(let bytes, _): .bytes(side, bytes)
        case .missing(let count, _): .missing(side, count: count)
        }
      emit(kind, of: id, at: entry.time, into: &events)
    }
    conversation.pending = []
  }

  /// The most pieces of an unrecognized conversation that wait for one that identifies it.
  private static let mostUndecided = 256

  private mutating func settle(
    _ conversation: inout Conversation,
    isOver: Bool,
    into events: inout [StreamEvent]
  ) {
    guard let isServiceLow = conversation.isServiceLow else {
      tally.unknownSides += 1
      return ignore(&conversation)
    }
    let guess = conversation.found ?? guess(&conversation, isServiceLow, isOver: isOver)
    if guess != .undecided, !conversation.isWhole { conversation.found = guess }
    if guess != .tls, !isOver, isServiceAwaited(&conversation) { return }
    let known = conversation.service
    switch guess {
    case .tls:
      tally.tlsConnections += 1
      guard acceptsTLS else { return ignore(&conversation) }
      open(&conversation, known ?? .init(.gateway, .production), isTLS: true, into: &events)
    case .undecided where !isOver && conversation.pending.count < Self.mostUndecided: break
    case .somethingElse where isProxied(conversation, isServiceLow): return ignore(&conversation)
    case .undecided, .somethingElse:
      // A SYN that nobody answered is no connection.
      guard let known, conversation.isServiceSeen || !conversation.pending.isEmpty else {
        if known == nil { tally.otherConnections += 1 }
        return ignore(&conversation)
      }
      open(&conversation, known, into: &events)
    case .gateway: open(&conversation, known ?? .init(.gateway, .production), into: &events)
    case .feedback: open(&conversation, known ?? .init(.feedback, .production), into: &events)
    // On the binary interface's ports Apple has channel management.
    case .http2: open(&conversation, .init(.http2, known?.environment ?? .production), into: &events)
    }
  }

  /// True for a connection to a proxy, which is counted: what goes through it is TLS, from inside the connection on.
  private mutating func isProxied(_ conversation: Conversation, _ isServiceLow: Bool) -> Bool {
    let said = conversation.said(isFromLow: !isServiceLow, upTo: 300)
    guard said.starts(with: "CONNECT ".utf8) else { return false }
    tally.proxied += 1
    let target = said.dropFirst("CONNECT ".utf8.count).prefix { (0x21...0x7E).contains($0) }
    if tally.proxiedTo.isEmpty { tally.proxiedTo = String(decoding: target, as: UTF8.self) }
    return true
  }

  private func guess(_ conversation: inout Conversation, _ isServiceLow: Bool, isOver: Bool) -> Guess {
    if conversation.mayBeCutTLS { return .tls }
    let client = conversation.firstBytes(isFromLow: !isServiceLow)
    let server = conversation.firstBytes(isFromLow: isServiceLow)
    if !conversation.isWhole {
      let inside = guessInside(&conversation, isServiceLow, client, server, isOver: isOver)
      if let inside { return inside }
    }
    return Guess(client: client, server: server, isPortKnown: conversation.service != nil)
  }

  /// - Returns: nil where nothing more can come and the bytes identify nothing.
  private func guessInside(
    _ conversation: inout Conversation,
    _ isServiceLow: Bool,
    _ client: ArraySlice<UInt8>,
    _ server: ArraySlice<UInt8>,
    isOver: Bool
  ) -> Guess? {
    let most = Guess.byteCountInside
    let clientCount = conversation.count(isFromLow: !isServiceLow)
    let serverCount = conversation.count(isFromLow: isServiceLow)
    let isAwaited =
      !isOver && max(clientCount, serverCount) < most
      && conversation.pending.count < Guess.pieceCountInside
    let beginnings = Guess(beginningsInside: client, server, serverByteCount: serverCount)
    if beginnings != .undecided { return beginnings }
    // Bytes that come piece by piece are looked through again when there are twice as many.
    let total = clientCount + serverCount
    if isAwaited, total < 2 * conversation.lookedThrough { return .undecided }
    conversation.lookedThrough = total
    let inside = Guess(
      inside: conversation.said(isFromLow: !isServiceLow, upTo: most),
      conversation.said(isFromLow: isServiceLow, upTo: most)
    )
    return inside != .undecided || isAwaited ? inside : nil
  }

  /// True while the service may still be seen, which the opening event has to say.
  private mutating func isServiceAwaited(_ conversation: inout Conversation) -> Bool {
    guard !conversation.isServiceSeen, !conversation.pending.isEmpty,
      conversation.pending.count < limits.lateServicePieces
    else { return false }
    if let end = conversation.waitsUntil { return time <= end }
    guard waiting.count < limits.connections else { return false }
    conversation.waitsUntil = waiting.add(conversation.key, order[conversation.key] ?? 0, at: time)
    return true
  }
}

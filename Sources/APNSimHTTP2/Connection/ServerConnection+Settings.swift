/// SETTINGS (RFC 9113 section 6.5), both ways.
extension ServerConnection {
  /// Writes what a server sends first: SETTINGS, and a WINDOW_UPDATE that opens the connection's window.
  ///
  /// The settings are those that Apple's servers were seen to send: header table 4096, streams, window 65535, frame
  /// 16384, header list 8000.
  /// - Parameter givesWindow: false for a peer that is to keep its bodies: no window is given, now or later.
  package mutating func start(givesWindow: Bool = true) {
    send(settings: [
      .headerTableSize(4096),
      .maximumConcurrentStreams(announced.maximumConcurrentStreams),
      .initialWindowSize(givesWindow ? 65_535 : 0),
      .maximumFrameSize(16_384),
      .maximumHeaderListSize(announced.maximumHeaderListSize),
    ])
    returnsWindow = givesWindow
    let increment = limits.connectionWindow - receiveWindow
    guard givesWindow, increment > 0 else { return }
    output.appendWindowUpdate(stream: 0, by: UInt32(clamping: increment))
    receiveWindow += increment
  }

  /// Announces settings. They bind the peer from its acknowledgement on; until then the more generous of both holds.
  package mutating func send(settings: [HTTP2Setting]) {
    output.appendSettings(settings)
    for setting in settings { _ = announced.apply(setting) }
    // A peer that acknowledges nothing keeps the first of them, and the last.
    if pending.count < 64 { pending.append(announced) } else { pending[63] = announced }
  }

  /// Gives back the connection's window, all that was not given back yet.
  package mutating func returnWindow() {
    let increment = limits.connectionWindow - receiveWindow
    unreturned = 0
    guard increment > 0 else { return }
    output.appendWindowUpdate(stream: 0, by: UInt32(clamping: increment))
    receiveWindow &+= increment
  }

  /// `identifier u16 | value u32`, repeated.
  mutating func receiveSettings(_ header: FrameHeader, _ payload: UnsafeRawBufferPointer) {
    guard header.stream == 0 else {
      return fail(ConnectionError(.protocolError, "SETTINGS on stream \(header.stream)"))
    }
    countIdleFrame()
    guard !isOver else { return }
    if header.flags.contains(.acknowledgement) { return receiveSettingsAcknowledgement(payload) }
    guard payload.count % 6 == 0 else {
      return fail(ConnectionError(.frameSizeError, "SETTINGS has 6 bytes for each, found \(payload.count)"))
    }
    let before = peer.initialWindowSize
    var largest = before
    var offset = 0
    while offset < payload.count {
      let setting = HTTP2Setting(
        identifier: payload.bigEndian(UInt16.self, at: offset),
        value: payload.bigEndian(UInt32.self, at: offset &+ 2)
      )
      if let error = peer.apply(setting) { return fail(error) }
      largest = max(largest, peer.initialWindowSize)
      offset &+= 6
    }
    if case .first = phase { phase = .open }
    if largest > before {
      var isTooLarge = false
      streams.forEach { if Int(largest) &- $0.sendUsed > 0x7FFF_FFFF { isTooLarge = true } }
      if isTooLarge {
        return fail(
          ConnectionError(.flowControlError, "SETTINGS_INITIAL_WINDOW_SIZE makes a window exceed 2147483647")
        )
      }
    }
    if acknowledgesSettings, countAcknowledgement() { output.appendSettingsAcknowledgement() }
    guard !isOver else { return }
    events.append(.settingsChanged)
    if peer.initialWindowSize > before { sendHeld() }
  }

  private mutating func receiveSettingsAcknowledgement(_ payload: UnsafeRawBufferPointer) {
    guard payload.isEmpty else {
      return fail(
        ConnectionError(
          .frameSizeError,
          "an acknowledgement of SETTINGS is empty, found \(payload.count) bytes"
        )
      )
    }
    guard !pending.isEmpty else { return }
    own = pending.removeFirst()
    decoder.announce(tableSize: Int(own.headerTableSize))
    decoder.maximumListSize = Int(own.maximumHeaderListSize)
    events.append(.settingsAcknowledged)
  }
}

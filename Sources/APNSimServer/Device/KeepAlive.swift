import APNSimSystem
import NIOCore

/// TCP keep-alive, which detects a peer that has vanished: its battery is empty, its network is gone.
///
/// A device may be silent for days. So TCP probes an idle connection after 30 seconds, then every 10, and ends it
/// after three probes without an answer; data that is not acknowledged for 60 seconds ends it as well. A device
/// counts as online for about a minute after it has vanished.
enum KeepAlive {
  static let idleSeconds = 30
  static let intervalSeconds = 10
  static let probes = 3
  static let unacknowledgedMilliseconds = 60_000

  static func turnOn(_ channel: any Channel) throws {
    guard let options = channel.syncOptions else { return }
    try options.setOption(.socketOption(.so_keepalive), value: 1)
    for (option, value) in values { try options.setOption(option, value: value) }
  }

  /// The socket options of TCP with their values.
  static var values: [(option: ChannelOptions.Types.SocketOption, value: SocketOptionValue)] {
    var values = [
      (option(SocketOptions.keepAliveInterval), SocketOptionValue(intervalSeconds)),
      (option(SocketOptions.keepAliveCount), SocketOptionValue(probes)),
      (option(SocketOptions.keepAliveIdle), SocketOptionValue(idleSeconds)),
    ]
    #if os(Linux)
      values.append((option(SocketOptions.unacknowledged), SocketOptionValue(unacknowledgedMilliseconds)))
    #endif
    return values
  }

  private static func option(_ name: CInt) -> ChannelOptions.Types.SocketOption {
    ChannelOptions.Types.SocketOption(level: .tcp, name: NIOBSDSocket.Option(rawValue: name))
  }
}

internal import NIOCore

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// Finds out about a peer that vanished without a word: its battery is empty, its network is gone.
///
/// A device says nothing for days, so silence tells nothing. TCP itself asks: an idle connection is probed after 30
/// seconds, then every 10, and is over after three probes without an answer; what was sent and not acknowledged for
/// 60 seconds ends it as well. A device is taken for online for about a minute after it is gone.
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

  /// The options of TCP with their values.
  static var values: [(option: ChannelOptions.Types.SocketOption, value: SocketOptionValue)] {
    var values = [
      (option(TCP_KEEPINTVL), SocketOptionValue(intervalSeconds)),
      (option(TCP_KEEPCNT), SocketOptionValue(probes)),
    ]
    #if os(Linux)
      values.append((option(TCP_KEEPIDLE), SocketOptionValue(idleSeconds)))
      values.append((option(TCP_USER_TIMEOUT), SocketOptionValue(unacknowledgedMilliseconds)))
    #else
      values.append((option(TCP_KEEPALIVE), SocketOptionValue(idleSeconds)))
    #endif
    return values
  }

  private static func option(_ name: CInt) -> ChannelOptions.Types.SocketOption {
    ChannelOptions.Types.SocketOption(level: .tcp, name: NIOBSDSocket.Option(rawValue: name))
  }
}

internal import NIOCore
internal import NIOPosix

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// Ends connections by a TCP reset.
enum SocketReset {
  /// Closes with a linger time of zero, which makes the kernel send RST and drop what it still holds.
  static func close(_ channel: any Channel) {
    guard let options = channel as? any SocketOptionProvider else { return channel.close(promise: nil) }
    options.setSoLinger(linger(l_onoff: 1, l_linger: 0)).whenComplete { _ in channel.close(promise: nil) }
  }
}

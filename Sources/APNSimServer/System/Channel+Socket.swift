import NIOCore
import NIOPosix

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension Channel {
  /// Calls back on the channel's loop with the number of connections that wait to be accepted, which Linux has in the
  /// listening socket's TCP_INFO; 1 if it is unknown.
  func countWaiting(_ body: @escaping (UInt32) -> Void) {
    #if os(Linux)
      if let options = self as? any SocketOptionProvider {
        return options.getTCPInfo().assumeIsolated().whenComplete { body((try? $0.get())?.tcpi_unacked ?? 1) }
      }
    #endif
    body(1)
  }

  /// Closes by a TCP reset: a linger time of zero makes the kernel send RST and drop what it still holds.
  func closeByReset() {
    guard let options = self as? any SocketOptionProvider else { return close(promise: nil) }
    options.setSoLinger(linger(l_onoff: 1, l_linger: 0)).whenComplete { _ in self.close(promise: nil) }
  }
}

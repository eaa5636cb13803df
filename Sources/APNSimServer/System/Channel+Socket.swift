import APNSimSystem
import NIOCore
import NIOPosix

extension Channel {
  /// Calls back on the channel's loop with the number of connections that wait to be accepted, which Linux has in the
  /// listening socket's TCP_INFO; 1 if it is unknown.
  func countWaiting(_ body: @escaping (UInt32) -> Void) {
    #if os(Linux)
      if let options = self as? any SocketOptionProvider {
        return options.getTCPInfo().assumeIsolated().whenComplete { facts in
          body((try? facts.get()).map { SocketOptions.waitingCount($0) } ?? 1)
        }
      }
    #endif
    body(1)
  }

  /// Closes by a TCP reset: a linger time of zero makes the kernel send RST and drop what it still holds.
  func closeByReset() {
    guard let options = self as? any SocketOptionProvider else { return close(promise: nil) }
    options.setSoLinger(SocketOptions.reset).whenComplete { _ in self.close(promise: nil) }
  }
}

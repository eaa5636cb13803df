package import APNSimCore
import APNSimTLS
import Logging
package import NIOCore

/// A connection of requests without a channel: plaintext in, answers out.
///
/// It does with a read what ``RequestHandler`` does with it, and has neither clock nor timers of its own, so that what
/// requests cost can be counted exactly (`make count`). It takes any provider token that can be read.
package final class PlainRequestConnection {
  private let connection: RequestConnection
  private var streams: RequestStreams

  /// - Throws: why the provider is turned away.
  package init(_ simulator: Simulator, _ opening: ConnectionOpening, at now: Timestamp) throws {
    let keys = try ProviderKeyRing(PKIDirectory(path: "no keys"))
    let log = ServerLog(Logger(label: "apnsim"))
    let requests = ServerConfiguration().requests
    connection = try simulator.openRequests(opening, at: now)
    streams = RequestStreams(
      RequestStreams.Settings(streams: requests.maxStreams, hasCertificate: false),
      ProviderTokenVerifier(keys, acceptsAny: true, log)
    )
    streams.start(connection.plan)
  }

  /// Takes one read's worth of bytes.
  /// - Returns: what is sent; nil where nothing is.
  package func receive(_ bytes: UnsafeRawBufferPointer, at now: Timestamp) -> ByteBuffer? {
    var rest = bytes
    repeat {
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(takeSome(rest, at: now)))
    } while !rest.isEmpty
    let output = streams.takeOutput()
    streams.noteFlushed()
    return output
  }

  /// Takes bytes up to what has to wait for the answers to the requests among them; returns how many.
  private func takeSome(_ bytes: UnsafeRawBufferPointer, at now: Timestamp) -> Int {
    var arrivals = streams.receive(bytes, at: UInt32(truncatingIfNeeded: now.rawValue))
    if !arrivals.requests.isEmpty {
      let actions = connection.receive(&arrivals.requests, at: now)
      if actions.isPlain {
        streams.answer(actions.answers)
      } else {
        actions.perform {
          streams.answer($0)
        } frame: {
          streams.send($0)
        }
      }
    }
    streams.sendRest()
    return arrivals.read
  }

  /// The provider is gone.
  package func close(at now: Timestamp) { connection.closed(.peerClosed, at: now) }
}

import APNSimTLS
import NIOCore
import NIOHPACK
import NIOHTTP2
import NIOPosix
import SystemPackage

/// A connection to a service that was not made, or that broke.
package struct ProviderFailure: Error, Sendable, CustomStringConvertible {
  package enum Kind: Sendable {
    /// No connection was made, or it ended within the handshake without a reason of TLS.
    case unreachable
    /// The service's certificate is not trusted, or is for another name.
    case untrustedServer
    /// The service did not accept the certificate that it was shown.
    case refusedCertificate
    /// The handshake failed for another reason, or the connection ended right after it.
    case failed
    /// The connection broke while it was used.
    case broken
  }

  package let kind: Kind
  /// One line in lower case that names the address and the reason.
  package let message: String
  /// The certificate that was shown to the service; nil for a connection that broke later.
  package internal(set) var certificateFile: String?
  /// True if a peer answered at the address and then ended the handshake.
  package internal(set) var isRefusal = false

  package var description: String { message }

  init(_ kind: Kind, _ message: String) { (self.kind, self.message) = (kind, message) }

  /// A failed attempt to connect.
  /// - Parameters:
  ///   - error: thrown by the connection attempt or by the handshake.
  ///   - isRefusal: whether the peer had accepted the TCP connection.
  init(_ error: any Error, connectingTo target: ProviderTarget, isRefusal: Bool = false) {
    if let error = error as? TLSError {
      let kind: Kind =
        switch error.kind {
        case .refusedCertificate: .untrustedServer
        case .refusedByPeer: .refusedCertificate
        default: .failed
        }
      self.init(kind, "\(target.address): \(error)")
    } else {
      self.init(.unreachable, "cannot connect to \(target.address): \(Self.words(error))")
    }
    certificateFile = target.showsCertificate ? target.certificateFile : nil
    self.isRefusal = isRefusal
  }

  /// The system's reason for a connection that was not made or that broke, without the name of the system call.
  package static func words(_ error: any Error) -> String {
    switch error {
    case let error as NIOConnectionError:
      if let first = error.connectionErrors.first { return words(first.error) }
      let hasNoAddress = error.dnsAError != nil || error.dnsAAAAError != nil
      return hasNoAddress ? "no such host" : "no address answered"
    case ChannelError.connectTimeout(let limit):
      return "no answer within \(limit.nanoseconds / 1_000_000) ms"
    case ChannelError.ioOnClosedChannel, ChannelError.alreadyClosed, ChannelError.outputClosed:
      return "the connection was closed"
    case let error as IOError: return reasons[Errno(rawValue: error.errnoCode)] ?? "\(error)"
    case let error as NIOHTTP2Errors.StreamError: return words(error.baseError)
    case let error as any NIOHTTP2Error: return words(http2: error)
    case is any NIOHPACKError:
      return "expected header lists compressed as RFC 7541 has it, found others from the server"
    case is ChannelError: return "the connection was closed"
    default: return "\(error)"
    }
  }

  private static let reasons: [Errno: String] = [
    .connectionRefused: "connection refused", .connectionReset: "the connection was reset",
    .brokenPipe: "the connection was closed",
    .noRouteToHost: "no route to the host", .networkUnreachable: "the network is unreachable",
  ]
}

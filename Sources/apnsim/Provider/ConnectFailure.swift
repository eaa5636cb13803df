import APNSimTLS
import Foundation
import NIOCore
import NIOPosix

/// Says why a server could not be reached, and what people usually forgot.
enum ConnectFailure {
  static func failure(_ error: any Error, _ target: ProviderTarget) -> CommandFailure {
    switch error {
    case let error as CommandFailure: return error
    case let error as TLSError: return failure(error, target)
    default: return unreachable(target, words(error))
    }
  }

  private static func unreachable(_ target: ProviderTarget, _ reason: String) -> CommandFailure {
    CommandFailure(
      .unreachable,
      "cannot connect to \(target.address): \(reason)",
      hints: ["is it running? \"apnsim serve\" starts one; \(target.flags) where it is"]
    )
  }

  private static func failure(_ error: TLSError, _ target: ProviderTarget) -> CommandFailure {
    var hints: [String] = []
    switch error.kind {
    case .refusedCertificate:
      hints = [
        "the server's certificate is from another CA or for another name; --ca FILE or --certs DIR sets the CA"
      ]
    case .refusedByPeer:
      hints = [
        """
        the server does not accept \(target.certificateFile); "apnsim certs issue TOPIC" makes one for \
        providers (--environment sandbox for its ports), "apnsim certs issue --device NAME" one for the device port
        """
      ]
    default: break
    }
    return CommandFailure(.unreachable, "\(target.address): \(error)", hints: hints)
  }

  /// A short reason for a connection that was not made or broke: the system's, without the name of the call.
  static func words(_ error: any Error) -> String {
    switch error {
    case let error as NIOConnectionError:
      if let first = error.connectionErrors.first { return words(first.error) }
      let hasNoAddress = error.dnsAError != nil || error.dnsAAAAError != nil
      return hasNoAddress ? "no such host" : "no address answered"
    case ChannelError.connectTimeout(let limit):
      return "no answer within \(limit.nanoseconds / 1_000_000) ms"
    case ChannelError.ioOnClosedChannel, ChannelError.alreadyClosed, ChannelError.outputClosed:
      return "the connection was closed"
    case let error as IOError: return reasons[error.errnoCode] ?? "\(error)"
    default: return "\(error)"
    }
  }

  private static let reasons: [CInt: String] = [
    ECONNREFUSED: "connection refused", ECONNRESET: "the connection was reset",
    EPIPE: "the connection was closed",
    EHOSTUNREACH: "no route to the host", ENETUNREACH: "the network is unreachable",
  ]
}

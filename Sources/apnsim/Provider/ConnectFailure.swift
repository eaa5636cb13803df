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
    case let error as NIOConnectionError:
      let reason =
        error.connectionErrors.first.map { "\($0.error)" } ?? (error.dnsAError ?? error.dnsAAAAError).map {
          _ in
          "there is no host of that name"
        } ?? "no address answered"
      return unreachable(target, short(reason))
    case ChannelError.connectTimeout(let limit):
      return unreachable(target, "no answer within \(limit.nanoseconds / 1_000_000) ms")
    case let error as IOError: return unreachable(target, short(error.description))
    default: return unreachable(target, "\(error)")
    }
  }

  private static func unreachable(_ target: ProviderTarget, _ reason: String) -> CommandFailure {
    CommandFailure(
      .unreachable,
      "cannot connect to \(target.address): \(reason)",
      hints: [
        "is it running? \"apnsim serve\" starts one; --host, --port or --endpoints-file say where it is"
      ]
    )
  }

  private static func failure(_ error: TLSError, _ target: ProviderTarget) -> CommandFailure {
    var hints: [String] = []
    switch error.kind {
    case .refusedCertificate:
      hints = [
        "the server's certificate is of another CA or name; --ca FILE or --certs DIR says which CA to believe"
      ]
    case .refusedByPeer:
      hints = [
        """
        the server does not accept \(target.certificateFile); "apnsim certs issue TOPIC" \
        makes one that it does
        """
      ]
    default: break
    }
    return CommandFailure(.unreachable, "\(target.address): \(error)", hints: hints)
  }

  /// A short reason for a connection that was not made or broke: the system's, without the name of the call.
  static func words(_ error: any Error) -> String { short("\(error)") }

  private static func short(_ text: String) -> String {
    for (number, reason) in reasons where text.contains("errno: \(number)") { return reason }
    return text
  }

  private static let reasons: [(errno: Int32, reason: String)] = [
    (ECONNREFUSED, "connection refused"), (ECONNRESET, "the connection was reset"),
    (EPIPE, "the connection was closed"), (EHOSTUNREACH, "no route to the host"),
    (ENETUNREACH, "the network is unreachable"),
  ]
}

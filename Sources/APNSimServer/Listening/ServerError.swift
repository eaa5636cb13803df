import APNSimCore
import NIOCore
import SystemPackage

/// The reason why a server cannot run, for people and for exit codes.
public struct ServerError: Error, Hashable, Sendable, CustomStringConvertible {
  public enum Kind: Hashable, Sendable {
    /// An address or port cannot be listened on.
    case bind
    /// A file cannot be written.
    case write
    /// The process may not open as many files as it needs.
    case descriptors
    /// A file is written by another process.
    case inUse
    /// The server was started before, or is not running.
    case state
  }

  public var kind: Kind
  /// The problem, its cause and what to do, in one line.
  public var description: String

  /// The error of a listener that cannot have its address or port.
  static func cannotBind(_ plan: ListenerPlan, address: String, error: any Error) -> ServerError {
    guard !(error is SocketAddressError.UnknownHost) else {
      return cannotBind(plan, address: address, reason: "no such host", isOfAddress: true)
    }
    guard let code = (error as? IOError)?.code else {
      return cannotBind(plan, address: address, reason: "\(error)")
    }
    var reason = code.reason
    if code.isExhaustion {
      let place = "\(HostPort(address, plan.port))"
      return ServerError(
        kind: .descriptors,
        description: "the \(plan.name) cannot listen on \(place): \(reason)"
          + (code == .tooManyOpenFiles ? " (raise it with ulimit -n)" : "")
      )
    }
    if code == .permissionDenied { reason += " (ports below 1024 need privileges)" }
    if code == .addressInUse, let holder = PortHolder.find(port: plan.port) {
      reason += ", by \(holder)"
    }
    return cannotBind(
      plan,
      address: address,
      reason: reason,
      isOfAddress: code.isAddressMissing
    )
  }

  /// - Parameter isOfAddress: true if another port would not help.
  static func cannotBind(_ plan: ListenerPlan, address: String, reason: String, isOfAddress: Bool = false)
    -> ServerError
  {
    guard !isOfAddress else {
      return ServerError(
        kind: .bind,
        description: "the \(plan.name) cannot listen on \(address): \(reason) (choose another with --host)"
      )
    }
    return ServerError(
      kind: .bind,
      description:
        "the \(plan.name) cannot listen on \(HostPort(address, plan.port)): \(reason) (choose another with \(flag(plan.setting)), "
        + "or any free ones with --ephemeral)"
    )
  }

  /// The error of a control API that cannot have its port.
  package static func cannotBindControl(_ address: String, port: Int, error: any Error) -> ServerError {
    let plan = ListenerPlan(
      listener: .gateway,
      environment: .production,
      port: port,
      name: "control API",
      setting: "controlPort"
    )
    return cannotBind(plan, address: address, error: error)
  }

  /// A setting as its flag: `--gateway-port`.
  private static func flag(_ setting: String) -> String {
    "--" + setting.map { $0.isUppercase ? "-\($0.lowercased())" : "\($0)" }.joined()
  }
}

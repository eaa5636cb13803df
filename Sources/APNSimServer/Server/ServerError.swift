internal import APNSimCore
internal import NIOCore

/// Why a server cannot run, for people and for exit codes.
public struct ServerError: Error, Hashable, Sendable, CustomStringConvertible {
  public enum Kind: Hashable, Sendable {
    /// An address or port cannot be listened on.
    case bind
    /// A file cannot be written.
    case write
    /// It was started before.
    case state
  }

  public var kind: Kind
  /// What was wanted, what is in the way and what to do, in one line.
  public var description: String

  /// A listener that cannot have its port.
  static func cannotBind(_ plan: ListenerPlan, address: String, reason: String, holder: String?)
    -> ServerError
  {
    let place = address.contains(":") ? "[\(address)]:\(plan.port)" : "\(address):\(plan.port)"
    let by = holder.map { ", by \($0)" } ?? ""
    return ServerError(
      kind: .bind,
      description:
        "the \(plan.name) cannot listen on \(place): \(reason)\(by) (choose another with \(flag(plan.setting)), "
        + "or any free ones with --ephemeral)"
    )
  }

  /// The control API cannot have its port.
  package static func cannotBindControl(_ address: String, port: Int, error: any Error) -> ServerError {
    let code = (error as? IOError)?.errnoCode
    let isTaken = code.map(Platform.isAddressInUse) ?? false
    let plan = ListenerPlan(
      listener: .gateway,
      environment: .production,
      port: port,
      name: "control API",
      setting: "controlPort"
    )
    return cannotBind(
      plan,
      address: address,
      reason: code.map(Platform.describe) ?? "\(error)",
      holder: isTaken ? PortHolder.find(port: port) : nil
    )
  }

  /// A setting as its flag: `--gateway-port`.
  private static func flag(_ setting: String) -> String {
    "--" + setting.map { $0.isUppercase ? "-\($0.lowercased())" : "\($0)" }.joined()
  }
}

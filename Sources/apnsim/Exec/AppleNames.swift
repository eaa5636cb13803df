import APNSimServer
import APNSimSystem
import CSupervisor
import SystemPackage

/// The way in which a command sees Apple's names: by mounts of its own where this process may make them and listen on Apple's
/// ports, else in namespaces of its own with the simulator.
struct AppleNames {
  /// The loopback address for the simulator.
  let address: String
  /// The way, in one line.
  let line: String

  /// The address to listen on, where `chosen` is the one that somebody asked for.
  func host(_ chosen: String?) -> String { chosen ?? address }

  /// Finds the way, and starts this program again where it has to be in namespaces.
  /// - Parameter path: where `pasta` is looked for, as in `PATH`.
  /// - Throws: `CommandFailure` with status 69 where there is none.
  static func settle(path: String) throws(CommandFailure) -> AppleNames {
    switch Int(apnsim_namespaces()) {
    case APNSIM_NAMESPACES_CONNECTED:
      return AppleNames(
        address: loopback,
        line: "\(names), in namespaces of its own; pasta connects them with the network"
      )
    case APNSIM_NAMESPACES_ALONE:
      return AppleNames(
        address: loopback,
        line:
          "\(names), in namespaces of its own, from which it reaches nothing else (pasta, of the package passt, would connect them)"
      )
    case APNSIM_NAMESPACES_FAILED: throw none("namespaces could not be made")
    default: break
    }
    let mounting = Errno(rawValue: apnsim_may_mount())
    let busy = candidates.map { ($0, apnsim_may_listen($0, ports, ports.count)) }
    if mounting.rawValue == 0, let free = busy.first(where: { $0.1 == 0 }) {
      return AppleNames(address: free.0, line: "\(names), by a hosts file and CAs that it alone sees")
    }
    let making = Errno(rawValue: apnsim_may_have_namespaces())
    if making.rawValue == 0 {
      let error = Errno(rawValue: apnsim_start_in_namespaces(pasta(path) ?? "none"))
      throw none("the program cannot be started again: \(error.description)")
    }
    let listening = Errno(rawValue: busy[1].1)
    let own =
      mounting.rawValue == 0
      ? "listening on port \(AppleHost.requestPorts[0]): \(listening.description)"
      : "mounts of its own: \(mounting.description)"
    throw none("\(own); a user namespace: \(making.description)")
  }

  private static let loopback = "127.0.0.1"
  private static let ports = AppleHost.ports.map { CInt($0) }
  private static let names = "Apple's names are this simulator for the command"

  /// Loopback addresses, the first of which is this process's own: several can stand in Apple's place at once.
  private static var candidates: [String] {
    let number = ThisProcess.identifier
    return ["127.\(64 + (number >> 15 & 63)).\(number >> 7 & 255).\(number & 127 | 128)", loopback]
  }

  private static func pasta(_ path: String) -> String? {
    path.split(separator: ":").map { "\($0)/pasta" }.first { SystemPath.isExecutable($0) }
  }

  private static func none(_ reason: String) -> CommandFailure {
    CommandFailure(
      .unreachable,
      "--as-apple cannot change what the command alone sees (\(reason))",
      hints: [
        "allow one of: root with CAP_SYS_ADMIN and CAP_NET_BIND_SERVICE (a container: --cap-add SYS_ADMIN --security-opt "
          + "apparmor=unconfined), or user namespaces (sysctl kernel.unprivileged_userns_clone=1, user.max_user_namespaces above 0)",
        "or by hand, where nothing else needs Apple's names:",
        "  apnsim serve --as-apple &",
        "  echo \"127.0.0.1 \(AppleHost.all.map(\.name).joined(separator: " "))\" >> /etc/hosts",
        "  cat certs/ca.pem /etc/ssl/certs/ca-certificates.crt > ca.pem; SSL_CERT_FILE=$PWD/ca.pem COMMAND",
      ]
    )
  }
}

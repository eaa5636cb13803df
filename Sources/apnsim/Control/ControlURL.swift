import APNSimServer
import ArgumentParser

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The address of a control API: `http://127.0.0.1:2199`, optionally with `/api/v1`, or `HOST:PORT` alone.
struct ControlURL: ExpressibleByArgument, Hashable, Sendable, CustomStringConvertible {
  var host: String
  var port: Int
  /// A sandbox that the address names: `…/api/v1/sandboxes/s1`.
  var sandbox: String?

  static let usualPort = 2199
  static let usual = ControlURL(host: "127.0.0.1", port: usualPort)
  /// The value in place of an address where there is none: `exec --no-control` passes it to its command.
  static let none = "none"
  /// The expected form, for the errors of flag and variable.
  static let expected = "an address such as http://127.0.0.1:2199"

  init(host: String, port: Int, sandbox: String? = nil) {
    (self.host, self.port, self.sandbox) = (host, port, sandbox)
  }

  init?(argument: String) {
    let text = argument.contains("://") ? argument : "http://\(argument)"
    guard
      let parts = URLComponents(string: text), parts.scheme?.lowercased() == "http",
      parts.user == nil, parts.query == nil, parts.fragment == nil,
      let host = parts.host, !host.isEmpty, (parts.port ?? 1) > 0, (parts.port ?? 1) <= 65_535
    else { return nil }
    self.host = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
    port = parts.port ?? (argument.contains("://") ? 80 : Self.usualPort)
    let folders = parts.path.split(separator: "/").map(String.init)
    switch (folders.count, folders) {
    case (0, _), (2, ["api", "v1"]): sandbox = nil
    case (4, _) where Array(folders[..<3]) == ["api", "v1", "sandboxes"]: sandbox = folders[3]
    default: return nil
    }
  }

  /// The value of the Host header.
  var authority: String { HostPort(host, port).description }

  var description: String { "http://\(authority)" }
}

/// An address and a port with their text form: `127.0.0.1:2195`, `[::1]:2195`.
package struct HostPort: CustomStringConvertible, Hashable, Sendable {
  package var host: String
  package var port: Int

  package init(_ host: String, _ port: Int) { (self.host, self.port) = (host, port) }

  package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}

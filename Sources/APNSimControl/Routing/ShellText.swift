import APNSimServer
import APNSimWire

/// Commands to copy that do what a request of the control API does. The control token is never in one: the shell has it.
enum ShellText {
  /// `apnsim fault add '…' --control http://127.0.0.1:2199 --sandbox s1`
  static func apnsim(_ words: [String], _ call: Call) -> String {
    var words = ["apnsim"] + words
    if let url = call.services.url { words += ["--control", url] }
    if let sandbox = call.space.id { words += ["--sandbox", sandbox] }
    return words.map(ShellWord.quoted).joined(separator: " ")
  }

  /// `curl -X POST http://127.0.0.1:2199/api/v1/faults -H 'Content-Type: application/json' -d '{…}'`
  static func curl(_ method: String, _ path: String, json: JSONValue, _ call: Call) -> String {
    var writer = JSONWriter()
    writer.value(json)
    let body = String(decoding: writer.bytes, as: UTF8.self)
    let sandbox = call.space.id.map { "/sandboxes/\($0)" } ?? ""
    let url = (call.services.url ?? "http://127.0.0.1:2199") + RouteTable.base + sandbox + path
    let words = ["curl", "-X", method, url, "-H", "Content-Type: application/json", "-d", body].map(
      ShellWord.quoted
    )
    let token = #"-H "Authorization: Bearer $APNSIM_CONTROL_TOKEN""#
    let hasToken = call.services.main?.server.configuration.control.token != nil
    return (words + (hasToken ? [token] : [])).joined(separator: " ")
  }
}

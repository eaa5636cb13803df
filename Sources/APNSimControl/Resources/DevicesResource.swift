package import APNSimCore
import APNSimScenario
import APNSimServer
package import APNSimWire
import NIOHTTP1

/// `/devices`: devices by their name, or by a token of theirs in hex digits.
enum DevicesResource {
  static let routes: [Route] = [
    Route(.GET, "/devices", query: ["unnamed"], isList: true, answer: list),
    Route(.GET, "/devices/{device}", answer: get),
    Route(.PUT, "/devices/{device}", body: .json, answer: put),
    Route(.PATCH, "/devices/{device}", body: .json, answer: patch),
    Route(.DELETE, "/devices/{device}", answer: remove),
    Route(.POST, "/devices/{device}/online") { try setOnline($0, true) },
    Route(.POST, "/devices/{device}/offline") { try setOnline($0, false) },
    Route(.POST, "/devices/{device}/install", body: .json) { try await setInstalled($0, true) },
    Route(.POST, "/devices/{device}/uninstall", body: .json) { try await setInstalled($0, false) },
    Route(.POST, "/devices/{device}/rotate", body: .json, answer: rotate),
    Route(.GET, "/devices/{device}/inbox", query: ["after", "limit", "shown"], answer: inbox),
    Route(.GET, "/devices/{device}/stored", answer: stored),
    Route(.GET, "/devices/{device}/activities", answer: activities),
    Route(.POST, "/devices/{device}/activities", body: .json, answer: startActivity),
  ]

  /// The devices with a name and, where it is asked for, the newest of those that were made on first sight.
  private static func list(_ call: Call) async throws -> Response {
    let most = try call.query.int("unnamed", in: 0...1000, default: 0)
    let unnamed = most > 0 ? call.simulator.unnamedDevices(most: most) : nil
    return .json(DevicesAnswer(devices: call.simulator.devices(), unnamed: unnamed))
  }

  private static func find(_ call: Call, _ name: String? = nil) throws(ProblemDetails) -> DeviceView {
    let name = name ?? call["device"]
    guard let device = call.simulator.device(name) else { throw ProblemDetails(.unknownDevice(name)) }
    return device
  }

  /// The response with the device's present state.
  /// - Parameter name: the device's name; the token that the path may have need not be its own any more.
  private static func answer(
    _ call: Call,
    _ name: String,
    _ status: HTTPResponseStatus = .ok
  ) throws(ProblemDetails) -> Response {
    let device = try find(call, name)
    return .json(status, device)
  }

  private static func get(_ call: Call) async throws -> Response {
    let device = try find(call)
    return .json(device)
  }

  /// Adds the device, or replaces it by the body's.
  private static func put(_ call: Call) async throws -> Response {
    let known = call.simulator.device(call["device"])
    let name = known?.name ?? call["device"]
    let specification = try await call.read { text throws(DocumentError) in
      try DeviceBody.put(
        text,
        name: name,
        environment: call.space.environment,
        token: token(of: name, in: call)
      )
    }
    let handle = known?.reference ?? name
    try call.perform(.putDevice(specification))
    return try answer(call, handle, known == nil ? .created : .ok)
  }

  /// The token in the path, if the device has it as its name.
  private static func token(of name: String, in call: Call) -> [UInt8]? {
    let token = Hex.decode(call["device"])
    return token?.count == 32 && Hex.decode(name) == token ? token : nil
  }

  /// Changes the members that the body names and leaves the others.
  private static func patch(_ call: Call) async throws -> Response {
    let name = try find(call).reference
    let change = try await call.read { text throws(DocumentError) in
      try DeviceBody.patch(text, device: name, environment: call.space.environment)
    }
    try call.perform(.changeDevice(change))
    return try answer(call, name)
  }

  private static func remove(_ call: Call) async throws -> Response {
    try call.perform(.removeDevice(try find(call).reference))
    return .noContent
  }

  private static func setOnline(_ call: Call, _ isOnline: Bool) throws -> Response {
    let name = try find(call).reference
    try call.perform(.setOnline(device: name, isOnline))
    return try answer(call, name)
  }

  /// Installs or uninstalls one app of the device, or all of them. Installing an app that it never had adds the app.
  private static func setInstalled(_ call: Call, _ isInstalled: Bool) async throws -> Response {
    let device = try find(call)
    let name = device.reference
    let command = try await call.read { text throws(DocumentError) in
      try DeviceBody.installation(
        text.isEmpty ? "{}" : text,
        device: name,
        isInstalled: isInstalled,
        usual: { topic in
          let isNew = isInstalled && !device.apps.contains { $0.app.topic.isExactly(topic) }
          return isNew && call.space.environment == .sandbox ? .sandbox : nil
        }
      )
    }
    try call.perform(command)
    return try answer(call, name)
  }

  /// Gives an app of the device another token, or all that are installed.
  private static func rotate(_ call: Call) async throws -> Response {
    let device = try find(call)
    let commands = try await call.read { text throws(DocumentError) in
      try DeviceBody.rotation(text.isEmpty ? "{}" : text, device: device.reference) { topic in
        device.apps.filter { $0.isInstalled && $0.app.topic.isExactly(topic) }.map(\.app.environment)
      }
    }
    for command in commands { try call.perform(command) }
    // A device that was called by its token has that as its name now.
    return try answer(call, device.name)
  }

  private static func inbox(_ call: Call) async throws -> Response {
    let limit = try call.query.int("limit", in: 1...10_000, default: 10_000)
    let after = try call.query.value("after", "the \"next\" of a page") { UInt64($0) }
    let shown = try call.query.flag("shown")
    let device = try find(call).reference
    let page = call.simulator.inbox(
      of: device,
      after: after ?? 0,
      limit: limit,
      shown: shown,
      room: mostBytes
    )
    return .json(InboxAnswer(notifications: page?.notifications ?? [], next: page?.next.map { "\($0)" }))
  }

  /// The maximum size of a page, in bytes: with long texts in strings files, a page has fewer notifications than
  /// requested.
  private static let mostBytes = 8 << 20

  /// A person's view of the device's Live Activities, and the last pushes that showed nothing.
  private static func activities(_ call: Call) async throws -> Response {
    // The clock is brought to the present by looking at it.
    _ = call.server.clock
    let found = call.simulator.activities(of: try find(call).reference)
    return .json(ActivitiesAnswer(activities: found?.activities ?? [], ignored: found?.ignored ?? []))
  }

  /// An app of the device starts an activity by itself.
  private static func startActivity(_ call: Call) async throws -> Response {
    let device = try find(call).reference
    let command = try await call.read { text throws(DocumentError) in
      try ActivityBody.start(text, device: device, environment: call.space.environment)
    }
    try call.perform(command)
    let started = call.simulator.activities(of: device)?.activities.last
    return .json(.created) { started?.writeMembers(to: &$0) }
  }

  private static func stored(_ call: Call) async throws -> Response {
    let stored = call.simulator.stored(for: try find(call).reference) ?? []
    return .json(StoredAnswer(notifications: stored))
  }
}

/// The devices with a name, by name, and the newest of the others where they are asked for.
struct DevicesAnswer: JSONObject {
  let devices: [DeviceView]
  let unnamed: (devices: [DeviceView], count: Int)?

  static let shape = JSONShape<Self>("DeviceList") {
    $0.list("devices") { $0.devices }
    $0.optional(
      "unnamed",
      "With the parameter: those that were made on first sight, the newest first."
    ) { $0.unnamed?.devices }
    $0.optional("unnamedCount", "With the parameter: the number of all of them.", .least(0)) {
      $0.unnamed?.count
    }
  }
}

/// The Live Activities of a device, in the order in which they began, and the last pushes that showed nothing.
struct ActivitiesAnswer: JSONObject {
  let activities: [ActivityView]
  let ignored: [IgnoredPush]

  static let shape = JSONShape<Self>("ActivityList") {
    $0.list("activities") { $0.activities }
    $0.list("ignored") { $0.ignored }
  }
}

struct InboxAnswer: JSONObject {
  let notifications: [DeviceNotification]
  let next: String?

  static let shape = JSONShape<Self>("Inbox") {
    $0.list("notifications") { $0.notifications }
    $0.member("next", "The cursor to continue after; null at the end.") { $0.next }
  }
}

struct StoredAnswer: JSONObject {
  let notifications: [DeviceNotification]

  static let shape = JSONShape<Self>("Stored") {
    $0.list("notifications") { $0.notifications }
  }
}

extension DeviceView: JSONObject {
  package static let shape = JSONShape<Self>("Device") {
    $0.member("name") { $0.name }
    $0.member("online") { $0.isOnline }
    $0.list("apps") { $0.apps }
    $0.list("languages", "Those that its user prefers, best first.") { $0.languages }
    $0.member("connection", "Its connection to the device port.") { $0.connection }
  }
}

extension DeviceView.AppView: JSONObject {
  package static let shape = JSONShape<Self>("App") {
    $0.members { $0.app }
    $0.member("token", "Hex digits.") { HexText($0.token) }
    $0.member("installed") { $0.isInstalled }
    $0.member("issued", "Whether this simulator issued the token.") { $0.isIssued }
    $0.member("badge", "The number on its icon; 0 is none.") { $0.badge }
    $0.member("registeredAt") { $0.registeredAt }
    $0.optional("expires", "When the token expires, or did; absent for one that never does.") { $0.expires }
    $0.member("stored", "The stored notification.") { $0.stored.map { NotificationNumber($0) } }
  }
}

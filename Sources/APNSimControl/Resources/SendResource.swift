import APNSimCore
import APNSimScenario
import APNSimServer
import APNSimWire
import NIOHTTP1

/// `POST /notifications`: sends a notification as a provider would, or tries what would become of it.
enum SendResource {
  static let routes = [Route(.POST, "/notifications", query: ["preview"], body: .json, answer: send)]

  private static func send(_ call: Call) async throws -> Response {
    let isPreview = try call.query.flag("preview")
    let body = try await call.read(SendBody.read)
    // The clock is brought to the present by looking at it.
    _ = call.server.clock
    let device = call.simulator.device(body.recipient)
    let (token, app) = try recipient(of: body, device, call)
    let simulator: Simulator
    do throws(CommandError) {
      simulator = try isPreview ? call.simulator.rehearsal(for: device, token: token) : call.simulator
    } catch {
      throw ProblemDetails(error)
    }
    let sender = Sender(
      simulator: simulator,
      body: body,
      token: token,
      app: app,
      keyID: call.services.endpoints?.keyID ?? "",
      teamID: call.services.endpoints?.teamID ?? ""
    )
    let sent = try sender.send(at: call.server.wallTime)
    if !isPreview { call.server.reconsiderTimer() }
    let limit = body.isBinary ? simulator.payloadLimit(command: body.command) : body.requestPayloadLimit
    let shown = isPreview ? presented(sent, simulator, at: call.server.wallTime) : nil
    return .json(
      isPreview ? .ok : .created,
      SentAnswer(
        sent: sent,
        payloadSize: body.payload.count,
        payloadLimit: limit,
        isPreview: isPreview,
        shown: shown?.presentation
      )
    )
  }

  /// The token and the app that a body means.
  private static func recipient(
    of body: SendBody,
    _ device: DeviceView?,
    _ call: Call
  ) throws(ProblemDetails) -> (token: [UInt8], app: AppKey) {
    let bytes = Hex.decode(body.recipient)
    guard device != nil || bytes != nil else { throw ProblemDetails(.unknownDevice(body.recipient)) }
    let apps = (device?.apps ?? []).filter { one in
      (body.topic ?? one.app.topic).isExactly(one.app.topic)
        && (body.environment ?? one.app.environment) == one.app.environment
    }
    let own = apps.first { $0.token == bytes } ?? apps.first
    guard let topic = body.topic ?? own?.app.topic else {
      throw .body("expected the topic of an app: the device has none", pointer: "/topic")
    }
    let app = AppKey(
      topic: topic,
      environment: body.environment ?? own?.app.environment ?? call.space.environment
    )
    let isName = device.map { $0.name.isExactly(body.recipient) } ?? false
    guard let token = isName ? own?.token : bytes ?? own?.token else {
      throw ProblemDetails(.appNotOnDevice(device: body.recipient, app: app))
    }
    return (token, app)
  }

  /// A person's view of it, once the device is online; nil where it never reaches the device.
  private static func presented(_ sent: Sender.Sent, _ rehearsal: Simulator, at now: Timestamp)
    -> DeviceNotification?
  {
    guard sent.view.outcome.isAccepted, let device = sent.view.device else { return nil }
    try? rehearsal.perform(.setOnline(device: device, true), at: now)
    return rehearsal.inbox(of: device, limit: 1)?.notifications.first
  }
}

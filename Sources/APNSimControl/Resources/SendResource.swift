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
    return .json(isPreview ? .ok : .created) { writer in
      if !isPreview {
        writer.member("id", sent.view.id)
        writer.member("connection", sent.view.connection.description)
      }
      write(sent, to: &writer)
      writer.member("payloadSize", body.payload.count)
      writer.member("payloadLimit", limit)
      guard isPreview else { return }
      writer.key("presentation")
      guard let presentation = shown?.presentation else { return writer.null() }
      writer.beginObject()
      presentation.writeMembers(to: &writer)
      writer.endObject()
    }
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

  /// The notification's fate, in the members that a notification has.
  private static func write(_ sent: Sender.Sent, to writer: inout JSONWriter) {
    let view = sent.view
    writer.member("verdict", verdict(sent))
    writer.member("accepted", view.outcome.isAccepted)
    writer.member("interface", view.interface.name)
    writer.member("topic", view.app.topic)
    writer.member("environment", view.app.environment.rawValue)
    writer.member("token", view.tokenText)
    writer.member("device", view.device)
    writer.member("outcome", view.outcome.description)
    if let request = view.request {
      request.writeAnswer(to: &writer)
    } else {
      writer.member("status", view.status.rawValue)
    }
    writer.key("answer")
    if let answer = sent.answer {
      writer.beginObject()
      writer.member("status", answer.status)
      writer.key("headers")
      writer.beginArray()
      answer.withHeaders { name, value in
        writer.beginObject()
        writer.member("name", "\(name)")
        writer.member("value", String(decoding: value, as: UTF8.self))
        writer.endObject()
      }
      for header in answer.addedHeaders {
        writer.beginObject()
        writer.member("name", header.name)
        writer.member("value", header.value)
        writer.endObject()
      }
      writer.endArray()
      writer.member("body", String(decoding: answer.body, as: UTF8.self))
      writer.endObject()
    } else if !sent.response.isEmpty {
      writer.beginObject()
      writer.member("hex", hex: sent.response)
      writer.endObject()
    } else {
      writer.null()
    }
    writer.key("explain")
    writer.beginArray()
    for explanation in view.explanations { explanation.write(to: &writer) }
    writer.endArray()
    writer.member("remarks", view.explanations.compactMap(\.hint))
  }

  /// `200`, `410 Unregistered`, `accepted`, `8 Invalid token`, `no answer`.
  private static func verdict(_ sent: Sender.Sent) -> String {
    let view = sent.view
    if view.request != nil {
      guard let answer = sent.answer else { return "no answer" }
      return "\(answer.status)" + (answer.reason.map { " \($0.name())" } ?? "")
    }
    if view.outcome.isAccepted { return "accepted" }
    return view.status.rawValue == 0
      ? "closed, no error response" : "\(view.status.rawValue) \(view.status.name)"
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

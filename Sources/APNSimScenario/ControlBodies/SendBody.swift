package import APNSimCore
package import APNSimWire

/// Reads the body that sends a notification as a provider would.
package struct SendBody: Hashable, Sendable {
  /// A device's name, or a token in hex digits.
  package var recipient = ""
  /// Nil for the first app of the device.
  package var topic: String?
  package var environment: PushEnvironment?
  package var payload: [UInt8] = []
  package var isBinary = false
  /// Of the binary interface.
  package var command: UInt8 = 2
  package var identifier: NotificationIdentifier?
  package var priority: Int?
  package var expiry = TrafficNotification.Expiry.none
  /// Headers of a request, but for topic, priority and expiration.
  package var pushType = "alert"
  package var collapseId: String?
  package var apnsId: String?

  /// The interfaces by name.
  private enum API: String, CaseIterable { case http2, binary }

  static let noun = Noun(
    "SendRequest",
    "a notification",
    "A notification, as a provider sends it.",
    rows: [
      Noun.Row("to", .text, "The name of a device, or a token in hex digits.", .required),
      Noun.Row("topic", .topic, "That of the device's first app without it."),
      Noun.Row("environment", .environment, "The environment of the app."),
      Noun.Row("payload", .json, "An object is sent as compact JSON, a text as it is.", .required),
      Noun.Row("api", .choice(of: API.self), "The interface.", usual: .string("http2")),
      Noun.Row("command", .integer(0...2), "Of the binary interface.", usual: .number("2")),
      Noun.Row("identifier", .form(.identifier), "Of the binary interface."),
      Noun.Row("pushType", .text, "Of HTTP/2, as `collapseId` and `apnsId` are.", usual: .string("alert")),
      Noun.Row("priority", .integer(0...255), "The priority."),
      Noun.Row("expiration", .form(.expiry), "Seconds since 1970, a time, a duration or `none`."),
      Noun.Row("collapseId", .text, "The value of `apns-collapse-id`."),
      Noun.Row("apnsId", .text, "The value of `apns-id`."),
    ]
  )

  /// `{"to":"bob","payload":{"aps":{"alert":"hi"}}}`
  package static func read(_ text: String) throws(DocumentError) -> SendBody {
    try BodyText.read(text) { root in
      guard let fields = Fields(root, of: noun),
        let to = fields.require("to")?.text("the name of a device, or a token in hex digits")
      else { return nil }
      var body = SendBody()
      body.recipient = to
      if let value = fields["topic"] { body.topic = value.topic() }
      body.environment = fields["environment"].flatMap {
        $0.choice("the environment", of: PushEnvironment.self)
      }
      if let value = fields.require("payload") {
        body.payload = TrafficNotificationReader.payload(value) ?? []
      }
      let api = fields["api"].flatMap { $0.choice("the interface", of: API.self) } ?? .http2
      body.isBinary = api == .binary
      if let value = fields["expiration"] {
        body.expiry = TrafficNotificationReader.expiry(value) ?? TrafficNotification.Expiry.none
      }
      body.priority = fields.integer("priority", "the priority")
      let own = body.isBinary ? ["pushType", "collapseId", "apnsId"] : ["command", "identifier"]
      for key in own {
        fields[key]?.report("\"\(key)\" is for \(body.isBinary ? "HTTP/2" : "the binary interface") alone")
      }
      if let command = fields.integer("command", "the command") { body.command = UInt8(command) }
      for key in absent(command: body.command) where body.isBinary {
        fields[key]?.report("a frame of command \(body.command) has no \(key)")
      }
      body.identifier = fields["identifier"].flatMap { $0.identifier() }
      if let type = fields["pushType"].flatMap({ header($0, "the push type") }) { body.pushType = type }
      body.collapseId = fields["collapseId"].flatMap { header($0, "the collapse identifier") }
      body.apnsId = fields["apnsId"].flatMap { header($0, "the identifier") }
      return body
    }
  }

  /// The value of a header, which no peer would take with a NUL or a line end (RFC 9113, section 8.2.1).
  private static func header(_ value: Value, _ what: String) -> String? {
    let text = value.text(what)
    if text?.unicodeScalars.contains(where: { ["\0", "\r", "\n"].contains($0) }) ?? false {
      value.report("a header's value has no NUL, CR or LF")
    }
    return text
  }

  /// The keys of what frames of a command do not have.
  private static func absent(command: UInt8) -> [String] {
    switch command {
    case 0: ["identifier", "expiration", "priority"]
    case 1: ["priority"]
    default: []
    }
  }

  /// The frame of the binary interface.
  /// - Parameter identifier: that of a frame whose body names none.
  package func frame(token: [UInt8], identifier usual: UInt32, at now: Timestamp) -> [UInt8] {
    let notification = TrafficNotification(
      recipient: .token(token),
      payload: payload,
      command: command,
      identifier: command == 0 ? .none : .from(identifier?.rawValue ?? usual),
      expiry: command == 0 ? .none : expiry == .none ? .at(0x7FFF_FFFF) : expiry,
      priority: command == 2 ? priority.map { UInt8(clamping: $0) } : nil,
      count: 1
    )
    return notification.frames(token: token, place: 1, at: now)
  }

  /// The header list of a request; the value of `authorization` is left out.
  package func headerList(
    token: [UInt8],
    topic: String,
    at now: Timestamp
  ) -> [(name: [UInt8], value: [UInt8])] {
    var headers = [AnswerHeader(name: "apns-push-type", value: pushType)]
    if let priority { headers.append(AnswerHeader(name: "apns-priority", value: "\(priority)")) }
    if let collapseId { headers.append(AnswerHeader(name: "apns-collapse-id", value: collapseId)) }
    if let apnsId { headers.append(AnswerHeader(name: "apns-id", value: apnsId)) }
    let request = TrafficRequest(
      recipient: .token(token),
      payload: payload,
      topic: topic,
      app: topic,
      expiry: expiry,
      headers: headers,
      method: "POST",
      path: nil,
      count: 1
    )
    return request.headerList(token: token, isByToken: !needsCertificate, at: now)
  }

  /// The most bytes of a request's payload.
  package var requestPayloadLimit: Int { knownType.row.payloadLimit }

  /// True for a request that Apple takes with a certificate alone.
  package var needsCertificate: Bool { knownType.row.credentials == .certificate }

  private var knownType: PushType { PushType.allCases.first { $0.name == pushType } ?? .alert }
}

import APNSimCore
import APNSimWire

/// `traffic:`, the providers' steps, with which a scenario can run by itself.
enum TrafficSection: ScenarioSection {
  static let row = Noun.Row(
    "traffic",
    .list(.mapping(noun)),
    "What the providers do, so that the scenario can run by itself."
  )
  private static let noun = Noun(
    "step",
    "a step of the traffic",
    "A step of a provider.",
    rows: [
      Noun.Row("at", .duration, "The moment, from the start; that of the step before where nothing is said."),
      Noun.Row("connection", .text, "A name of your choice; its first step connects.", .required),
      Noun.Row(
        "topic",
        .topic,
        "The topic of the provider's certificate, or of its requests; not needed where there is only one app."
      ),
      Noun.Row("environment", .environment, "The environment of the provider's certificate."),
      Noun.Row("certificate", .choice(of: TrafficCertificate.self), "The provider's certificate."),
      Noun.Row(
        "send",
        .oneOrMore(.mapping(TrafficNotificationReader.noun)),
        "Frames of the binary interface."
      ),
      Noun.Row("push", .oneOrMore(.mapping(TrafficRequestReader.noun)), "Requests of HTTP/2."),
      Noun.Row(
        "jwt",
        .either([.word("none"), .mapping(TrafficRequestReader.tokenNoun)]),
        "The provider token from this step on; none sends no token."
      ),
      Noun.Row(
        "cut",
        .either([.choice(["whole", "everyByte"]), .integer(1...Int.max)]),
        "The pieces in which the frames are written: whole, everyByte, or of so many bytes."
      ),
      Noun.Row("end", .yes, "The provider ends its own side, and reads what still comes."),
      Noun.Row("reset", .yes, "The provider resets the connection."),
      Noun.Row(
        "feedback",
        .either([.word("read"), .integer(1...1_000_000)]),
        "The provider reads the feedback list: to its end (read), or so many tuples."
      ),
    ],
    terms: [.atMostOne(actions), .with("cut", "send"), .with("jwt", "push")]
  )
  /// The keys of which a step has one at most.
  private static let actions = ["send", "push", "end", "reset", "feedback"]

  static func read(_ value: Value, into draft: inout ScenarioDraft) {
    var reader = Reader(draft)
    var steps: [(step: TrafficStep, place: Value)] = []
    for item in value.list("a list of steps, such as [{ connection: a, send: { to: alice } }]") ?? [] {
      guard let fields = Fields(item, of: noun) else { continue }
      guard let step = reader.read(fields, &draft), let place = fields["connection"] else { continue }
      steps.append((step, place))
    }
    // Steps of one moment stay in the order of the file.
    let order = steps.enumerated()
      .sorted { ($0.element.step.at, $0.offset) < ($1.element.step.at, $1.offset) }
      .map(\.element)
    reportLate(order)
    draft.script.traffic = order.map(\.step)
  }

  /// Reports steps of connections that have ended by then.
  private static func reportLate(_ steps: [(step: TrafficStep, place: Value)]) {
    var ended: [String: Int] = [:]
    for (step, place) in steps {
      if let line = ended[step.connection] {
        place.report(
          "the connection \"\(step.connection)\" ended on line \(line): give a new one another name"
        )
        continue
      }
      switch step.action {
      case .end, .reset: ended[step.connection] = place.location.line
      default: break
      }
    }
  }

  private struct Reader {
    private var at = TimeSpan.zero
    private var room = TrafficRoom()
    /// The topics of all apps.
    private let topics: [String]

    init(_ draft: ScenarioDraft) {
      var topics = Set(draft.scenario.apps.map(\.topic))
      for device in draft.scenario.devices { topics.formUnion(device.apps.lazy.map(\.app.topic)) }
      self.topics = topics.sorted()
    }

    mutating func read(_ fields: Fields, _ draft: inout ScenarioDraft) -> TrafficStep? {
      if let moment = fields["at"].flatMap({ $0.timeSpan("\"at\"") }) { at = moment }
      guard let place = fields.require("connection"),
        let name = place.text("a name for the connection, of your choice")
      else { return nil }
      let action = action(fields, draft, draft.script.providers[name])
      guard let provider = provider(name, fields, draft) else { return nil }
      if let known = draft.script.providers[name] {
        guard known == provider else {
          place.report("the connection \"\(name)\" already exists: \(known.listener) of \(known.app)")
          return nil
        }
      } else {
        draft.script.providers[name] = provider
      }
      return action.map { TrafficStep(at: at, connection: name, action: $0) }
    }

    private mutating func action(
      _ fields: Fields,
      _ draft: ScenarioDraft,
      _ known: TrafficProvider?
    ) -> TrafficStep.Action? {
      let given = TrafficSection.actions.filter { fields[$0] != nil }
      guard given.count <= 1 else {
        fields.value.report("a step does one thing, not both \"\(given[0])\" and \"\(given[1])\"")
        return nil
      }
      if let cut = fields["cut"], given != ["send"] { cut.report("\"cut\" requires \"send\"") }
      if let token = fields["jwt"], given != ["push"] { token.report("\"jwt\" requires \"push\"") }
      switch given.first {
      case "push"?:
        guard let value = fields["push"] else { return nil }
        return push(value, fields, known, draft)
      case "send"?:
        guard let value = fields["send"] else { return nil }
        return send(value, fields["cut"], draft)
      case "end"?: return fields["end"]?.affirmation("\"end\"") == true ? .end : nil
      case "reset"?: return fields["reset"]?.affirmation("\"reset\"") == true ? .reset : nil
      case "feedback"?:
        guard let value = fields["feedback"] else { return nil }
        if value.scalar == "read" { return .readFeedback(tuples: nil) }
        guard let count = value.scalar.flatMap({ Int($0) }), (1...1_000_000).contains(count) else {
          value.mismatch("read, or how many tuples to read, from 1 to 1000000")
          return nil
        }
        return .readFeedback(tuples: count)
      default: return .open
      }
    }

    private mutating func send(_ value: Value, _ cut: Value?, _ draft: ScenarioDraft) -> TrafficStep.Action? {
      var items = [value]
      if case .sequence = value.node { items = value.list("notifications") ?? [] }
      room.beginStep()
      let pieces = items.compactMap { item in
        TrafficNotificationReader.read(item, draft).flatMap { room.take($0, at: item) ? $0 : nil }
      }
      return .send(pieces, cut.flatMap { self.cut($0) } ?? .whole)
    }

    private mutating func push(
      _ value: Value,
      _ fields: Fields,
      _ known: TrafficProvider?,
      _ draft: ScenarioDraft
    ) -> TrafficStep.Action? {
      var items = [value]
      if case .sequence = value.node { items = value.list("requests") ?? [] }
      guard let topic = topic(fields, known) else { return nil }
      room.beginStep()
      let requests = items.compactMap { item in
        TrafficRequestReader.read(item, topic: topic, draft).flatMap { room.take($0, at: item) ? $0 : nil }
      }
      return .push(requests, fields["jwt"].flatMap { TrafficRequestReader.token($0) })
    }

    private func cut(_ value: Value) -> TrafficCut? {
      switch value.scalar {
      case "whole": return .whole
      case "everyByte": return .pieces(1)
      default:
        guard let size = value.scalar.flatMap({ Int($0) }), size > 0 else {
          value.mismatch("whole, everyByte or a number of bytes for the cut")
          return nil
        }
        return .pieces(size)
      }
    }

    /// The owner of the connection: named here, given by an earlier step, or the only app there is.
    private func provider(_ name: String, _ fields: Fields, _ draft: ScenarioDraft) -> TrafficProvider? {
      let known = draft.script.providers[name]
      let isOpening = TrafficSection.actions.allSatisfy { fields[$0] == nil }
      let listener: Listener =
        fields["push"] != nil
        ? .http2 : fields["feedback"] != nil ? .feedback : isOpening ? known?.listener ?? .gateway : .gateway
      let certificate = fields["certificate"].map {
        $0.choice("the certificate", of: TrafficCertificate.self)
      }
      if case .some(nil) = certificate { return nil }
      if fields["topic"] == nil, fields["environment"] == nil, let known {
        // Ending is the same on either listener.
        let isEnding = fields["end"] != nil || fields["reset"] != nil
        return TrafficProvider(
          app: known.app,
          listener: isEnding ? known.listener : listener,
          certificate: (certificate ?? nil) ?? known.certificate
        )
      }
      let environment = fields["environment"].map { $0.choice("the environment", of: PushEnvironment.self) }
      if case .some(nil) = environment { return nil }
      guard let topic = topic(fields, known) else { return nil }
      let possible = draft.environments?[ExactText(topic)] ?? [.production]
      return TrafficProvider(
        app: AppKey(topic: topic, environment: (environment ?? nil) ?? possible.first ?? .production),
        listener: listener,
        certificate: (certificate ?? nil) ?? known?.certificate ?? (listener == .http2 ? .none : .good)
      )
    }

    private func topic(_ fields: Fields, _ known: TrafficProvider?) -> String? {
      if let value = fields["topic"] { return value.topic() }
      if let known { return known.app.topic }
      guard topics.count > 1 else { return topics.first ?? "com.example.app" }
      fields.value.report("there are several apps: give the \"topic\" of this connection's certificate")
      return nil
    }
  }
}

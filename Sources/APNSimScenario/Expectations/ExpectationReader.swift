import APNSimCore
import APNSimWire

/// Reads expectations. One key names the subject: `where`, `device`, `feedback`, `error` or `connection`.
enum ExpectationReader {
  private enum About: String, CaseIterable {
    case notifications = "where"
    case device
    case feedback
    case error
    case connection

    /// The table of an expectation about it.
    var noun: Noun {
      switch self {
      case .notifications: ExpectationTables.notifications
      case .device: ExpectationTables.device
      case .feedback: ExpectationTables.feedback
      case .error: ExpectationTables.errors
      case .connection: ConnectionTestReader.noun
      }
    }

    var keys: [String] { noun.keys }
  }

  /// A list of expectations, or a single one.
  static let list = ValueKind.oneOrMore(
    .named(
      "expectation",
      "An expectation about notifications, a device, feedback, errors or a connection.",
      .either(About.allCases.map { .mapping($0.noun) })
    )
  )

  /// Reads a list of expectations, or a single one.
  static func readAll(_ value: Value, _ draft: inout ScenarioDraft) -> [ScriptCheck] {
    if case .mapping = value.node { return read(value, &draft) }
    let items = value.list("a list of expectations, such as [{ device: bob, inbox: { count: 1 } }]") ?? []
    return items.flatMap { read($0, &draft) }
  }

  private static func read(_ item: Value, _ draft: inout ScenarioDraft) -> [ScriptCheck] {
    let names = About.allCases.map(\.rawValue)
    let expected = "an expectation with \(Enumeration.of(names))"
    let entries = item.entries(expected)
    guard case .mapping = item.node else {
      // An empty item would be an expectation that always holds.
      if item.isNull, !item.problems.isStrict { item.mismatch(expected) }
      return []
    }
    let abouts = About.allCases.filter { about in entries.contains { $0.name == about.rawValue } }
    guard let about = abouts.first else {
      let known = Set(About.allCases.flatMap(\.keys)).sorted()
      let slip = entries.compactMap { entry in
        known.contains(entry.name) ? nil : NearestName.find(entry.name, among: names).map { (entry, $0) }
      }
      if let (entry, meant) = slip.first {
        entry.key.report("unknown key \"\(Value.shown(entry.name))\" in an expectation", suggestion: meant)
      } else {
        item.report("an expectation needs \(Enumeration.of(names)) to say what it is about")
      }
      return []
    }
    guard abouts.count == 1 else {
      item.report(
        "an expectation is about one thing, not both \"\(abouts[0].rawValue)\" and \"\(abouts[1].rawValue)\""
      )
      return []
    }
    guard let fields = Fields(item, of: about.noun) else { return [] }
    if about == .connection { return ConnectionTestReader.read(fields, &draft).map { [$0] } ?? [] }
    let name = fields["name"].flatMap { $0.text("the expectation's name") }
    return expectations(about, fields, draft).map { subject, count in
      let text = name ?? "line \(item.location.line): \(subject.summary)"
      let expectation = Expectation(subject: subject, count: count, text: text)
      if expectation.namesConnection { draft.noteConnections(in: fields) }
      return ScriptCheck(subject: .simulator(expectation), text: text)
    }
  }

  private typealias Expected = (subject: Expectation.Subject, count: CountTest)

  private static func expectations(_ about: About, _ fields: Fields, _ draft: ScenarioDraft) -> [Expected] {
    switch about {
    case .notifications:
      let query = fields["where"].map { QueryReader.read($0) } ?? Query()
      return CountReader.read(fields).map { [(.notifications(query), $0)] } ?? []
    case .device: return device(fields, draft)
    case .feedback:
      guard let count = CountReader.read(fields), let app = feedback(fields["feedback"], draft) else {
        return []
      }
      return [(.feedback(app), count)]
    case .error:
      guard let count = CountReader.read(fields), let value = fields.require("error") else { return [] }
      guard let subject = error(value) else { return [] }
      return [(subject, count)]
    case .connection: return []
    }
  }

  /// One expectation for each of `inbox`, `stored`, `badge`, `activities` and `ignored`.
  private static func device(_ fields: Fields, _ draft: ScenarioDraft) -> [Expected] {
    guard let value = fields.require("device"), let name = value.text("the name of a device") else {
      return []
    }
    guard draft.noteDevice(value) else { return [] }
    var expected: [Expected] = []
    let subjects = ExpectationTables.ofDevice.map(\.key)
    guard subjects.contains(where: { fields[$0] != nil }) else {
      fields.value.report("an expectation about a device needs \(Enumeration.of(subjects))")
      return []
    }
    if let inbox = fields["inbox"], let (query, count) = counted(inbox, ExpectationTables.inbox) {
      expected.append((.inbox(device: name, query), count))
    }
    if let stored = fields["stored"], let (_, count) = counted(stored, ExpectationTables.store) {
      expected.append((.stored(device: name), count))
    }
    if let badge = fields["badge"], let count = CountReader.read(badge),
      let app = AppReference.readIfGiven(fields, onDevice: name, draft)
    {
      expected.append((.badge(device: name, app), count))
    }
    if let count = fields["activities"].flatMap({ CountReader.read($0) }) {
      expected.append((.activities(device: name), count))
    }
    if let count = fields["ignored"].flatMap({ CountReader.read($0) }) {
      expected.append((.ignored(device: name), count))
    }
    return expected
  }

  /// `{ count: 1, where: { … } }`, or the count alone.
  private static func counted(_ value: Value, _ noun: Noun) -> (Query, CountTest)? {
    if value.scalar != nil { return CountReader.read(value).map { (Query(), $0) } }
    guard let fields = Fields(value, of: noun), let count = CountReader.read(fields) else { return nil }
    let query = noun.keys.contains("where") ? fields["where"] : nil
    return (query.map { QueryReader.read($0) } ?? Query(), count)
  }

  /// All lists, or that of one app.
  private static func feedback(_ value: Value?, _ draft: ScenarioDraft) -> AppKey?? {
    guard let value, value.scalar != "all" else { return .some(nil) }
    guard let fields = Fields(value, of: ExpectationTables.feedbackList) else { return nil }
    return AppReference.readIfGiven(fields, onDevice: nil, draft)
  }

  /// `{ status: 8, identifier: 3 }`, or the status alone.
  private static func error(_ value: Value) -> Expectation.Subject? {
    if value.scalar == "any" { return .errors(nil) }
    if value.scalar != nil { return value.status().map { .errors($0) } }
    guard let fields = Fields(value, of: ExpectationTables.error) else { return nil }
    let status = fields["status"].map { $0.status() }
    let identifier = fields["identifier"].map { $0.identifier() }
    if case .some(nil) = status { return nil }
    if case .some(nil) = identifier { return nil }
    return .errors(status ?? nil, identifier ?? nil)
  }
}

/// Reads a test of a connection of the traffic: `{ connection: a, received: "08…", ending: close }`.
enum ConnectionTestReader {
  static let noun = Noun(
    "expectedConnection",
    "an expectation about a connection",
    "What a provider of the traffic saw, and what the simulator counted of its connection.",
    rows: [Noun.Row("connection", .text, "The connection, by the name that the traffic gives it.", .required)]
      + tests + [ExpectationTables.name],
    terms: [.some(tests.map(\.key))]
  )
  private static let tests =
    [
      Noun.Row("received", .form(.bytes), "Every byte that came back."),
      Noun.Row(
        "answers",
        .oneOrMore(.form(answerForm)),
        "The answers to requests, in order, each by its status, its reason or both, and what came in place of one."
      ),
      Noun.Row("ending", .choice(of: TrafficEnding.self), "How it ended."),
      Noun.Row("alert", .integer(1...255), "The TLS alert of a refusal."),
      Noun.Row("records", CountReader.kind, "The TLS records in which the bytes came."),
      Noun.Row("tuples", CountReader.kind, "The whole feedback tuples."),
    ]
    + ConnectionCount.allCases.map { count in
      Noun.Row(count.rawValue, CountReader.kind, count.meaning)
    }

  static func read(_ fields: Fields, _ draft: inout ScenarioDraft) -> ScriptCheck? {
    guard let place = fields.require("connection"),
      let name = place.text("the name of a connection of the traffic")
    else { return nil }
    draft.noteConnection(place)
    var test = ConnectionTest()
    test.received = fields["received"].flatMap { $0.hexBytes("what was received") }
    test.answers = fields["answers"].flatMap { answers($0) }
    test.ending = fields["ending"].flatMap { $0.choice("the ending", of: TrafficEnding.self) }
    test.alert = fields.integer("alert", "the TLS alert").map { UInt8(clamping: $0) }
    test.records = fields["records"].flatMap { CountReader.read($0) }
    test.tuples = fields["tuples"].flatMap { CountReader.read($0) }
    for count in ConnectionCount.allCases {
      guard let wanted = fields[count.rawValue].flatMap({ CountReader.read($0) }) else { continue }
      test.counts.append(ConnectionTest.Count(name: count, test: wanted))
    }
    guard test != ConnectionTest() else {
      let keys = tests.map(\.key)
      if keys.allSatisfy({ fields[$0] == nil }) {
        fields.value.report("an expectation about a connection needs \(Enumeration.of(keys))")
      }
      return nil
    }
    let text = "line \(fields.value.location.line): connection \(name)"
    return ScriptCheck(subject: .connection(name, test), text: text)
  }

  /// An expected answer, or so many.
  private static let answerForm: TextForm = {
    let word = "(?:[1-5][0-9]{2}|\(FieldKind.reason.names.joined(separator: "|")))"
    let code = "(?: (?:\(HTTP2Code.names.joined(separator: "|"))|code [0-9]+))?"
    return TextForm(
      "answer",
      "an answer such as 200, Unregistered, 503 ServiceUnavailable or 3 x 200, or RST_STREAM, GOAWAY or SETTINGS",
      pattern: "(?:[0-9]{1,6} x )?"
        + "(?:GOAWAY(?: [\\s\\S]*)?|RST_STREAM\(code)|SETTINGS(?: [0-9]+)*|\(word)(?: +\(word))*)",
      numbers: .whole("100", "599"),
      examples: ["200", "Unregistered", "503 ServiceUnavailable", "3 x 200"]
    )
  }()

  /// `[200, Unregistered, 503 ServiceUnavailable]`, or one of them.
  private static func answers(_ value: Value) -> [String]? {
    var items = [value]
    if value.scalar == nil { items = value.list("answers, such as [200, Unregistered]") ?? [] }
    return items.flatMap { item -> [String] in
      guard let text = item.scalar else {
        item.mismatch("an answer such as 200, Unregistered or 503 ServiceUnavailable")
        return []
      }
      // `3 x 200` are three of them.
      let parts = text.components(of: " x ")
      guard parts.count == 2, let count = Int(parts[0]), 1...100_000 ~= count else {
        check(text, item)
        return [text]
      }
      check(parts[1], item)
      return Array(repeating: parts[1], count: count)
    }
  }
}

extension ConnectionTestReader {
  /// Reports the first word of an expected answer that none can have.
  fileprivate static func check(_ answer: String, _ item: Value) {
    guard let word = SeenFrame.impossibleWord(in: answer) else { return }
    let place = word == answer ? "" : " in \"\(Value.shown(answer))\""
    item.report(
      "expected a status such as 200, a reason such as Unregistered, RST_STREAM, GOAWAY or SETTINGS in an answer, "
        + "found \"\(Value.shown(word))\"\(place)",
      suggestion: NearestName.find(word, among: SeenFrame.words)
    )
  }
}

extension String {
  /// The parts before and after the first place of a text; the whole where it is not there.
  fileprivate func components(of separator: String) -> [String] {
    guard let range = firstRange(of: separator) else { return [self] }
    return [String(self[..<range.lowerBound]), String(self[range.upperBound...])]
  }
}

extension Expectation.Subject {
  /// The subject in words, for a report.
  var summary: String {
    switch self {
    case .notifications(let query):
      query.conditions.isEmpty ? "notifications" : "notifications with \(query.summary)"
    case .inbox(let device, let query):
      "inbox of \(device)" + (query.conditions.isEmpty ? "" : " with \(query.summary)")
    case .stored(let device): "stored for \(device)"
    case .feedback(let app): "feedback tuples" + (app.map { " of \($0)" } ?? "")
    case .badge(let device, let app): "badge on \(device)" + (app.map { " of \($0)" } ?? "")
    case .activities(let device): "Live Activities on \(device)"
    case .ignored(let device): "pushes to \(device) that showed nothing"
    case .errors(let status, let identifier):
      "error responses" + (status.map { " of status \($0.rawValue)" } ?? "")
        + (identifier.map { " about \($0.hex)" } ?? "")
    }
  }
}

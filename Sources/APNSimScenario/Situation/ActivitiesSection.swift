import APNSimCore
import APNSimWire

/// `activities:`, Live Activities that apps have started: `{ device: alice, app: com.example.app, attributesType: … }`.
enum ActivitiesSection: ScenarioSection {
  static let row = Noun.Row(
    "activities",
    .list(.mapping(noun)),
    "Live Activities that apps have started; pushes start others."
  )
  static let noun = Noun(
    "activity",
    "an activity",
    "A Live Activity that an app has started on its device.",
    rows: [Noun.Row("device", .device, "The device that shows it.", .required)] + AppReference.rows + [
      Noun.Row("attributesType", .text, "The type of its attributes.", .required),
      Noun.Row(
        "token",
        .form(.activityToken),
        "The token that it is updated by; the simulator makes one where none is given."
      ),
      Noun.Row("channel", .form(.channel), "The channel that it is updated by."),
    ] + contentRows
  )
  static let contentRows = [
    Noun.Row("attributes", .object, "What stays the same as long as it lives."),
    Noun.Row("contentState", .object, "What pushes change."),
  ]

  static func read(_ value: Value, into draft: inout ScenarioDraft) {
    let example = "a list, such as [{ device: alice, app: com.example.app, attributesType: ScoreAttributes }]"
    for item in value.list(example) ?? [] {
      if let activity = activity(item, draft) { draft.scenario.activities.append(activity) }
    }
  }

  /// Reads one entry; nil after reporting a problem.
  static func activity(_ item: Value, _ draft: ScenarioDraft) -> ActivitySpecification? {
    guard let fields = Fields(item, of: noun),
      let device = fields.require("device"), let name = device.text("the name of a device"),
      draft.noteDevice(device), let app = app(fields, onDevice: name, draft),
      let type = fields.require("attributesType")?.text("the name of a type")
    else { return nil }
    var activity = ActivitySpecification(device: name, app: app, attributesType: type)
    note(fields, on: &activity)
    if let value = fields["channel"] { activity.channel = ChannelsSection.known(value, draft) }
    return activity
  }

  /// The bundle ID of an app that the device has, with or without the suffix of a push type.
  private static func app(_ fields: Fields, onDevice name: String, _ draft: ScenarioDraft) -> AppKey? {
    guard let app = AppReference.read(fields, onDevice: nil, draft) else { return nil }
    let bundle = AppReference.bundle(of: app, in: fields)
    if let device = draft.devices[ExactText(name)], !device.apps.contains(where: { bundle.includes($0.app) })
    {
      fields["app"]?.report("\"\(name)\" does not have the app \(bundle)")
      return nil
    }
    return bundle
  }

  /// Reads token, attributes and content state.
  static func note(_ fields: Fields, on activity: inout ActivitySpecification) {
    activity.token = fields["token"].flatMap { $0.token(sizes: 1...100) }
    activity.attributes = fields["attributes"].map { object($0, "attributes") } ?? []
    activity.contentState = fields["contentState"].map { object($0, "contentState") } ?? []
    let (count, limit) = (
      activity.attributes.count + activity.contentState.count, ActivitySpecification.mostBytes
    )
    if !fields.value.accepts(count <= limit) {
      fields.value.report("expected at most \(limit) bytes of attributes and contentState, found \(count)")
    }
  }

  private static func object(_ value: Value, _ name: String) -> [UInt8] {
    guard case .mapping = value.node, let json = value.json else {
      value.mismatch("\(name) as a mapping, such as { score: 1 }")
      return []
    }
    var writer = JSONWriter()
    writer.value(json)
    return writer.bytes
  }
}

/// Reads what an app's Live Activities decode:
///
///     activities: { ScoreAttributes: { contentState: { score: integer, note: string? }, attributes: { team: string } } }
///
/// Dictionaries and arrays may have their own: `{ stops: [{ name: string, minutes: integer? }], next?: { name: string } }`.
enum ActivityTypesReader {
  static let noun = Noun(
    "activityType",
    "a type of attributes",
    "What Live Activities of one type decode: members with their types.",
    rows: [
      Noun.Row("contentState", members, "The members that pushes change."),
      Noun.Row("attributes", members, "The members that stay the same."),
    ]
  )
  private static let typeNames = ActivitySchema.Kind.allCases.map(\.rawValue)
  private static let members = ValueKind.names(
    .named(
      "memberType",
      "The type of a member: its name (with ? for one that may be missing), its own members, or the one type of a list's "
        + "elements.",
      .either([
        .form(
          TextForm(
            "typeName",
            "\(Enumeration.of(typeNames)), with ? for an optional one",
            pattern: "(?:\(typeNames.joined(separator: "|")))\\??",
            examples: typeNames
          )
        ), .names(.reference("memberType")), .list(.reference("memberType"), counts: 1...1),
      ])
    )
  )

  static func read(_ value: Value) -> [String: ActivitySchema] {
    var types: [String: ActivitySchema] = [:]
    for entry in value.entries(
      "types of attributes, such as { ScoreAttributes: { contentState: { score: integer } } }"
    ) {
      guard let fields = Fields(entry.value, of: noun) else { continue }
      types[entry.name] = ActivitySchema(
        contentState: fields["contentState"].map { members($0) },
        attributes: fields["attributes"].map { members($0) }
      )
    }
    return types
  }

  /// `{ score: integer, note: string?, stops: [{ name: string }], next?: { name: string } }`
  private static func members(_ value: Value) -> [ActivitySchema.Member] {
    value.entries("members with their types, such as { score: integer }").compactMap { entry in
      let isPlain = entry.value.scalar != nil
      guard let (shape, isOptional) = shape(entry.value) else { return nil }
      let isMarked = !isPlain && entry.name.hasSuffix("?")
      return ActivitySchema.Member(
        name: isMarked ? String(entry.name.dropLast()) : entry.name,
        shape: shape,
        isOptional: isPlain ? isOptional : isMarked
      )
    }
  }

  /// The type of a value: its name, a mapping of members, or a list with the type of its elements.
  private static func shape(_ value: Value) -> (shape: ActivitySchema.Shape, isOptional: Bool)? {
    if case .mapping = value.node { return (.members(members(value)), false) }
    if case .sequence = value.node {
      let elements = value.list("the type of an array's elements, such as [integer]") ?? []
      guard elements.count == 1 else {
        value.report("expected the one type of an array's elements, found \(elements.count)")
        return nil
      }
      return shape(elements[0]).map { (.elements($0.shape, areOptional: $0.isOptional), false) }
    }
    let names = typeNames
    let text = value.scalar ?? ""
    let isOptional = text.hasSuffix("?")
    guard let kind = ActivitySchema.Kind(rawValue: isOptional ? String(text.dropLast()) : text) else {
      value.report(
        "expected \(Enumeration.of(names)), with ? for an optional one, found \(value.found)",
        suggestion: NearestName.find(text, among: names)
      )
      return nil
    }
    return (.plain(kind), isOptional)
  }
}

/// A YAML or JSON file as a tree of located values, within bounds, before it is interpreted.
struct Document {
  let root: Value
  let problems: ProblemList

  /// The origin of a text.
  enum Origin {
    /// People, who write YAML, or JSON as if it were YAML.
    case people
    /// A program that asks for something: its values have the types of JSON.
    case program
    /// A journal, which has a scenario. Written out in full it is larger than the file that it came from.
    case scenario
    /// A journal, which has a command, maybe with a scenario.
    /// - hasPlaces: whether anybody wants to know where the values are.
    case command(hasPlaces: Bool)
  }

  /// - Parameters:
  ///   - text: the file's content; JSON is YAML.
  ///   - name: the file's name in errors.
  /// - Throws: `DocumentError` for a text that is no YAML, has a key twice, or exceeds the limits.
  init(text: String, name: String, from origin: Origin = .people) throws(DocumentError) {
    let source = SourceText(name: name, text: text)
    problems = ProblemList(source: source, isStrict: origin.isStrict, isRecorded: origin.isCommand)
    func refuse(_ problem: DocumentProblem) -> DocumentError {
      DocumentError(source: source, problems: [problem], omitted: 0, isUnread: true)
    }
    let most = origin.mostBytes
    guard text.utf8.count <= most else {
      throw refuse(DocumentProblem(location: .start, message: "the file is larger than \(most >> 20) MiB"))
    }
    let node: Node
    do throws(DocumentProblem) {
      guard let found = try Self.node(of: text, in: source, hasPlaces: origin.hasPlaces) else {
        throw DocumentProblem(location: .start, message: "the file is empty")
      }
      node = found
    } catch {
      throw refuse(error)
    }
    var measure = DocumentMeasure(
      mostValues: origin.mostValues,
      // A command has its value under its name.
      mostDepth: DocumentLimits.depth + (origin.isCommand ? 1 : 0)
    )
    if let problem = measure.check(node) { throw refuse(problem) }
    root = Value(node: node, problems: problems)
  }

  /// Gives what a reader makes of the root.
  /// - Throws: `DocumentError` with every problem that it reports.
  func read<Result>(_ reader: (Value) -> Result?) throws(DocumentError) -> Result {
    let result = reader(root)
    try problems.throwIfAny()
    if let result { return result }
    let problem = DocumentProblem(location: root.location, message: "not understood")
    throw DocumentError(source: problems.source, problems: [problem], omitted: 0)
  }

  /// The tree of a text, which is JSON or YAML; nil where there is nothing in it.
  static func node(
    of text: String,
    in source: SourceText,
    hasPlaces: Bool = true
  ) throws(DocumentProblem) -> Node? {
    if let node = try JSONNodes.root(of: text, in: source, hasPlaces: hasPlaces) { return node }
    return try YAMLComposer.root(of: SurrogateEscapes.joined(in: text), in: source)
  }
}

extension Document.Origin {
  fileprivate var isStrict: Bool { if case .program = self { true } else { false } }

  fileprivate var isCommand: Bool { if case .command = self { true } else { false } }

  fileprivate var mostBytes: Int {
    switch self {
    case .people, .program: DocumentLimits.bytes
    case .scenario: DocumentLimits.scenario
    case .command: DocumentLimits.journalLine
    }
  }

  /// JSON has no aliases: it holds no more values than it has bytes.
  fileprivate var mostValues: Int {
    switch self {
    case .people, .program: DocumentLimits.values
    case .scenario, .command: mostBytes
    }
  }

  fileprivate var hasPlaces: Bool {
    switch self {
    case .people, .program: true
    case .scenario: false
    case .command(let hasPlaces): hasPlaces
    }
  }
}

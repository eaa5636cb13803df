/// A YAML or JSON file as a tree of located values, within bounds, before it is interpreted.
struct Document {
  let root: Value
  let problems: ProblemList

  /// - Parameters:
  ///   - text: the file's content; JSON is YAML.
  /// - name: the file's name in errors.
  /// - isStrict: true where types are those of JSON.
  /// - isWrittenOut: true for a scenario from a journal, which is larger than the file that it came from.
  /// - Throws: `DocumentError` for a text that is no YAML, has a key twice, or exceeds the limits.
  init(
    text: String,
    name: String,
    isStrict: Bool = false,
    isWrittenOut: Bool = false
  ) throws(DocumentError) {
    let source = SourceText(name: name, text: text)
    problems = ProblemList(source: source, isStrict: isStrict)
    func refuse(_ problem: DocumentProblem) -> DocumentError {
      DocumentError(source: source, problems: [problem], omitted: 0, isUnread: true)
    }
    let most = isWrittenOut ? DocumentLimits.scenario : DocumentLimits.bytes
    guard text.utf8.count <= most else {
      throw refuse(DocumentProblem(location: .start, message: "the file is larger than \(most >> 20) MiB"))
    }
    let node: Node
    do throws(DocumentProblem) {
      guard let found = try Self.node(of: text, in: source, hasPlaces: !isWrittenOut) else {
        throw DocumentProblem(location: .start, message: "the file is empty")
      }
      node = found
    } catch {
      throw refuse(error)
    }
    // JSON has no aliases: it holds no more values than it has bytes.
    var measure = DocumentMeasure(mostValues: isWrittenOut ? most : DocumentLimits.values)
    if let problem = measure.check(node) { throw refuse(problem) }
    root = Value(node: node, problems: problems)
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

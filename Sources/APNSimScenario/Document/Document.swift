import Yams

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
    func refuse(_ problem: DocumentProblem) -> DocumentError { Self.refusal(problem, in: source) }
    let most = isWrittenOut ? DocumentLimits.scenario : DocumentLimits.bytes
    guard text.utf8.count <= most else {
      throw refuse(DocumentProblem(location: .start, message: "the file is larger than \(most >> 20) MiB"))
    }
    let node: Node
    do {
      guard let found = try Self.node(of: text, in: source, hasPlaces: !isWrittenOut) else {
        throw refuse(DocumentProblem(location: .start, message: "the file is empty"))
      }
      node = found
    } catch let error as DocumentError {
      throw error
    } catch let error as YamlError {
      throw refuse(DocumentProblem(error, in: source))
    } catch {
      throw refuse(DocumentProblem(location: .start, message: "not readable as YAML or JSON: \(error)"))
    }
    // JSON has no aliases: it holds no more values than it has bytes.
    var measure = DocumentMeasure(mostValues: isWrittenOut ? most : DocumentLimits.values)
    if let problem = measure.check(node) { throw refuse(problem) }
    root = Value(node: node, problems: problems)
  }

  /// The tree of a text, which is JSON or YAML; nil where there is nothing in it.
  static func node(of text: String, in source: SourceText, hasPlaces: Bool = true) throws -> Node? {
    if let node = try JSONNodes.root(of: text, in: source, hasPlaces: hasPlaces) { return node }
    let use = AnchorUse(in: text)
    guard !use.mayBeInKeys else {
      throw refusal(
        DocumentProblem(
          location: .start,
          message: "lists and aliases cannot be keys in a file that has anchors"
        ),
        in: source
      )
    }
    guard use.anchors <= DocumentLimits.anchors else {
      throw refusal(
        DocumentProblem(location: .start, message: "more than \(DocumentLimits.anchors) anchors"),
        in: source
      )
    }
    // `.basic` leaves every plain scalar a text: `on`, `no` and 0123 mean what the key says they mean.
    return try compose(yaml: SurrogateEscapes.joined(in: text), .basic, .default, .utf8)
  }

  private static func refusal(_ problem: DocumentProblem, in source: SourceText) -> DocumentError {
    DocumentError(source: source, problems: [problem], omitted: 0, isUnread: true)
  }
}

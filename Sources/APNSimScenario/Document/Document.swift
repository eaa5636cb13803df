import Yams

/// A YAML or JSON file as a tree of located values, within bounds, before anybody asks what it means.
struct Document {
  let root: Value
  let problems: ProblemList

  /// - Parameters:
  ///   - text: the file's content; JSON is YAML.
  ///   - name: what stands before line and column in errors.
  ///   - isStrict: whether types are those of JSON.
  /// - Throws: `DocumentError` for what is no YAML, has a key twice, or is past the limits.
  init(text: String, name: String, isStrict: Bool = false) throws(DocumentError) {
    let source = SourceText(name: name, text: text)
    problems = ProblemList(source: source, isStrict: isStrict)
    func refuse(_ problem: Problem) -> DocumentError { Self.refusal(problem, in: source) }
    guard text.utf8.count <= DocumentLimits.bytes else {
      throw refuse(
        Problem(location: .start, message: "the file is larger than \(DocumentLimits.bytes >> 20) MiB")
      )
    }
    let node: Node
    do {
      guard let found = try Self.node(of: text, in: source) else {
        throw refuse(Problem(location: .start, message: "the file is empty"))
      }
      node = found
    } catch let error as DocumentError {
      throw error
    } catch let error as YamlError {
      throw refuse(Problem(error, in: source))
    } catch {
      throw refuse(Problem(location: .start, message: "not readable as YAML or JSON: \(error)"))
    }
    var measure = DocumentMeasure()
    if let problem = measure.check(node) { throw refuse(problem) }
    root = Value(node: node, problems: problems)
  }

  /// The tree of a text, which is JSON or YAML; nil where there is nothing in it.
  static func node(of text: String, in source: SourceText) throws -> Node? {
    if let node = try JSONNodes.root(of: text, in: source) { return node }
    let use = AnchorUse(in: text)
    guard !use.mayBeInKeys else {
      throw refusal(
        Problem(
          location: .start,
          message: "lists and aliases as keys are refused in a file that has anchors"
        ),
        in: source
      )
    }
    guard use.anchors <= DocumentLimits.anchors else {
      throw refusal(
        Problem(location: .start, message: "more than \(DocumentLimits.anchors) anchors"),
        in: source
      )
    }
    // `.basic` leaves every plain scalar a text: `on`, `no` and 0123 mean what the key says they mean.
    return try compose(yaml: SurrogateEscapes.joined(in: text), .basic, .default, .utf8)
  }

  private static func refusal(_ problem: Problem, in source: SourceText) -> DocumentError {
    DocumentError(source: source, problems: [problem], omitted: 0, isUnread: true)
  }
}

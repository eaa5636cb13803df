/// Makes the tree of a YAML text, within the depth that is allowed.
struct YAMLComposer {
  private let events: YAMLEvents
  private let source: SourceText
  /// The latest values with an anchor.
  private var anchors: [String: Node] = [:]

  /// The value of the only document in a text; nil where there is none.
  static func root(of text: String, in source: SourceText) throws(DocumentProblem) -> Node? {
    var composer = YAMLComposer(events: YAMLEvents(of: text), source: source)
    return try composer.root()
  }

  private init(events: YAMLEvents, source: SourceText) { (self.events, self.source) = (events, source) }

  private mutating func root() throws(DocumentProblem) -> Node? {
    _ = try events.next()  // the beginning of the text
    guard case .documentStart = try events.next() else { return nil }
    let root = try node(try events.next(), depth: 0)
    _ = try events.next()  // the end of the document
    if case .documentStart(let location) = try events.next() {
      throw Self.problem(
        location,
        "expected a single document in the stream: but found another document"
      )
    }
    return root
  }

  private mutating func node(_ event: YAMLEvent, depth: Int) throws(DocumentProblem) -> Node {
    switch event {
    case .scalar(let scalar, let anchor): return keep(.scalar(scalar), anchor)
    case .alias(let name, let location):
      guard let node = anchors[name] else { throw Self.problem(location, "found undefined alias") }
      return node
    case .sequenceStart(let location, let anchor):
      return keep(.sequence(try sequence(at: location, depth: depth)), anchor)
    case .mappingStart(let location, let anchor):
      return keep(.mapping(try mapping(at: location, depth: depth)), anchor)
    case .collectionEnd, .documentStart, .boundary: throw Self.problem(.start, "a value is missing")
    }
  }

  private mutating func sequence(at place: SourceLocation, depth: Int) throws(DocumentProblem)
    -> Node.Sequence
  {
    try Self.check(depth, place)
    var items: [Node] = []
    while true {
      let event = try events.next()
      if case .collectionEnd = event { return Node.Sequence(items: items, location: place) }
      items.append(try node(event, depth: depth + 1))
    }
  }

  private mutating func mapping(at place: SourceLocation, depth: Int) throws(DocumentProblem) -> Node.Mapping
  {
    try Self.check(depth, place)
    var pairs: [(key: Node, value: Node)] = []
    while true {
      let event = try events.next()
      if case .collectionEnd = event { break }
      let key = try node(event, depth: depth + 1)
      pairs.append((key, try node(try events.next(), depth: depth + 1)))
    }
    if let repeated = RepeatedKey(in: pairs, comparing: { $0 }) {
      throw DocumentProblem(repeated, in: source)
    }
    return Node.Mapping(pairs: pairs, location: place)
  }

  private mutating func keep(_ node: Node, _ anchor: String?) -> Node {
    if let anchor { anchors[anchor] = node }
    return node
  }

  /// Recursion ends here: what is inside of the deepest list has no room.
  private static func check(_ depth: Int, _ place: SourceLocation) throws(DocumentProblem) {
    guard depth <= DocumentLimits.depth else {
      throw DocumentProblem(location: place, message: DocumentMeasure.tooDeep)
    }
  }

  private static func problem(_ location: SourceLocation, _ words: String) -> DocumentProblem {
    DocumentProblem(location: location, message: "not readable as YAML or JSON: \(words)")
  }
}

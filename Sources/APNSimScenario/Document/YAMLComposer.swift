/// Makes the tree of a YAML text, within the depth that is allowed.
struct YAMLComposer {
  private let events: YAMLEvents
  private let source: SourceText
  /// The latest values with an anchor.
  private var anchors: [String: Tree] = [:]
  private var anchorCount = 0

  /// A value, and how many lists and mappings are inside one another in it. An alias brings all of them along.
  private struct Tree {
    var node: Node
    var height: Int
  }

  /// The value of the only document in a text; nil where there is none.
  static func root(of text: String, in source: SourceText) throws(DocumentProblem) -> Node? {
    try checkDirectives(text)
    var composer = YAMLComposer(events: YAMLEvents(of: text), source: source)
    return try composer.root()
  }

  private init(events: YAMLEvents, source: SourceText) { (self.events, self.source) = (events, source) }

  private mutating func root() throws(DocumentProblem) -> Node? {
    _ = try events.next()  // the beginning of the text
    guard case .documentStart = try events.next() else { return nil }
    let root = try tree(try events.next(), depth: 0).node
    _ = try events.next()  // the end of the document
    if case .documentStart(let location) = try events.next() {
      throw Self.problem(
        location,
        "expected a single document in the stream: but found another document"
      )
    }
    return root
  }

  private mutating func tree(_ event: YAMLEvent, depth: Int) throws(DocumentProblem) -> Tree {
    switch event {
    case .scalar(let scalar, let anchor): return try keep(Tree(node: .scalar(scalar), height: 0), anchor)
    case .alias(let name, let location):
      guard let tree = anchors[name] else { throw Self.problem(location, "found undefined alias") }
      try Self.check(depth + max(0, tree.height - 1), location)
      return tree
    case .sequenceStart(let location, let anchor):
      return try keep(try sequence(at: location, depth: depth), anchor)
    case .mappingStart(let location, let anchor):
      return try keep(try mapping(at: location, depth: depth), anchor)
    case .collectionEnd, .documentStart, .boundary: throw Self.problem(.start, "a value is missing")
    }
  }

  private mutating func sequence(at place: SourceLocation, depth: Int) throws(DocumentProblem) -> Tree {
    try Self.check(depth, place)
    var items: [Node] = []
    var height = 0
    while true {
      let event = try events.next()
      if case .collectionEnd = event { break }
      let item = try tree(event, depth: depth + 1)
      height = max(height, item.height)
      items.append(item.node)
    }
    return Tree(node: .sequence(Node.Sequence(items: items, location: place)), height: height + 1)
  }

  private mutating func mapping(at place: SourceLocation, depth: Int) throws(DocumentProblem) -> Tree {
    try Self.check(depth, place)
    var pairs: [(key: Node, value: Node)] = []
    var height = 0
    while true {
      let event = try events.next()
      if case .collectionEnd = event { break }
      let key = try tree(event, depth: depth + 1)
      let value = try tree(try events.next(), depth: depth + 1)
      height = max(height, key.height, value.height)
      pairs.append((key.node, value.node))
    }
    if let repeated = RepeatedKey(in: pairs, comparing: { $0 }) {
      throw DocumentProblem(repeated, in: source)
    }
    return Tree(node: .mapping(Node.Mapping(pairs: pairs, location: place)), height: height + 1)
  }

  private mutating func keep(_ tree: Tree, _ anchor: String?) throws(DocumentProblem) -> Tree {
    guard let anchor else { return tree }
    anchorCount += 1
    guard anchorCount <= DocumentLimits.anchors else {
      throw DocumentProblem(
        location: tree.node.location,
        message: "more than \(DocumentLimits.anchors) anchors"
      )
    }
    anchors[anchor] = tree
    return tree
  }

  /// The parser compares each directive with all before it. A file needs one at most.
  private static func checkDirectives(_ text: String) throws(DocumentProblem) {
    var (line, count, isFirst) = (1, 0, true)
    for byte in text.utf8 {
      if isFirst, byte == UInt8(ascii: "%") {
        count += 1
        guard count <= DocumentLimits.directives else {
          throw DocumentProblem(
            location: SourceLocation(line: line, column: 1),
            message: "more than \(DocumentLimits.directives) lines begin with %"
          )
        }
      }
      isFirst = byte == 0x0A || byte == 0x0D
      if byte == 0x0A { line += 1 }
    }
  }

  /// Recursion ends here, that of releasing the tree as well: what is inside of the deepest list has no room.
  private static func check(_ depth: Int, _ place: SourceLocation) throws(DocumentProblem) {
    guard depth <= DocumentLimits.depth else {
      throw DocumentProblem(location: place, message: DocumentMeasure.tooDeep)
    }
  }

  private static func problem(_ location: SourceLocation, _ words: String) -> DocumentProblem {
    DocumentProblem(location: location, message: "not readable as YAML or JSON: \(words)")
  }
}

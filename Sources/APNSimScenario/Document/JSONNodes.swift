import APNSimWire

/// The tree of a text that is JSON, as if YAML read all of JSON: it has no characters for some that a string may hold as
/// they are, and no keys of more than 1,024.
///
/// The values are read from the JSON, and their places from an outline of it that YAML can read.
struct JSONNodes {
  private let source: SourceText
  /// The places of all names and values in the order of the text.
  private var places: [SourceLocation] = []
  private var next = 0

  /// Nil for what is no JSON, or has escapes that are no text: YAML's answer is to be had.
  /// - Parameter hasPlaces: whether anybody wants to know where the values are, which takes a multiple of the memory.
  static func root(of text: String, in source: SourceText, hasPlaces: Bool = true)
    throws(DocumentProblem) -> Node?
  {
    if !hasPlaces {
      guard let value = try? JSONValue.parse(text) else { return nil }
      var nodes = JSONNodes(source: source)
      return try nodes.node(value)
    }
    // With zeros among the first bytes it would be taken for UTF-16.
    guard !text.utf8.contains(0), let value = try? JSONValue.parse(text), let outline = outline(of: text),
      let outlined = try? YAMLComposer.root(of: outline, in: source)
    else { return nil }
    var nodes = JSONNodes(source: source)
    nodes.collect(outlined)
    return try nodes.node(value)
  }

  private init(source: SourceText) { self.source = source }

  /// The text with objects as lists of names and values, and in its strings as many plain characters as are written
  /// there: everything is where it was. Nil for lone surrogates.
  private static func outline(of text: String) -> String? {
    let plain = UInt8(ascii: "x")
    var result: [UInt8] = []
    var rest = Array(text.utf8)[...]
    var isInString = false
    result.reserveCapacity(rest.count)
    while let byte = rest.first {
      var length = 1
      switch byte {
      case UInt8(ascii: "\""):
        isInString.toggle()
        result.append(byte)
      case UInt8(ascii: "\\"):
        guard let escape = SurrogateEscapes.length(at: rest) else { return nil }
        length = escape
        result += repeatElement(plain, count: length)
      case _ where isInString:
        // Columns are counted in characters, each of which has one byte that continues none.
        if byte & 0xC0 != 0x80 { result.append(plain) }
      case UInt8(ascii: "{"): result.append(UInt8(ascii: "["))
      case UInt8(ascii: "}"): result.append(UInt8(ascii: "]"))
      case UInt8(ascii: ":"): result.append(UInt8(ascii: ","))
      case UInt8(ascii: "\t"): result.append(UInt8(ascii: " "))
      default: result.append(byte)
      }
      rest = rest.dropFirst(length)
    }
    return String(decoding: result, as: UTF8.self)
  }

  private mutating func collect(_ node: Node) {
    places.append(node.location)
    guard case .sequence(let items) = node else { return }
    for item in items { collect(item) }
  }

  private mutating func place() -> SourceLocation {
    guard next < places.count else { return .start }
    next += 1
    return places[next - 1]
  }

  /// Recursion is bounded by the depth that the reader of JSON allows.
  private mutating func node(_ value: JSONValue) throws(DocumentProblem) -> Node {
    let place = place()
    func scalar(_ text: String, _ style: Node.Scalar.Style = .plain) -> Node {
      .scalar(Node.Scalar(string: text, style: style, location: place))
    }
    switch value {
    case .null: return scalar("null")
    case .bool(let flag): return scalar(flag ? "true" : "false")
    case .number(let digits): return scalar(digits)
    case .string(let text): return scalar(text, .doubleQuoted)
    case .array(let elements):
      var nodes: [Node] = []
      for element in elements { nodes.append(try node(element)) }
      return .sequence(Node.Sequence(items: nodes, location: place))
    case .object(let members):
      var pairs: [(key: Node, value: Node)] = []
      for member in members {
        let key = Node.Scalar(string: member.key, style: .doubleQuoted, location: self.place())
        pairs.append((.scalar(key), try node(member.value)))
      }
      if let repeated = RepeatedKey(in: pairs, comparing: ExactText.init) {
        throw DocumentProblem(repeated, in: source)
      }
      return .mapping(Node.Mapping(pairs: pairs, location: place))
    }
  }
}

import APNSimWire
import Yams

/// The tree of a text that is JSON, as if YAML read all of JSON: it has no characters for some that a string may hold as
/// they are, and no keys of more than 1,024.
///
/// What the values are is read from the JSON, and where they are from an outline of it that YAML can read.
struct JSONNodes {
  private let source: SourceText
  /// Each new one has dictionaries of its own.
  private let resolver = Resolver.default
  private let constructor = Constructor.default
  /// The places of all names and values in the order of the text.
  private var marks: [Mark?] = []
  private var next = 0

  /// Nil for what is no JSON, or has escapes that are no text: YAML's answer is to be had.
  /// - Parameter hasPlaces: whether anybody wants to know where the values are, which takes a multiple of the memory.
  static func root(of text: String, in source: SourceText, hasPlaces: Bool = true) throws -> Node? {
    if !hasPlaces {
      guard let value = try? JSONValue.parse(text) else { return nil }
      var nodes = JSONNodes(source: source)
      return try nodes.node(value)
    }
    // With zeros among the first bytes it would be taken for UTF-16.
    guard !text.utf8.contains(0), let value = try? JSONValue.parse(text), let outline = outline(of: text),
      let places = try? compose(yaml: outline, .basic, .default, .utf8)
    else { return nil }
    var nodes = JSONNodes(source: source)
    nodes.collect(places)
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

  private mutating func collect(_ place: Node) {
    marks.append(place.mark)
    guard case .sequence(let items) = place else { return }
    for item in items { collect(item) }
  }

  private mutating func mark() -> Mark? {
    guard next < marks.count else { return nil }
    next += 1
    return marks[next - 1]
  }

  /// One for each node: what is found out about a node is kept in its tag.
  private func tag() -> Tag { Tag(.implicit, resolver, constructor) }

  /// Recursion is bounded by the depth that the reader of JSON allows.
  private mutating func node(_ value: JSONValue) throws -> Node {
    let mark = mark()
    switch value {
    case .null: return .scalar(Node.Scalar("null", tag(), .plain, mark))
    case .bool(let flag): return .scalar(Node.Scalar(flag ? "true" : "false", tag(), .plain, mark))
    case .number(let digits): return .scalar(Node.Scalar(digits, tag(), .plain, mark))
    case .string(let text): return .scalar(Node.Scalar(text, tag(), .doubleQuoted, mark))
    case .array(let elements):
      var nodes: [Node] = []
      for element in elements { nodes.append(try node(element)) }
      return .sequence(Node.Sequence(nodes, tag(), .flow, mark))
    case .object(let members):
      var pairs: [(Node, Node)] = []
      for member in members {
        let key = Node.Scalar(member.key, tag(), .doubleQuoted, self.mark())
        pairs.append((.scalar(key), try node(member.value)))
      }
      try refuseRepetition(pairs)
      return .mapping(Node.Mapping(pairs, tag(), .flow, mark))
    }
  }

  private func refuseRepetition(_ pairs: [(Node, Node)]) throws {
    var places: [ExactText: SourceLocation] = [:]
    var repeated: [String] = []
    for (key, _) in pairs {
      guard let name = key.scalar?.string else { continue }
      if places[ExactText(name)] == nil {
        places[ExactText(name)] = SourceLocation(key.mark)
      } else {
        repeated.append(name)
      }
    }
    guard let name = repeated.min(), let first = places[ExactText(name)] else { return }
    let problem = DocumentProblem(repeated: name, first: first, in: source)
    throw DocumentError(source: source, problems: [problem], omitted: 0, isUnread: true)
  }
}

/// Adds up a ``PayloadMeaning`` in one scan over JSON that has been judged, without a tree.
///
/// It gives up, and leaves the payload to the tree, where an object has two members of one name, and where containers
/// are deeper or objects wider than it has room for.
struct MeaningScanner {
  /// A container that is open around the innermost one.
  private struct Container {
    var path: UInt64
    /// The number of elements before the present one; in an object the place of its first member's name.
    var start: Int
    var isObject: Bool
  }

  private static let (mostContainers, mostNames) = (16, 64)

  private var meaning = PayloadMeaning()
  private var notes = JSONNotes()
  /// The path of the value that comes next.
  private var path = PayloadMeaning.root
  private var depth = 0
  private var container = Container(path: 0, start: 0, isObject: false)
  private var nameCount = 0
  private let text: IndexedText
  /// The containers around the innermost one, and the hashes of the names in open objects.
  private let outer: UnsafeMutablePointer<Container>
  private let names: UnsafeMutablePointer<UInt64>

  /// The hash of a text's meaning; nil where it gives up.
  static func scan(_ text: IndexedText) -> UInt64? {
    withUnsafeTemporaryAllocation(of: Container.self, capacity: mostContainers) { outer in
      withUnsafeTemporaryAllocation(of: UInt64.self, capacity: mostNames) { names in
        var scanner = MeaningScanner(
          text: text,
          outer: outer.baseAddress.unsafelyUnwrapped,
          names: names.baseAddress.unsafelyUnwrapped
        )
        return scanner.scan() ? scanner.meaning.sum : nil
      }
    }
  }

  private init(text: IndexedText, outer: UnsafeMutablePointer<Container>, names: UnsafeMutablePointer<UInt64>)
  {
    (self.text, self.outer, self.names) = (text, outer, names)
  }

  private mutating func scan() -> Bool {
    var at = text.token(from: 0, &notes)
    while true {
      switch text[at] {
      case UInt8(ascii: "\""):
        guard let hash = takeText(&at) else { return false }
        meaning.add(hash, at: path)
      case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
        guard let end = text.endOfNumber(at: at, &notes) else { return false }
        meaning.add(PayloadMeaning.number(text[at..<end]), at: path)
        at = end
      case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"):
        guard let end = text.endOfLiteral(at: at, &notes) else { return false }
        let isNull = text[at] == UInt8(ascii: "n")
        let truth = text[at] == UInt8(ascii: "t") ? PayloadMeaning.yes : PayloadMeaning.no
        meaning.add(isNull ? PayloadMeaning.null : truth, at: path)
        at = end
      case let bracket:
        let isObject = bracket == UInt8(ascii: "{")
        guard isObject || bracket == UInt8(ascii: "[") else { return false }
        at = text.token(from: at &+ 1, &notes)
        // A closing bracket is two after the opening one in ASCII.
        if text[at] != bracket &+ 2 {
          guard open(isObject: isObject), begin(&at) else { return false }
          continue
        }
        meaning.add(isObject ? PayloadMeaning.emptyObject : PayloadMeaning.emptyArray, at: path)
        at &+= 1
      }
      at = closeContainers(at: text.token(from: at, &notes))
      if depth == 0 { return at == text.count }
      guard text[at] == UInt8(ascii: ",") else { return false }
      at = text.token(from: at &+ 1, &notes)
      if !container.isObject { container.start &+= 1 }
      guard begin(&at) else { return false }
    }
  }

  private mutating func open(isObject: Bool) -> Bool {
    guard depth < Self.mostContainers else { return false }
    outer[depth] = container
    depth &+= 1
    container = Container(path: path, start: isObject ? nameCount : 0, isObject: isObject)
    return true
  }

  /// Closes every container that ends here; the offset after them.
  private mutating func closeContainers(at place: Int) -> Int {
    var at = place
    while depth > 0, text[at] == (container.isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
      if container.isObject { nameCount = container.start }
      depth &-= 1
      container = outer[depth]
      at = text.token(from: at &+ 1, &notes)
    }
    return at
  }

  /// Moves to the next value of the innermost container.
  private mutating func begin(_ at: inout Int) -> Bool {
    guard container.isObject else {
      path = PayloadMeaning.element(of: container.path, container.start)
      return true
    }
    guard text[at] == UInt8(ascii: "\""), let name = takeText(&at), note(name) else { return false }
    path = PayloadMeaning.member(of: container.path, name)
    at = text.token(from: at, &notes)
    guard text[at] == UInt8(ascii: ":") else { return false }
    at = text.token(from: at &+ 1, &notes)
    return true
  }

  /// Notes a name; false where the object has it already, or there is no room.
  private mutating func note(_ name: UInt64) -> Bool {
    guard nameCount < Self.mostNames else { return false }
    for place in container.start..<nameCount where names[place] == name { return false }
    names[nameCount] = name
    nameCount &+= 1
    return true
  }

  /// The hash of the string at an offset, which moves after it.
  private mutating func takeText(_ at: inout Int) -> UInt64? {
    let unusual = notes.unusual
    guard let end = text.endOfString(at: at, &notes) else { return nil }
    let bytes = text[at &+ 1..<end &- 1]
    at = end
    return notes.unusual != unusual && bytes.contains(UInt8(ascii: "\\"))
      ? PayloadMeaning.text(JSONString.decode(bytes)) : PayloadMeaning.text(bytes)
  }
}

/// A regular expression as instructions that are followed for all possibilities at once (Thompson's construction).
struct PatternProgram: Sendable {
  indirect enum Tree {
    case empty
    case scalars(PatternClass)
    case start
    case end
    case sequence([Tree])
    case either([Tree])
    case repeated(Tree, least: Int, most: Int?)
  }

  enum Instruction {
    case take(PatternClass)
    case start
    case end
    /// Go on at both places.
    case split(Int, Int)
    case jump(Int)
    case found
  }

  private(set) var instructions: [Instruction] = []
  /// The ASCII text that a text must contain for the expression to be found in it; empty where there is none.
  let literal: [UInt8]

  /// Instructions of the largest program: repetitions multiply what they repeat.
  private static let limit = 1000

  init(_ source: String) throws(PatternError) {
    var parser = try PatternParser(source)
    let tree = try parser.parse()
    guard Self.size(of: tree) < Self.limit else {
      throw PatternError(
        offset: 0,
        expected: "at most \(Self.limit) steps with all repetitions",
        found: "more"
      )
    }
    literal = PatternLiteral(tree).longest
    append(tree)
    instructions.append(.found)
  }

  private static func size(of tree: Tree) -> Int {
    switch tree {
    case .empty: 0
    case .scalars, .start, .end: 1
    case .sequence(let parts): parts.reduce(0) { min(limit, $0 + size(of: $1)) }
    case .either(let parts): parts.reduce(0) { min(limit, $0 + 2 + size(of: $1)) }
    case .repeated(let tree, let least, let most):
      min(limit, (max(least, most ?? least + 1)) * (size(of: tree) + 2))
    }
  }

  private mutating func append(_ tree: Tree) {
    switch tree {
    case .empty: break
    case .scalars(let scalars): instructions.append(.take(scalars))
    case .start: instructions.append(.start)
    case .end: instructions.append(.end)
    case .sequence(let parts): for part in parts { append(part) }
    case .either(let parts): append(either: parts[...])
    case .repeated(let tree, let least, let most):
      for _ in 0..<least { append(tree) }
      if let most { append(optional: tree, times: most - least) } else { append(loop: tree) }
    }
  }

  private mutating func append(either parts: ArraySlice<Tree>) {
    guard let first = parts.first else { return }
    guard parts.count > 1 else { return append(first) }
    let split = instructions.count
    instructions.append(.jump(0))
    append(first)
    let jump = instructions.count
    instructions.append(.jump(0))
    instructions[split] = .split(split + 1, instructions.count)
    append(either: parts.dropFirst())
    instructions[jump] = .jump(instructions.count)
  }

  private mutating func append(optional tree: Tree, times: Int) {
    var splits: [Int] = []
    for _ in 0..<max(0, times) {
      splits.append(instructions.count)
      instructions.append(.jump(0))
      append(tree)
    }
    for split in splits { instructions[split] = .split(split + 1, instructions.count) }
  }

  private mutating func append(loop tree: Tree) {
    let split = instructions.count
    instructions.append(.jump(0))
    append(tree)
    instructions.append(.jump(split))
    instructions[split] = .split(split + 1, instructions.count)
  }

  // MARK: Searching

  /// The state of a search: the places that take a character next or are passed at the text's end, in ascending
  /// order.
  struct Reached {
    var places: [Int]
    var isFound: Bool
  }

  /// The state in which every search begins.
  var start: Reached { reached(from: [0], isStart: true, isEnd: false) }

  /// The state after one character; a new match may begin after it as well.
  /// - Parameter takes: whether a place takes the character.
  func step(_ places: [Int], takes: (Int) -> Bool) -> Reached {
    reached(from: places.filter(takes).map { $0 + 1 } + [0], isStart: false, isEnd: false)
  }

  var isFoundInNothing: Bool { reached(from: [0], isStart: true, isEnd: true).isFound }

  /// True where it is found when a text ends here.
  func isFoundAtEnd(_ places: [Int]) -> Bool {
    reached(from: places, isStart: false, isEnd: true).isFound
  }

  /// True where it is found in what follows, beginning with a character, of a text that has been searched up to
  /// there.
  func isFound(
    from places: [Int],
    _ scalar: Unicode.Scalar,
    _ rest: inout some IteratorProtocol<Unicode.Scalar>
  ) -> Bool {
    var current = Places(capacity: instructions.count)
    var next = current
    for place in places { _ = current.insert(place) }
    var upcoming: Unicode.Scalar? = scalar
    while let scalar = upcoming {
      for place in current.members {
        guard case .take(let scalars) = instructions[place], scalars.contains(scalar) else { continue }
        if follow(place + 1, &next, isStart: false, isEnd: false) { return true }
      }
      if follow(0, &next, isStart: false, isEnd: false) { return true }
      swap(&current, &next)
      next.removeAll()
      upcoming = rest.next()
    }
    return isFoundAtEnd(current.members)
  }

  private func reached(from places: [Int], isStart: Bool, isEnd: Bool) -> Reached {
    var set = Places(capacity: instructions.count)
    for place in places where follow(place, &set, isStart: isStart, isEnd: isEnd) {
      return Reached(places: [], isFound: true)
    }
    return Reached(places: set.members.filter { waits(at: $0) }.sorted(), isFound: false)
  }

  private func waits(at place: Int) -> Bool {
    switch instructions[place] {
    case .take, .end: true
    default: false
    }
  }

  /// Adds a place and all that lie after it without taking a character; true when the end is among them.
  private func follow(_ place: Int, _ set: inout Places, isStart: Bool, isEnd: Bool) -> Bool {
    set.waiting.append(place)
    while let place = set.waiting.popLast() {
      guard set.insert(place) else { continue }
      switch instructions[place] {
      case .take: break
      case .start: if isStart { set.waiting.append(place + 1) }
      case .end: if isEnd { set.waiting.append(place + 1) }
      case .split(let one, let other):
        set.waiting.append(other)
        set.waiting.append(one)
      case .jump(let target): set.waiting.append(target)
      case .found: return true
      }
    }
    return false
  }

  /// The places that are followed at once, each only once.
  private struct Places {
    private(set) var members: [Int] = []
    private var isMember: [Bool]
    /// Places that have not been looked at.
    var waiting: [Int] = []

    init(capacity: Int) { isMember = Array(repeating: false, count: capacity) }

    mutating func insert(_ place: Int) -> Bool {
      guard !isMember[place] else { return false }
      isMember[place] = true
      members.append(place)
      return true
    }

    mutating func removeAll() {
      for place in members { isMember[place] = false }
      members.removeAll(keepingCapacity: true)
    }
  }
}

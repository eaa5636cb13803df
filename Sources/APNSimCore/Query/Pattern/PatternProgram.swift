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
  private var beginnings: [Bool] = []

  /// Instructions of the largest program: repetitions multiply what they repeat.
  private static let limit = 1000

  init(_ source: String) throws(PatternError) {
    var parser = try PatternParser(source)
    let tree = try parser.parse()
    guard Self.size(of: tree) < Self.limit else {
      throw PatternError(offset: 0, expected: "fewer repetitions", found: "more than \(Self.limit) steps")
    }
    append(tree)
    instructions.append(.found)
    beginnings = Self.beginnings(of: self)
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

  /// Whether the expression is found anywhere in a text.
  func isFound(in text: some Sequence<Unicode.Scalar>) -> Bool {
    var current = Set(capacity: instructions.count)
    var next = Set(capacity: instructions.count)
    var rest = text.makeIterator()
    var upcoming = rest.next()
    var isStart = true
    while true {
      // It may begin here as well, unless nothing that it begins with comes.
      if isStart || !current.members.isEmpty || mayBegin(with: upcoming),
        follow(0, &current, isStart: isStart, isEnd: upcoming == nil)
      {
        return true
      }
      guard let scalar = upcoming else { return false }
      isStart = false
      upcoming = rest.next()
      if current.members.isEmpty { continue }
      for place in current.members {
        guard case .take(let scalars) = instructions[place], scalars.contains(scalar) else { continue }
        if follow(place + 1, &next, isStart: false, isEnd: upcoming == nil) { return true }
      }
      swap(&current, &next)
      next.removeAll()
    }
  }

  private func mayBegin(with scalar: Unicode.Scalar?) -> Bool {
    guard let scalar, scalar.value < 0x80 else { return true }
    return beginnings[Int(scalar.value)]
  }

  /// Which ASCII characters it can begin with anywhere but at the start of the text.
  private static func beginnings(of program: PatternProgram) -> [Bool] {
    var first = Set(capacity: program.instructions.count)
    guard !program.follow(0, &first, isStart: false, isEnd: false) else {
      return Array(repeating: true, count: 128)
    }
    return (0..<128).map { value in
      first.members.contains { place in
        guard case .take(let scalars) = program.instructions[place] else { return false }
        return scalars.contains(Unicode.Scalar(UInt8(value)))
      }
    }
  }

  /// Adds a place and all that lie behind it without taking a character; true when the end is among them.
  private func follow(_ place: Int, _ set: inout Set, isStart: Bool, isEnd: Bool) -> Bool {
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
  private struct Set {
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

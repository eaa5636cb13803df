/// The classes of characters that an expression does not tell apart.
struct PatternAlphabet: Sendable {
  /// The number of classes.
  var count: Int { members.count }
  /// The class of each ASCII character, and of those beyond by the first of each stretch, ascending.
  private(set) var ascii: [UInt16] = []
  private var stretches: [(first: UInt32, class: UInt16)] = []
  /// By class: which of the sets that the expression names have it.
  private var members: [[Bool]] = []
  /// The set that a place of the program takes.
  private var sets: [Int?] = []

  init(_ program: PatternProgram) {
    var indices: [PatternClass: Int] = [:]
    for case .take(let set) in program.instructions where indices[set] == nil { indices[set] = indices.count }
    sets = program.instructions.map { instruction in
      guard case .take(let set) = instruction else { return nil }
      return indices[set]
    }
    let named = indices.sorted { $0.value < $1.value }.map(\.key)
    var known: [[Bool]: UInt16] = [:]
    for scalar in UInt8.min..<0x80 {
      ascii.append(add(Unicode.Scalar(scalar), named, &known))
    }
    // Characters beyond ASCII that have another case do not come in stretches.
    guard !named.contains(where: \.ignoresCase) else { return }
    for first in Set([0x80] + named.flatMap(\.bounds)).sorted() {
      guard first >= 0x80, let scalar = Unicode.Scalar(first) else { continue }
      stretches.append((first, add(scalar, named, &known)))
    }
  }

  private mutating func add(
    _ scalar: Unicode.Scalar,
    _ named: [PatternClass],
    _ known: inout [[Bool]: UInt16]
  ) -> UInt16 {
    let membership = named.map { $0.contains(scalar) }
    if let found = known[membership] { return found }
    // An expression has far fewer characters than there are numbers.
    let next = UInt16(clamping: members.count)
    members.append(membership)
    known[membership] = next
    return next
  }

  /// Nil for characters that have no class.
  @inline(__always)
  func index(of scalar: Unicode.Scalar) -> Int? {
    scalar.value < 0x80 ? Int(ascii[Int(scalar.value)]) : index(beyondASCII: scalar)
  }

  private func index(beyondASCII scalar: Unicode.Scalar) -> Int? {
    var (low, high) = (0, stretches.count)
    while low < high {
      let middle = (low + high) / 2
      if stretches[middle].first <= scalar.value { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? Int(stretches[low - 1].class) : nil
  }

  /// True where a place of the program takes the characters of a class.
  func takes(_ index: Int, at place: Int) -> Bool { sets[place].map { members[index][$0] } ?? false }
}

extension PatternClass {
  /// The scalars at which it begins or ceases to hold what lies there.
  fileprivate var bounds: [UInt32] {
    ranges.flatMap { range in
      // Between D7FF and E000 there are none.
      [range.lowerBound.value, range.upperBound == "\u{D7FF}" ? 0xE000 : range.upperBound.value + 1]
    }
  }
}

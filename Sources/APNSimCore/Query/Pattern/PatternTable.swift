/// The states that searches have come to, with what each character leads to from there: where texts are alike, nearly
/// every character is one look into a table.
///
/// A state is the set of places that are followed at once (the subset construction, made as far as texts go). There
/// is room for so many; a text that leads to others is followed place by place from there on.
struct PatternTable: Sendable {
  typealias State = UInt16
  /// It is found, whatever follows.
  static let found = State.max
  /// A transition that no search has taken yet.
  static let unwritten = State.max - 1
  /// No room is left for the state.
  static let full = State.max - 2
  private static let mostStates = 4096
  /// Bounds of what is kept, in all: numbers of 2 and of 8 bytes.
  private static let mostSteps = 1 << 18
  private static let mostPlaces = 1 << 15

  let first: State
  private let width: Int
  private(set) var steps: [State] = []
  private var places: [[Int]] = []
  private var placeCount = 0
  /// True where it is found when the text ends in a state.
  private var isFoundAtEnd: [Bool] = []
  private var known: [[Int]: State] = [:]

  init(_ program: PatternProgram, _ alphabet: PatternAlphabet) {
    width = alphabet.count
    let start = program.start
    first = start.isFound ? Self.found : 0
    if !start.isFound { _ = add(start.places, program) }
  }

  /// The state that follows, which may be one of those that are none.
  @inline(__always)
  func next(_ state: State, _ character: Int) -> State { steps[Int(state) &* width &+ character] }

  /// Goes from a place in a text of ASCII characters as far as somebody has been and it is not found.
  ///
  /// Most characters leave a search where it is. Those are looked at without waiting for the look before.
  @inline(__always)
  func follow(
    _ text: UnsafeRawBufferPointer,
    _ at: inout Int,
    _ state: inout State,
    _ classes: UnsafeBufferPointer<UInt16>
  ) {
    steps.withUnsafeBufferPointer { steps in
      while at < text.count {
        let row = Int(state) &* width
        var next = state
        while at < text.count {
          next = steps[row &+ Int(classes[Int(text[at] & 0x7F)])]
          guard next == state else { break }
          at &+= 1
        }
        guard next != state, next < Self.full else { return }
        state = next
        at &+= 1
      }
    }
  }

  func places(of state: State) -> [Int] { places[Int(state)] }

  func isFound(atEnd state: State) -> Bool { isFoundAtEnd[Int(state)] }

  /// Finds out where a character leads, for the first text that goes there.
  @inline(never)
  mutating func write(
    _ state: State,
    _ character: Int,
    _ program: PatternProgram,
    _ alphabet: PatternAlphabet
  ) -> State {
    let reached = program.step(places(of: state)) { alphabet.takes(character, at: $0) }
    let next = reached.isFound ? Self.found : known[reached.places] ?? add(reached.places, program)
    steps[Int(state) * width + character] = next
    return next
  }

  private mutating func add(_ reached: [Int], _ program: PatternProgram) -> State {
    guard places.count < Self.mostStates, steps.count + width <= Self.mostSteps,
      placeCount + reached.count <= Self.mostPlaces
    else { return Self.full }
    let state = State(places.count)
    known[reached] = state
    places.append(reached)
    placeCount += reached.count
    isFoundAtEnd.append(program.isFoundAtEnd(reached))
    steps.append(contentsOf: repeatElement(Self.unwritten, count: width))
    return state
  }
}

/// A type that is kept member by member. It has one list of them, by which it is written and read back.
protocol KeptByMembers: Kept {
  static var members: Members<Self> { get }

  /// Makes what follows from members that have been read, and checks them.
  /// - Throws: what does not hold of them, and does of all that is written.
  mutating func complete(_ state: StateReader) throws(StateError)
}

extension KeptByMembers {
  func write(to state: inout StateWriter) { Self.members.write(self, &state) }

  init(reading state: inout StateReader) throws(StateError) {
    self = try Self.members.read(&state)
    try complete(state)
  }

  func complete(_ state: StateReader) throws(StateError) {}
}

/// The members of a type in the order in which they are kept, and what makes a value of them.
///
/// A memberwise initializer takes every member: one that is not in the list does not compile.
struct Members<Whole>: Sendable {
  /// The number of members.
  let count: Int
  fileprivate let write: @Sendable (Whole, inout StateWriter) -> Void
  fileprivate let read: @Sendable (inout StateReader) throws(StateError) -> Whole

  init<each Member: Kept>(
    _ make: @escaping @Sendable (repeat each Member) -> Whole,
    _ member: repeat @escaping @Sendable (Whole) -> each Member
  ) {
    count = Self.count(repeat each member)
    write = { whole, state in repeat (each member)(whole).write(to: &state) }
    read = { (state) throws(StateError) in make(repeat try (each Member)(reading: &state)) }
  }

  /// - Parameter make: makes a value of members that have been read, where they go together, and what follows from them.
  init<each Member: Kept>(
    checked make: @escaping @Sendable (StateReader, repeat each Member) throws(StateError) -> Whole,
    _ member: repeat @escaping @Sendable (Whole) -> each Member
  ) {
    count = Self.count(repeat each member)
    write = { whole, state in repeat (each member)(whole).write(to: &state) }
    read = { (state) throws(StateError) in
      let members = (repeat try (each Member)(reading: &state))
      return try make(state, repeat each members)
    }
  }

  /// - Parameter make: makes a value of its first member, which then takes the others.
  init<First: Kept, each Member: Kept>(
    beginning make: @escaping @Sendable (First) -> Whole,
    _ first: @escaping @Sendable (Whole) -> First,
    then member: repeat Place<Whole, each Member>
  ) {
    count = 1 + Self.count(repeat each member)
    write = { whole, state in
      first(whole).write(to: &state)
      repeat (each member).get(whole).write(to: &state)
    }
    read = { (state) throws(StateError) in
      var whole = make(try First(reading: &state))
      repeat (each member).set(&whole, try (each Member)(reading: &state))
      return whole
    }
  }

  private static func count<each Member>(_ member: repeat each Member) -> Int {
    var count = 0
    for _ in repeat each member { count += 1 }
    return count
  }
}

/// A member that is read and set. It is no key path: where one leads to a member of an object, each access to that member,
/// anywhere, is checked for exclusivity at run time.
struct Place<Whole, Member>: Sendable {
  fileprivate let get: @Sendable (Whole) -> Member
  fileprivate let set: @Sendable (inout Whole, Member) -> Void

  init(_ get: @escaping @Sendable (Whole) -> Member, _ set: @escaping @Sendable (inout Whole, Member) -> Void)
  {
    (self.get, self.set) = (get, set)
  }
}

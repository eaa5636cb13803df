/// An enum whose cases have something with them. It is kept as the tag of its case, then what the case has with it.
///
/// The compiler asks for both ways: a new case has no tag to be written with, and a new tag nothing that it is read as.
protocol KeptByCases: Kept {
  /// The cases by the byte that stands for each. A number is never given to another case: new ones come last.
  associatedtype Tag: RawRepresentable<UInt8> & CaseIterable

  /// Reads what follows a tag.
  init(_ tag: Tag, reading state: inout StateReader) throws(StateError)
}

extension KeptByCases {
  init(reading state: inout StateReader) throws(StateError) {
    try self.init(try state.tag(of: Self.self), reading: &state)
  }
}

extension StateWriter {
  /// Writes a case: its tag, then what it has with it.
  mutating func write<each Part: Kept>(_ tag: some RawRepresentable<UInt8>, _ part: repeat each Part) {
    write(raw: tag.rawValue)
    repeat (each part).write(to: &self)
  }
}

extension StateReader {
  /// Takes the tag of a case of a type.
  mutating func tag<Tag: RawRepresentable<UInt8>, Whole>(
    _ tags: Tag.Type = Tag.self,
    of type: Whole.Type
  ) throws(StateError) -> Tag {
    let number = try raw(UInt8.self)
    guard let tag = Tag(rawValue: number) else {
      throw error("a value of \(type) was expected, and tag \(number) found")
    }
    return tag
  }

  /// Reads what a case has with it.
  mutating func read<Whole, each Part: Kept>(
    _ make: (repeat each Part) -> Whole
  ) throws(StateError) -> Whole {
    make(repeat try (each Part)(reading: &self))
  }
}

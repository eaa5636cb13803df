/// Decodes header blocks (RFC 7541). Every block must pass through here, whatever becomes of its stream: the table is
/// the connection's.
package struct HPACKDecoder: ~Copyable {
  private var table: DynamicTable
  private var credentials = CredentialMemory()
  private let huffman = HuffmanDecoder()
  private let known = StaticTable.entries
  /// The largest header list that is kept (``HeaderFacts/isTooLarge``).
  package var maximumListSize: Int

  /// - Parameter tableSize: SETTINGS_HEADER_TABLE_SIZE as it was announced, in bytes.
  package init(tableSize: Int = 4096, maximumListSize: Int = .max) {
    table = DynamicTable(ceiling: tableSize)
    self.maximumListSize = maximumListSize
  }

  /// The size of the dynamic table, in the terms of RFC 7541 section 4.1.
  package var tableSize: Int { table.size }

  /// Takes another SETTINGS_HEADER_TABLE_SIZE, once it has been acknowledged.
  package mutating func announce(tableSize: Int) {
    table.ceiling = tableSize
    if table.limit > tableSize { _ = table.resize(to: tableSize) }
  }

  /// Where a literal field comes from.
  private struct Origin {
    var name = HeaderName.other
    /// The name's text in the static table or the dynamic one.
    var text = UnsafeRawBufferPointer(start: nil, count: 0)
    var isNeverIndexed = false
    var isIndexed = false
  }

  /// Decodes a block as a further list, and gathers what it says.
  ///
  /// - Parameter finding: the owner's finding about a value, a number that its rows have. It is asked for a literal value,
  ///   and not again for one that the table or the memory of credentials has. That about a value of `authorization` is its
  ///   name, other than 0.
  /// - Returns: what the block is damaged by, which ends the connection: nothing after it can be decoded.
  package mutating func decode(
    _ block: UnsafeRawBufferPointer,
    into lists: inout HeaderLists,
    _ facts: inout HeaderFacts,
    finding: (HeaderName, UnsafeRawBufferPointer) -> UInt32
  ) -> ConnectionError? {
    lists.begin()
    var reader = CodedReader(block)
    var mayResize = true
    while !reader.isAtEnd {
      let first = block[reader.offset]
      var damage: StaticString?
      if first & 0xE0 == 0x20 {
        guard mayResize, let size = reader.integer(prefix: 5), table.resize(to: size) else {
          return Self.damaged("a table size update stands at the start and is at most what was announced")
        }
        continue
      }
      mayResize = false
      if first & 0x80 != 0 {
        guard let index = reader.integer(prefix: 7) else { return Self.damaged("an index ends in mid-air") }
        damage = addIndexed(index, to: &lists, &facts, finding)
      } else {
        damage = addLiteral(first, &reader, to: &lists, &facts, finding)
      }
      if let damage { return Self.damaged(damage) }
    }
    facts.finish()
    return nil
  }

  private static func damaged(_ reason: StaticString) -> ConnectionError {
    ConnectionError(.compressionError, "header block: \(reason)")
  }

  /// Adds a field that stands in a table (RFC 7541 section 6.1).
  @inline(__always)
  private mutating func addIndexed(
    _ index: Int,
    to lists: inout HeaderLists,
    _ facts: inout HeaderFacts,
    _ finding: (HeaderName, UnsafeRawBufferPointer) -> UInt32
  ) -> StaticString? {
    if index >= 1, index <= StaticTable.count {
      let entry = known[index &- 1]
      let value = entry.value
      let found = value.isEmpty ? 0 : finding(entry.number, value)
      append(entry.number, entry.text, nameCount: entry.nameCount, finding: found, to: &lists, &facts)
      facts.note(entry.number, entry.name, value, entry.flaw)
      return nil
    }
    guard let entry = table[index &- StaticTable.count &- 1] else { return "an index beyond the table" }
    if case .authorization = entry.name {
      if facts.credential == 0 { facts.credential = entry.finding }
      appendAuthorization(size: entry.valueCount, entry.finding, isNeverIndexed: false, to: &lists, &facts)
    } else {
      append(
        entry.name,
        table.text(of: entry),
        nameCount: entry.nameCount,
        finding: entry.finding,
        to: &lists,
        &facts
      )
    }
    facts.note(entry.name, table.name(of: entry), table.value(of: entry), entry.flaw)
    return nil
  }

  /// Adds a literal field (RFC 7541 section 6.2).
  @inline(__always)
  private mutating func addLiteral(
    _ first: UInt8,
    _ reader: inout CodedReader,
    to lists: inout HeaderLists,
    _ facts: inout HeaderFacts,
    _ finding: (HeaderName, UnsafeRawBufferPointer) -> UInt32
  ) -> StaticString? {
    var origin = Origin()
    origin.isIndexed = first & 0x40 != 0
    origin.isNeverIndexed = first & 0xF0 == 0x10
    var name: CodedString?
    if let damage = readName(of: &origin, or: &name, &reader) { return damage }
    guard let value = reader.string() else { return "a value ends in mid-air" }
    if case .authorization = origin.name, !origin.isIndexed,
      let credential = credentials.credential(of: value.whole)
    {
      if facts.credential == 0 { facts.credential = credential.name }
      appendAuthorization(
        size: credential.valueCount,
        credential.name,
        isNeverIndexed: origin.isNeverIndexed,
        to: &lists,
        &facts
      )
      facts.note(.authorization, origin.text, UnsafeRawBufferPointer(start: nil, count: 0), .none)
      return nil
    }
    return addDecoded(origin, name, value, to: &lists, &facts, finding)
  }

  /// Reads the name of a literal field: one of a table, or a string of its own.
  @inline(__always)
  private func readName(of origin: inout Origin, or name: inout CodedString?, _ reader: inout CodedReader)
    -> StaticString?
  {
    guard let index = reader.integer(prefix: origin.isIndexed ? 6 : 4) else {
      return "an index ends in mid-air"
    }
    if index == 0 {
      guard let string = reader.string() else { return "a name ends in mid-air" }
      name = string
    } else if index <= StaticTable.count {
      let entry = known[index &- 1]
      (origin.name, origin.text) = (entry.number, entry.name)
    } else {
      guard let entry = table[index &- StaticTable.count &- 1] else { return "an index beyond the table" }
      (origin.name, origin.text) = (entry.name, table.name(of: entry))
    }
    return nil
  }

  /// Decodes name and value of a literal field at the end of the list, which keeps them where there is room.
  @inline(__always)
  private mutating func addDecoded(
    _ origin: Origin,
    _ name: CodedString?,
    _ value: CodedString,
    to lists: inout HeaderLists,
    _ facts: inout HeaderFacts,
    _ finding: (HeaderName, UnsafeRawBufferPointer) -> UInt32
  ) -> StaticString? {
    let nameRoom = name.map { HuffmanDecoder.room(forCoded: $0.coded.count) } ?? origin.text.count
    let room = HeaderList.prefix &+ nameRoom &+ HuffmanDecoder.room(forCoded: value.coded.count)
    let place = lists.end(room: room)
    var origin = origin
    guard let nameCount = decodeName(of: &origin, or: name, into: place) else {
      return "a Huffman-coded name has the end of the string, or wrong padding"
    }
    let valueStart = HeaderList.prefix &+ nameCount
    guard let valueCount = decode(value, into: place, at: valueStart) else {
      return "a Huffman-coded value has the end of the string, or wrong padding"
    }
    HeaderList.write(nameCount: nameCount, valueCount: valueCount, to: place)
    let text = UnsafeRawBufferPointer(place).slice(0, valueStart &+ valueCount)
    let found = note(origin, text, nameCount: nameCount, value, &facts, finding)

    if case .authorization = origin.name {
      appendAuthorization(
        size: valueCount,
        found,
        isNeverIndexed: origin.isNeverIndexed,
        to: &lists,
        &facts
      )
      return nil
    }
    guard takeRoom(nameCount &+ valueCount, &facts) else { return nil }
    lists.add(
      origin.name,
      nameCount: nameCount,
      valueCount: valueCount,
      finding: found,
      isNeverIndexed: origin.isNeverIndexed
    )
    return nil
  }

  /// Decodes or copies a name to its place, and returns its length; nil where its Huffman code is damaged.
  @inline(__always)
  private func decodeName(
    of origin: inout Origin,
    or name: CodedString?,
    into place: UnsafeMutableRawBufferPointer
  ) -> Int? {
    if let name {
      guard let count = decode(name, into: place, at: HeaderList.prefix) else { return nil }
      origin.name = HeaderName(UnsafeRawBufferPointer(place).slice(HeaderList.prefix, count))
      return count
    }
    UnsafeMutableRawBufferPointer(rebasing: place[HeaderList.prefix...]).copyMemory(from: origin.text)
    return origin.text.count
  }

  /// Notes what a field says, remembers a value of `authorization`, and indexes the field where it is to be.
  /// - Parameter text: lengths, name and value, as the list has them.
  /// - Returns: the owner's finding.
  @inline(__always)
  private mutating func note(
    _ origin: Origin,
    _ text: UnsafeRawBufferPointer,
    nameCount: Int,
    _ coded: CodedString,
    _ facts: inout HeaderFacts,
    _ finding: (HeaderName, UnsafeRawBufferPointer) -> UInt32
  ) -> UInt32 {
    let name = text.slice(HeaderList.prefix, nameCount)
    let valueStart = HeaderList.prefix &+ nameCount
    let value = text.slice(valueStart, text.count &- valueStart)
    let flaw = FieldFlaw(origin.name, name, value)
    facts.note(origin.name, name, value, flaw)
    let found = finding(origin.name, value)
    if case .authorization = origin.name {
      if facts.credential == 0 { facts.credential = found }
      // One whose field is malformed must be looked at each time.
      if case .none = flaw { credentials.remember(coded.whole, as: found, valueCount: value.count) }
    }
    guard origin.isIndexed else { return found }
    var entry = DynamicTable.Entry()
    (entry.name, entry.flaw, entry.finding) = (origin.name, flaw, found)
    (entry.nameCount, entry.valueCount) = (nameCount, value.count)
    table.insert(text, entry)
    return found
  }

  /// Decodes a string to `offset` in `place`; nil where its Huffman code is damaged.
  @inline(__always)
  private func decode(_ string: CodedString, into place: UnsafeMutableRawBufferPointer, at offset: Int)
    -> Int?
  {
    let target = UnsafeMutableRawBufferPointer(rebasing: place[offset...])
    if string.isHuffman { return huffman.decode(string.coded, into: target) }
    target.copyMemory(from: string.coded)
    return string.coded.count
  }

  /// Adds a field of a table.
  /// - Parameter text: lengths, name and value.
  @inline(__always)
  private func append(
    _ name: HeaderName,
    _ text: UnsafeRawBufferPointer,
    nameCount: Int,
    finding: UInt32,
    to lists: inout HeaderLists,
    _ facts: inout HeaderFacts
  ) {
    let count = text.count &- HeaderList.prefix
    guard takeRoom(count, &facts) else { return }
    lists.end(room: text.count).copyMemory(from: text)
    lists.add(name, nameCount: nameCount, valueCount: count &- nameCount, finding: finding)
  }

  /// Adds the field without its value.
  @inline(__always)
  private func appendAuthorization(
    size: Int,
    _ finding: UInt32,
    isNeverIndexed: Bool,
    to lists: inout HeaderLists,
    _ facts: inout HeaderFacts
  ) {
    let name = HeaderName.authorization.bytes
    guard takeRoom(name.count &+ size, &facts) else { return }
    let place = lists.end(room: HeaderList.prefix &+ name.count)
    HeaderList.write(nameCount: name.count, valueCount: 0, to: place)
    UnsafeMutableRawBufferPointer(rebasing: place[HeaderList.prefix...]).copyMemory(from: name)
    lists.add(
      .authorization,
      nameCount: name.count,
      valueCount: 0,
      finding: finding,
      isNeverIndexed: isNeverIndexed
    )
  }

  /// Counts a field of so many bytes towards the list's size; false where it has no room.
  @inline(__always)
  private func takeRoom(_ count: Int, _ facts: inout HeaderFacts) -> Bool {
    facts.listSize &+= count &+ 32
    guard facts.listSize <= maximumListSize else {
      facts.isTooLarge = true
      return false
    }
    return true
  }
}

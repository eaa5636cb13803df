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

  /// The origin of a field.
  private struct Origin {
    var name = HeaderName.other
    /// The name's text, where it is other: the static table's or the dynamic one's.
    var text = UnsafeRawBufferPointer(start: nil, count: 0)
    var isNeverIndexed = false
    var isIndexed = false
  }

  /// Decodes a block after what `list` has, and gathers what it says.
  ///
  /// - Parameter naming: gives a value of `authorization` that is not one of the last four a number other than 0.
  /// - Returns: what the block is damaged by, which ends the connection: nothing after it can be decoded.
  package mutating func decode(
    _ block: UnsafeRawBufferPointer,
    into list: inout GrowingBytes,
    _ facts: inout HeaderFacts,
    naming: (UnsafeRawBufferPointer) -> UInt32
  ) -> ConnectionError? {
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
        damage = addIndexed(index, to: &list, &facts, naming)
      } else {
        damage = addLiteral(first, &reader, to: &list, &facts, naming)
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
    to list: inout GrowingBytes,
    _ facts: inout HeaderFacts,
    _ naming: (UnsafeRawBufferPointer) -> UInt32
  ) -> StaticString? {
    if index >= 1, index <= StaticTable.count {
      let entry = known + (index - 1)
      let name = entry.pointee.nameBytes
      let value = entry.pointee.valueBytes
      let number = entry.pointee.number
      append(number, name, value, isNeverIndexed: false, to: &list, &facts)
      facts.note(number, name, value, FieldFlaw(number, name, value))
      return nil
    }
    guard let entry = table[index &- StaticTable.count &- 1] else { return "an index beyond the table" }
    let name = table.name(of: entry)
    let value = table.value(of: entry)
    if entry.name == .authorization {
      var credential = entry.credential
      if credential == 0 {
        credential = naming(value)
        table.name(credential: credential, at: index &- StaticTable.count &- 1)
      }
      if facts.credential == 0 { facts.credential = credential }
      appendAuthorization(size: value.count, isNeverIndexed: false, to: &list, &facts)
    } else {
      append(entry.name, name, value, isNeverIndexed: false, to: &list, &facts)
    }
    facts.note(entry.name, name, value, entry.flaw)
    return nil
  }

  /// Adds a literal field (RFC 7541 section 6.2).
  @inline(__always)
  private mutating func addLiteral(
    _ first: UInt8,
    _ reader: inout CodedReader,
    to list: inout GrowingBytes,
    _ facts: inout HeaderFacts,
    _ naming: (UnsafeRawBufferPointer) -> UInt32
  ) -> StaticString? {
    var origin = Origin()
    origin.isIndexed = first & 0x40 != 0
    origin.isNeverIndexed = first & 0xF0 == 0x10
    var name: CodedString?
    if let damage = readName(of: &origin, or: &name, &reader) { return damage }
    guard let value = reader.string() else { return "a value ends in mid-air" }
    if origin.name == .authorization, !origin.isIndexed,
      let credential = credentials.credential(of: value.whole)
    {
      if facts.credential == 0 { facts.credential = credential.name }
      appendAuthorization(
        size: credential.valueCount,
        isNeverIndexed: origin.isNeverIndexed,
        to: &list,
        &facts
      )
      facts.note(.authorization, origin.text, UnsafeRawBufferPointer(start: nil, count: 0), .none)
      return nil
    }
    return addDecoded(origin, name, value, to: &list, &facts, naming)
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
      let entry = known + (index - 1)
      origin.name = entry.pointee.number
      if origin.name == .other { origin.text = entry.pointee.nameBytes }
    } else {
      guard let entry = table[index &- StaticTable.count &- 1] else { return "an index beyond the table" }
      origin.name = entry.name
      if origin.name == .other { origin.text = table.name(of: entry) }
    }
    return nil
  }

  /// Decodes name and value of a literal field at the end of the list, which keeps them where there is room.
  @inline(__always)
  private mutating func addDecoded(
    _ origin: Origin,
    _ name: CodedString?,
    _ value: CodedString,
    to list: inout GrowingBytes,
    _ facts: inout HeaderFacts,
    _ naming: (UnsafeRawBufferPointer) -> UInt32
  ) -> StaticString? {
    let nameRoom = name.map { HuffmanDecoder.room(forCoded: $0.coded.count) } ?? origin.text.count
    let room = HeaderList.prefix &+ nameRoom &+ HuffmanDecoder.room(forCoded: value.coded.count)
    let place = list.end(room: room)
    var origin = origin
    guard let nameCount = decodeName(of: &origin, or: name, into: place) else {
      return "a Huffman-coded name has the end of the string, or wrong padding"
    }
    let valueStart = HeaderList.prefix &+ nameCount
    guard let valueCount = decode(value, into: place, at: valueStart) else {
      return "a Huffman-coded value has the end of the string, or wrong padding"
    }
    let written = UnsafeRawBufferPointer(place)
    let valueBytes = written.slice(valueStart, valueCount)
    let nameText = origin.name.text
    let nameBytes =
      origin.name == .other
      ? written.slice(HeaderList.prefix, nameCount)
      : UnsafeRawBufferPointer(start: nameText.utf8Start, count: nameText.utf8CodeUnitCount)
    note(origin, nameBytes, value, valueBytes, &facts, naming)

    if origin.name == .authorization {
      appendAuthorization(size: valueCount, isNeverIndexed: origin.isNeverIndexed, to: &list, &facts)
      return nil
    }
    facts.listSize &+= nameBytes.count &+ valueCount &+ 32
    guard facts.listSize <= maximumListSize else {
      facts.isTooLarge = true
      return nil
    }
    HeaderList.write(
      origin.name,
      isNeverIndexed: origin.isNeverIndexed,
      nameCount: nameCount,
      valueCount: valueCount,
      to: place
    )
    list.advance(by: valueStart &+ valueCount)
    return nil
  }

  /// Decodes a name to its place, where the list has to have its text, and returns how long it is there; nil where its
  /// Huffman code is damaged.
  @inline(__always)
  private func decodeName(
    of origin: inout Origin,
    or name: CodedString?,
    into place: UnsafeMutableRawBufferPointer
  ) -> Int? {
    if let name {
      guard let count = decode(name, into: place, at: HeaderList.prefix) else { return nil }
      origin.name = HeaderName(UnsafeRawBufferPointer(place).slice(HeaderList.prefix, count))
      return origin.name == .other ? count : 0
    }
    guard origin.name == .other else { return 0 }
    UnsafeMutableRawBufferPointer(rebasing: place[HeaderList.prefix...]).copyMemory(from: origin.text)
    return origin.text.count
  }

  /// Notes what a field says, remembers a value of `authorization`, and indexes the field where it is to be.
  @inline(__always)
  private mutating func note(
    _ origin: Origin,
    _ name: UnsafeRawBufferPointer,
    _ coded: CodedString,
    _ value: UnsafeRawBufferPointer,
    _ facts: inout HeaderFacts,
    _ naming: (UnsafeRawBufferPointer) -> UInt32
  ) {
    let flaw = FieldFlaw(origin.name, name, value)
    facts.note(origin.name, name, value, flaw)
    var entry = DynamicTable.Entry()
    if origin.name == .authorization {
      entry.credential = naming(value)
      if facts.credential == 0 { facts.credential = entry.credential }
      // One whose field is malformed must be looked at each time.
      if flaw == .none {
        credentials.remember(coded.whole, as: entry.credential, valueCount: value.count)
      }
    }
    guard origin.isIndexed else { return }
    (entry.name, entry.flaw) = (origin.name, flaw)
    table.insert(name, value, entry)
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

  @inline(__always)
  private func append(
    _ number: HeaderName,
    _ name: UnsafeRawBufferPointer,
    _ value: UnsafeRawBufferPointer,
    isNeverIndexed: Bool,
    to list: inout GrowingBytes,
    _ facts: inout HeaderFacts
  ) {
    facts.listSize &+= name.count &+ value.count &+ 32
    guard facts.listSize <= maximumListSize else {
      facts.isTooLarge = true
      return
    }
    let nameCount = number == .other ? name.count : 0
    let place = list.end(room: HeaderList.prefix &+ nameCount &+ value.count)
    HeaderList.write(
      number,
      isNeverIndexed: isNeverIndexed,
      nameCount: nameCount,
      valueCount: value.count,
      to: place
    )
    if nameCount > 0 {
      UnsafeMutableRawBufferPointer(rebasing: place[HeaderList.prefix...]).copyMemory(from: name)
    }
    UnsafeMutableRawBufferPointer(rebasing: place[(HeaderList.prefix &+ nameCount)...]).copyMemory(
      from: value
    )
    list.advance(by: HeaderList.prefix &+ nameCount &+ value.count)
  }

  /// Adds the field without its value.
  @inline(__always)
  private func appendAuthorization(
    size: Int,
    isNeverIndexed: Bool,
    to list: inout GrowingBytes,
    _ facts: inout HeaderFacts
  ) {
    facts.listSize &+= size &+ 45
    guard facts.listSize <= maximumListSize else {
      facts.isTooLarge = true
      return
    }
    let place = list.end(room: HeaderList.prefix)
    HeaderList.write(.authorization, isNeverIndexed: isNeverIndexed, nameCount: 0, valueCount: 0, to: place)
    list.advance(by: HeaderList.prefix)
  }
}

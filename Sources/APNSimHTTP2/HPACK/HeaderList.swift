/// A field of a header list, in sixteen bytes: what its name is, where its value stands, and what that says.
package struct HeaderRow: BitwiseCopyable, Sendable {
  /// Where the value starts in the list's text, and its length.
  package var start: UInt32
  package var count: UInt32
  /// The owner's finding about the value (``HPACKDecoder/decode(_:into:_:finding:)``).
  package var finding: UInt32
  package var nameCount: UInt16
  package var name: HeaderName
  /// The sender forbade to index it (RFC 7541 section 6.2.3).
  package var isNeverIndexed: Bool
}

/// A decoded header list, in the order in which it was sent: a row for each field, and all of their text in one piece.
///
/// ```text
/// text of a field   name length u16 | value length u16 | name | value        (big endian)
/// ```
///
/// The value of `authorization` never stands here; its field does, with an empty value, so that repetitions are seen. The
/// bytes are those of the connection and valid until its next read. The text may be kept as it is.
package struct HeaderList: Sequence {
  /// The two lengths before name and value.
  static let prefix = 4

  package let rows: UnsafeBufferPointer<HeaderRow>
  package let text: UnsafeRawBufferPointer

  @inline(__always)
  package func makeIterator() -> Iterator { Iterator(list: self) }

  /// A field of the list.
  package struct Field {
    package var name: HeaderName
    /// The sender forbade to index it (RFC 7541 section 6.2.3).
    package var isNeverIndexed: Bool
    package var nameBytes: UnsafeRawBufferPointer
    package var value: UnsafeRawBufferPointer

    /// The name as text.
    package var nameText: String { String(decoding: nameBytes, as: UTF8.self) }
    package var valueText: String { String(decoding: value, as: UTF8.self) }
  }

  /// The name of the first field that makes a request malformed, as it was sent; empty where it is the list as a whole.
  func flawedName(_ takesWhiteSpace: Bool) -> [UInt8] {
    var facts = HeaderFacts(.request)
    facts.takesWhiteSpace = takesWhiteSpace
    for field in self {
      let flaw = FieldFlaw(field.name, field.nameBytes, field.value)
      facts.note(field.name, field.nameBytes, field.value, flaw)
      if facts.flaw != nil { return Array(field.nameBytes) }
    }
    facts.finish()
    // The one value that is not here.
    return facts.flaw == nil ? Array("authorization".utf8) : []
  }

  package struct Iterator: IteratorProtocol {
    let list: HeaderList
    var place = 0

    package mutating func next() -> Field? {
      guard place < list.rows.count else { return nil }
      let row = list.rows[place]
      place &+= 1
      return Field(
        name: row.name,
        isNeverIndexed: row.isNeverIndexed,
        nameBytes: list.text.slice(Int(row.start) &- Int(row.nameCount), Int(row.nameCount)),
        value: list.text.slice(Int(row.start), Int(row.count))
      )
    }
  }

  /// Writes the lengths before name and value. Of longer ones than there is room for, which no list of a request has,
  /// the rows know the length.
  @inline(__always)
  static func write(nameCount: Int, valueCount: Int, to place: UnsafeMutableRawBufferPointer) {
    let (name, value) = (UInt16(clamping: nameCount), UInt16(clamping: valueCount))
    let lengths = UInt32(name) << 16 | UInt32(value)
    place.storeBytes(of: lengths.bigEndian, as: UInt32.self)
  }
}

/// Header lists in memory that is used again, one after the other.
package struct HeaderLists: ~Copyable {
  private var rows = GrowingBytes()
  private(set) var text = GrowingBytes()
  /// Where the last list begins.
  private var last = HeaderPlace()

  package init() {}

  /// The list that was decoded last.
  package var latest: HeaderList { self[latestPlace] }

  var latestPlace: HeaderPlace {
    @inline(__always) get {
      var place = last
      place.rows = rowCount &- place.row
      place.bytes = UInt32(truncatingIfNeeded: text.count) &- place.text
      return place
    }
  }

  private var rowCount: UInt32 {
    @inline(__always) get { UInt32(truncatingIfNeeded: rows.count / MemoryLayout<HeaderRow>.stride) }
  }

  subscript(place: HeaderPlace) -> HeaderList {
    let stride = MemoryLayout<HeaderRow>.stride
    let bytes = rows.bytes.slice(Int(place.row) &* stride, Int(place.rows) &* stride)
    return HeaderList(
      rows: bytes.assumingMemoryBound(to: HeaderRow.self),
      text: text.bytes.slice(Int(place.text), Int(place.bytes))
    )
  }

  /// The memory of all of them.
  var byteCount: Int { rows.count &+ text.count }

  /// The memory that a list takes.
  func byteCount(of place: HeaderPlace) -> Int {
    Int(place.rows) &* MemoryLayout<HeaderRow>.stride &+ Int(place.bytes)
  }

  /// Begins a list.
  @inline(__always)
  mutating func begin() {
    last = HeaderPlace(row: rowCount, text: UInt32(truncatingIfNeeded: text.count))
  }

  /// The place after the last field's text, with room for `room` bytes.
  @inline(__always)
  mutating func end(room: Int) -> UnsafeMutableRawBufferPointer { text.end(room: room) }

  /// Adds the field whose text was written to ``end(room:)``.
  @inline(__always)
  mutating func add(
    _ name: HeaderName,
    nameCount: Int,
    valueCount: Int,
    finding: UInt32,
    isNeverIndexed: Bool = false
  ) {
    let start = text.count &- Int(last.text) &+ HeaderList.prefix &+ nameCount
    text.advance(by: HeaderList.prefix &+ nameCount &+ valueCount)
    let row = HeaderRow(
      start: UInt32(truncatingIfNeeded: start),
      count: UInt32(truncatingIfNeeded: valueCount),
      finding: finding,
      nameCount: UInt16(clamping: nameCount),
      name: name,
      isNeverIndexed: isNeverIndexed
    )
    rows.end(room: MemoryLayout<HeaderRow>.stride).storeBytes(of: row, as: HeaderRow.self)
    rows.advance(by: MemoryLayout<HeaderRow>.stride)
  }

  /// Forgets a list and those after it.
  mutating func removeAll(from place: HeaderPlace) {
    rows.truncate(to: Int(place.row) &* MemoryLayout<HeaderRow>.stride)
    text.truncate(to: Int(place.text))
  }

  mutating func removeAll() { removeAll(from: HeaderPlace()) }

  mutating func shrink(to capacity: Int) {
    rows.shrink(to: capacity)
    text.shrink(to: capacity)
  }

  /// Moves a list to an earlier place, after what is kept of those before it.
  mutating func move(_ place: HeaderPlace, to target: HeaderPlace) {
    let stride = MemoryLayout<HeaderRow>.stride
    rows.move(Int(place.rows) &* stride, from: Int(place.row) &* stride, to: Int(target.row) &* stride)
    text.move(Int(place.bytes), from: Int(place.text), to: Int(target.text))
  }
}

/// The static table of RFC 7541 appendix A: indexes 1 to 61.
enum StaticTable {
  struct Entry: BitwiseCopyable {
    /// Lengths, name and value, as a header list has them (``HeaderList``). They last.
    var text: UnsafeRawBufferPointer
    var nameCount: Int
    var number: HeaderName
    var flaw: FieldFlaw

    @inline(__always)
    var name: UnsafeRawBufferPointer { text.part(HeaderList.prefix, nameCount) }

    @inline(__always)
    var value: UnsafeRawBufferPointer {
      let start = HeaderList.prefix &+ nameCount
      return text.part(start, text.count &- start)
    }

    fileprivate init(_ name: StaticString, _ value: StaticString) {
      nameCount = name.utf8CodeUnitCount
      let text = UnsafeMutableRawBufferPointer.allocate(
        byteCount: HeaderList.prefix + nameCount + value.utf8CodeUnitCount,
        alignment: 4
      )
      HeaderList.write(nameCount: nameCount, valueCount: value.utf8CodeUnitCount, to: text)
      for (part, place) in [(name, HeaderList.prefix), (value, HeaderList.prefix + nameCount)] {
        let bytes = UnsafeRawBufferPointer(start: part.utf8Start, count: part.utf8CodeUnitCount)
        UnsafeMutableRawBufferPointer(rebasing: text[place...]).copyMemory(from: bytes)
      }
      self.text = UnsafeRawBufferPointer(text)
      let (start, end) = (HeaderList.prefix, HeaderList.prefix + nameCount)
      number = HeaderName(self.text.slice(start, nameCount))
      flaw = FieldFlaw(number, self.text.slice(start, nameCount), self.text.slice(end, text.count - end))
    }
  }

  static let count = 61

  /// The entries; index 1 stands first. Made once and kept for good.
  nonisolated(unsafe) static let entries: UnsafePointer<Entry> = {
    let entries = UnsafeMutablePointer<Entry>.allocate(capacity: count)
    for (index, row) in rows.enumerated() { (entries + index).initialize(to: Entry(row.0, row.1)) }
    return UnsafePointer(entries)
  }()

  private static let rows: [(StaticString, StaticString)] = [
    (":authority", ""),
    (":method", "GET"),
    (":method", "POST"),
    (":path", "/"),
    (":path", "/index.html"),
    (":scheme", "http"),
    (":scheme", "https"),
    (":status", "200"),
    (":status", "204"),
    (":status", "206"),
    (":status", "304"),
    (":status", "400"),
    (":status", "404"),
    (":status", "500"),
    ("accept-charset", ""),
    ("accept-encoding", "gzip, deflate"),
    ("accept-language", ""),
    ("accept-ranges", ""),
    ("accept", ""),
    ("access-control-allow-origin", ""),
    ("age", ""),
    ("allow", ""),
    ("authorization", ""),
    ("cache-control", ""),
    ("content-disposition", ""),
    ("content-encoding", ""),
    ("content-language", ""),
    ("content-length", ""),
    ("content-location", ""),
    ("content-range", ""),
    ("content-type", ""),
    ("cookie", ""),
    ("date", ""),
    ("etag", ""),
    ("expect", ""),
    ("expires", ""),
    ("from", ""),
    ("host", ""),
    ("if-match", ""),
    ("if-modified-since", ""),
    ("if-none-match", ""),
    ("if-range", ""),
    ("if-unmodified-since", ""),
    ("last-modified", ""),
    ("link", ""),
    ("location", ""),
    ("max-forwards", ""),
    ("proxy-authenticate", ""),
    ("proxy-authorization", ""),
    ("range", ""),
    ("referer", ""),
    ("refresh", ""),
    ("retry-after", ""),
    ("server", ""),
    ("set-cookie", ""),
    ("strict-transport-security", ""),
    ("transfer-encoding", ""),
    ("user-agent", ""),
    ("vary", ""),
    ("via", ""),
    ("www-authenticate", ""),
  ]
}

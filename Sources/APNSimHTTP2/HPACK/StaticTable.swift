/// The static table of RFC 7541 appendix A: indexes 1 to 61.
enum StaticTable {
  struct Entry: Sendable {
    var name: StaticString
    var value: StaticString
    var number: HeaderName

    var nameBytes: UnsafeRawBufferPointer {
      UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
    }

    var valueBytes: UnsafeRawBufferPointer {
      UnsafeRawBufferPointer(start: value.utf8Start, count: value.utf8CodeUnitCount)
    }
  }

  static let count = 61

  /// The entries; index 1 stands first. Made once and kept for good.
  nonisolated(unsafe) static let entries: UnsafePointer<Entry> = {
    let entries = UnsafeMutablePointer<Entry>.allocate(capacity: count)
    for (index, row) in rows.enumerated() {
      let name = UnsafeRawBufferPointer(start: row.0.utf8Start, count: row.0.utf8CodeUnitCount)
      let entry = Entry(name: row.0, value: row.1, number: HeaderName(name))
      (entries + index).initialize(to: entry)
    }
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

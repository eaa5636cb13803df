import APNSimHTTP2

/// A decoded header list of a captured stream.
struct ReadHeaders {
  var fields: [(name: [UInt8], value: [UInt8])] = []
  /// The value of the first `authorization`.
  var authorization: [UInt8]?

  /// The first value of a field, as text.
  func value(_ name: String) -> String? {
    fields.first { $0.name.elementsEqual(name.utf8) }.map { String(decoding: $0.value, as: UTF8.self) }
  }
}

/// Decodes the header blocks of one direction, whose table they share.
///
/// The decoder tells each value of `authorization` once and refers to it by a number then, so that the last ones are kept
/// for as long as the connection is read.
final class HeaderReading {
  private var decoder = HPACKDecoder()
  private let message: HeaderFacts.Message
  private var credentials: [UInt32: [UInt8]] = [:]
  private var last: UInt32 = 0

  /// More values of `authorization` than a table can refer to.
  private static let most = 1024

  init(_ message: HeaderFacts.Message) { self.message = message }

  /// The receiver announces the size of its table.
  func announce(tableSize: Int) { decoder.announce(tableSize: tableSize) }

  /// - Returns: nil where the block is damaged, after which nothing can be decoded.
  func decode(_ block: [UInt8]) -> ReadHeaders? {
    var lists = HeaderLists()
    var facts = HeaderFacts(message)
    let damage = block.withUnsafeBytes { block in
      decoder.decode(block, into: &lists, &facts) { name, value in
        guard case .authorization = name else { return 0 }
        last &+= 1
        credentials[last] = Array(value)
        if credentials.count > Self.most { credentials[last &- UInt32(Self.most)] = nil }
        return last
      }
    }
    guard damage == nil else { return nil }
    var headers = ReadHeaders()
    for field in lists.latest {
      headers.fields.append((name: Array(field.nameText.utf8), value: Array(field.value)))
    }
    if facts.credential > 0 { headers.authorization = credentials[facts.credential] }
    return headers
  }
}

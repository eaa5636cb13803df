/// A payload in UTF-16 or UTF-32, transcoded to UTF-8 for the scanner, with a mapping back to the original offsets.
///
/// This is the slow path: hardly any provider ever sent such a payload, but RFC 4627 allows it, and so does the
/// gateway.
struct PayloadText {
  let encoding: PayloadEncoding
  /// The text in UTF-8, up to the first problem.
  private(set) var utf8: [UInt8] = []
  /// The reason why the bytes are not text of their encoding, with its offset in the original; `.none` when they are.
  private(set) var problem: PayloadProblem = .none
  private(set) var problemOffset = 0

  private let original: UnsafeRawBufferPointer

  /// `buffer` must outlive the value.
  init(_ buffer: UnsafeRawBufferPointer, encoding: PayloadEncoding) {
    self.encoding = encoding
    original = buffer
    utf8.reserveCapacity(buffer.count)
    var offset = 0
    while offset < buffer.count {
      switch scalar(at: offset) {
      case .success(let scalar, let width):
        utf8.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        offset += width
      case .failure(let problem):
        self.problem = problem
        problemOffset = offset
        return
      }
    }
  }

  /// The offset in the original bytes of the character that is at `offset` in ``utf8``.
  func originalOffset(of offset: Int) -> Int {
    var position = 0
    var translated = 0
    while translated < offset, case .success(let scalar, let width) = scalar(at: position) {
      translated += UTF8.width(scalar)
      position += width
    }
    return position
  }

  private enum Decoded {
    case success(Unicode.Scalar, width: Int)
    case failure(PayloadProblem)
  }

  private func scalar(at offset: Int) -> Decoded {
    guard original.count - offset >= encoding.width else { return .failure(.truncatedCodeUnit) }
    let unit = unit(at: offset)
    guard encoding.width == 2 else {
      guard let scalar = Unicode.Scalar(unit) else { return .failure(.invalidCodePoint) }
      return .success(scalar, width: 4)
    }
    if let scalar = Unicode.Scalar(unit) { return .success(scalar, width: 2) }
    // A surrogate pair: the high one first, the low one right after it.
    guard unit < 0xDC00, original.count - offset >= 4 else { return .failure(.unpairedSurrogate) }
    let low = self.unit(at: offset + 2)
    guard low >= 0xDC00, low <= 0xDFFF,
      let scalar = Unicode.Scalar(0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00))
    else {
      return .failure(.unpairedSurrogate)
    }
    return .success(scalar, width: 4)
  }

  private func unit(at offset: Int) -> UInt32 {
    switch encoding {
    case .utf8: UInt32(original[offset])
    case .utf16BigEndian: UInt32(original.bigEndian(UInt16.self, at: offset))
    case .utf16LittleEndian: UInt32(original.bigEndian(UInt16.self, at: offset).byteSwapped)
    case .utf32BigEndian: original.bigEndian(UInt32.self, at: offset)
    case .utf32LittleEndian: original.bigEndian(UInt32.self, at: offset).byteSwapped
    }
  }
}

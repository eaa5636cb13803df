extension AnnotatedHex {
  /// One field of a frame with all of its bytes, for whoever shows bytes and fields side by side.
  package struct Field: Hashable, Sendable {
    package var name: String
    /// Its place in the buffer.
    package var range: Range<Int>
    /// The meaning of its bytes; empty where they speak for themselves.
    package var text: String
    /// The mistake in it; nil where there is none.
    package var error: String?

    package init(name: String, range: Range<Int>, text: String, error: String? = nil) {
      (self.name, self.range, self.text, self.error) = (name, range, text, error)
    }
  }

  /// The fields of lines: rows of a long one are put together.
  package static func fields(of lines: [Line]) -> [Field] {
    var fields: [Field] = []
    for line in lines {
      let end = line.offset + line.bytes.count
      if line.field.isEmpty, let last = fields.indices.last, fields[last].range.upperBound == line.offset {
        fields[last].range = fields[last].range.lowerBound..<end
        fields[last].error = fields[last].error ?? line.error
      } else {
        // The characters beside a payload are those of one row.
        let text = line.field == Self.payloadName ? "" : line.plainMeaning
        fields.append(Field(name: line.field, range: line.offset..<end, text: text, error: line.error))
      }
    }
    return fields
  }

  /// The name of the field that is the payload.
  static let payloadName = "payload"
}

extension AnnotatedHex.Line {
  /// The meaning without the error that stands after it.
  fileprivate var plainMeaning: String {
    guard let error, meaning.hasSuffix(Self.mark + error) else { return meaning }
    return String(meaning.dropLast(Self.mark.count + error.count)).trimmingTrailingSpaces
  }

  /// The mark before an error.
  static let mark = "<- "
}

extension AnnotatedHex.Field: JSONObject {
  package static let shape = JSONShape<Self> {
    $0.member("name") { $0.name }
    $0.member("from", "The offset of its first byte in `raw`; of a request in the payload.", .least(0)) {
      $0.range.lowerBound
    }
    $0.member("to", "The offset after its last byte.", .least(0)) { $0.range.upperBound }
    $0.member("text", "What it means; empty where the bytes speak for themselves.") { $0.text }
    $0.optional("error", "What is wrong with it.") { $0.error }
  }
}

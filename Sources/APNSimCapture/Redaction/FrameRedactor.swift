import APNSimWire

/// Replaces the secrets in a frame's bytes, whole, broken or incomplete, so that it is judged as before.
///
/// Command byte, identifier, expiry, priority and all lengths stay. Tokens become pseudonyms, payloads are filled (and
/// blotted out after a syntax error), items that are neither and bytes that belong to no field become zeros.
struct FrameRedactor {
  let pseudonyms: TokenPseudonyms
  let strings: StringFilling

  /// - Parameter bytes: a frame from its first byte on, as much of it as there is, and nothing after it.
  func redact(_ bytes: [UInt8]) -> [UInt8] {
    switch bytes.first {
    case 0: unframed(bytes, header: 1)
    case 1: unframed(bytes, header: 9)
    case 2: framed(bytes)
    default: bytes.prefix(1) + [UInt8](repeating: 0, count: max(0, bytes.count - 1))
    }
  }

  private func unframed(_ bytes: [UInt8], header: Int) -> [UInt8] {
    var output = Array(bytes.prefix(header))
    for isToken in [true, false] {
      guard bytes.count >= output.count + 2 else { break }
      let length = Int(bytes[output.count]) << 8 | Int(bytes[output.count + 1])
      output += bytes[output.count..<output.count + 2]
      let field = Array(bytes[output.count...].prefix(length))
      output += isToken ? pseudonyms.of(field, length: length) : PayloadFiller.redact(field, with: strings)
    }
    // One byte of a length is not enough.
    let rest = bytes.count - output.count
    return output + (rest == 1 ? Array(bytes.suffix(1)) : [UInt8](repeating: 0, count: rest))
  }

  private func framed(_ bytes: [UInt8]) -> [UInt8] {
    var output = Array(bytes.prefix(5))
    let end = bytes.count >= 5 ? bytes[1..<5].reduce(0) { $0 << 8 | Int($1) } + 5 : bytes.count
    while bytes.count >= output.count + 3, output.count + 3 <= end {
      let id = bytes[output.count]
      let length = Int(bytes[output.count + 1]) << 8 | Int(bytes[output.count + 2])
      output += bytes[output.count..<output.count + 3]
      let field = Array(bytes[output.count...].prefix(length))
      switch id {
      case 1: output += pseudonyms.of(field, length: length)
      case 2: output += PayloadFiller.redact(field, with: strings)
      case 3...5 where field.count <= 4: output += field
      default: output += [UInt8](repeating: 0, count: field.count)
      }
    }
    let rest = bytes.count - output.count
    return output + (rest <= 2 ? Array(bytes.suffix(max(0, rest))) : [UInt8](repeating: 0, count: rest))
  }
}

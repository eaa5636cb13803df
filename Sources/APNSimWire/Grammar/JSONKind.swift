/// The types of JSON values, each a bit, so that a set of types is one byte.
enum JSONKind: UInt8 {
  case string = 1
  case number = 2
  case boolean = 4
  case null = 8
  case object = 16
  case array = 32

  /// The type of the value that begins with `byte`; nil if no value does.
  @inline(__always)
  init?(startingWith byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""): self = .string
    case UInt8(ascii: "{"): self = .object
    case UInt8(ascii: "["): self = .array
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): self = .number
    case UInt8(ascii: "t"), UInt8(ascii: "f"): self = .boolean
    case UInt8(ascii: "n"): self = .null
    default: return nil
    }
  }
}

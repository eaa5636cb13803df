/// The first bytes of a segment of the log and of a snapshot, numbers as the processor has them.
///
/// ```
/// 0    magic, 8 bytes
/// 8    version of the format, 4 bytes
/// 12   01020304, by which the order of bytes is told, 4 bytes
/// 16   ten numbers of 8 bytes
/// 96   CRC-32C of the bytes before it, 4 bytes
/// 100  zero, but for what the file says of itself later on
/// 128  what the file is for
/// ```
struct FileHead: Hashable {
  static let byteCount = 128
  static let fieldCount = 10
  private static let checksumPlace = 96
  private static let order: UInt32 = 0x0102_0304

  /// The kinds of file that begin with a head.
  enum Kind: UInt64 {
    // "apnsimLG" and "apnsimSN" in memory.
    case log = 0x474C_6D69_736E_7061
    case snapshot = 0x4E53_6D69_736E_7061

    var name: String { self == .log ? "a segment of a log" : "a snapshot" }
  }

  /// The version that is written, and the last one that is understood.
  static let version: UInt32 = 1

  var kind: Kind
  var fields: [UInt64]

  init(_ kind: Kind, _ fields: [UInt64]) { (self.kind, self.fields) = (kind, fields) }

  /// The bytes of a head.
  var bytes: [UInt8] {
    var head = [UInt8](repeating: 0, count: Self.byteCount)
    head.withUnsafeMutableBytes { room in
      room.storeBytes(of: kind.rawValue.littleEndian, as: UInt64.self)
      room.storeBytes(of: Self.version, toByteOffset: 8, as: UInt32.self)
      room.storeBytes(of: Self.order, toByteOffset: 12, as: UInt32.self)
      for (index, field) in fields.prefix(Self.fieldCount).enumerated() {
        room.storeBytes(of: field, toByteOffset: 16 + 8 * index, as: UInt64.self)
      }
      let sum = Checksum.of(UnsafeRawBufferPointer(rebasing: room[..<Self.checksumPlace]))
      room.storeBytes(of: sum, toByteOffset: Self.checksumPlace, as: UInt32.self)
    }
    return head
  }

  /// The reason why bytes are not a head that can be read.
  enum Problem: Error, Hashable {
    case damaged(offset: Int, reason: String)
    case newer(found: UInt32)

    func failure(_ file: String) -> StateFailure {
      switch self {
      case .damaged(let offset, let reason): .damaged(file: file, offset: offset, reason: reason)
      case .newer(let found): .newerFormat(file: file, found: found, known: FileHead.version)
      }
    }
  }

  init(_ kind: Kind, reading bytes: [UInt8]) throws(Problem) {
    guard bytes.count >= Self.byteCount else {
      throw .damaged(
        offset: bytes.count,
        reason: "a head of \(Self.byteCount) bytes was expected, and the file has \(bytes.count)"
      )
    }
    guard UInt64(littleEndian: Self.number(bytes, 0)) == kind.rawValue else {
      throw .damaged(offset: 0, reason: "\(kind.name) was expected to begin here")
    }
    let order: UInt32 = Self.number(bytes, 12)
    guard order != Self.order.byteSwapped else {
      throw .damaged(offset: 12, reason: "it was written by a processor with the other order of bytes")
    }
    let sum = bytes.withUnsafeBytes {
      Checksum.of(UnsafeRawBufferPointer(rebasing: $0[..<Self.checksumPlace]))
    }
    guard order == Self.order, sum == Self.number(bytes, Self.checksumPlace) else {
      throw .damaged(offset: 0, reason: "the head is not whole: its checksum is another one")
    }
    let version: UInt32 = Self.number(bytes, 8)
    guard version <= Self.version else { throw .newer(found: version) }
    self.kind = kind
    fields = (0..<Self.fieldCount).map { Self.number(bytes, 16 + 8 * $0) }
  }

  private static func number<Number: BitwiseCopyable>(_ bytes: [UInt8], _ place: Int) -> Number {
    bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: place, as: Number.self) }
  }
}

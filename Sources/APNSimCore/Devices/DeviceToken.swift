import APNSimWire

/// A device token as it is kept: 32 bytes in place, any other length beside the table.
package struct DeviceToken: BitwiseCopyable, Sendable {
  private var words: (UInt64, UInt64, UInt64, UInt64)

  static var byteCount: Int { 32 }

  /// The first 32 bytes of a buffer that has as many.
  @inline(__always)
  init(_ bytes: UnsafeRawPointer) { words = bytes.loadUnaligned(as: (UInt64, UInt64, UInt64, UInt64).self) }

  /// A stand-in for a token of another length: its hash, four times.
  init(hash: UInt64) { words = (hash, hash, hash, hash) }

  @inline(__always)
  func equals(_ bytes: UnsafeRawPointer) -> Bool {
    let other = bytes.loadUnaligned(as: (UInt64, UInt64, UInt64, UInt64).self)
    return words.0 == other.0 && words.1 == other.1 && words.2 == other.2 && words.3 == other.3
  }

  /// The hash of these bytes for one app: a token means something for its app only.
  @inline(__always)
  func hash(app: UInt16) -> UInt64 {
    var hash = Hash64(seed: UInt64(app) &+ 0x9E37_79B9_7F4A_7C15)
    hash.combine(words.0)
    hash.combine(words.1)
    hash.combine(words.2)
    hash.combine(words.3)
    return hash.finalize()
  }

  func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    withUnsafeBytes(of: words, body)
  }
}

/// A device as people call it: by the name it was given, or else by the token it was first seen with, which becomes a
/// text when somebody reads it.
package enum DeviceLabel: Sendable, CustomStringConvertible {
  case name(String)
  case token(DeviceToken)

  package var description: String {
    switch self {
    case .name(let name): name
    case .token(let token): token.withBytes { Hex.encode($0) }
    }
  }
}

extension DeviceToken: Kept {
  func write(to state: inout StateWriter) { state.write(raw: self) }

  init(reading state: inout StateReader) throws(StateError) { self = try state.raw(DeviceToken.self) }
}

extension DeviceLabel: KeptByCases {
  enum Tag: UInt8, CaseIterable { case name, token }

  func write(to state: inout StateWriter) {
    switch self {
    case .name(let name): state.write(Tag.name, name)
    case .token(let token): state.write(Tag.token, token)
    }
  }

  init(_ tag: Tag, reading state: inout StateReader) throws(StateError) {
    self =
      switch tag {
      case .name: try state.read(Self.name)
      case .token: try state.read(Self.token)
      }
  }
}

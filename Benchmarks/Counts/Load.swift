import APNSimWire

/// The notifications of a row, by their numbers: the same number has the same token and identifier.
struct Load {
  let row: Row

  init(_ row: Row) { self.row = row }

  /// One notification.
  struct Push {
    var number: Int
    var token: [UInt8]
  }

  func push(_ number: Int) -> Push {
    let rest = (0..<4).flatMap { word in bytes(of: number, word) }
    return Push(number: number, token: row.tokenPrefix + rest.dropFirst(row.tokenPrefix.count))
  }

  func pushes(_ numbers: Range<Int>) -> [Push] { numbers.map { push($0) } }

  /// The identifier of a push: a load that counts from 1 does so on each connection.
  func identifier(of push: Push) -> NotificationIdentifier {
    NotificationIdentifier(rawValue: UInt32(push.number + 1))
  }

  /// The `apns-id` that a provider chooses.
  func messageID(of push: Push) -> String {
    var text = [UInt8](repeating: 0, count: Identifier.textCount)
    let identifier = Identifier(random: random(push.number, 4), random(push.number, 5))
    text.withUnsafeMutableBytes { identifier.write(upperCase: false, to: $0) }
    return String(decoding: text, as: UTF8.self)
  }

  private func bytes(of number: Int, _ word: UInt64) -> [UInt8] {
    let value = random(number, word)
    return (0..<8).map { UInt8(truncatingIfNeeded: value >> UInt64(56 - 8 * $0)) }
  }

  /// A random number that is always the same (SplitMix64).
  private func random(_ number: Int, _ word: UInt64) -> UInt64 {
    var value = row.seed &+ (UInt64(number) * 8 + word) &* 0x9E37_79B9_7F4A_7C15
    value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
    return value ^ value >> 31
  }
}

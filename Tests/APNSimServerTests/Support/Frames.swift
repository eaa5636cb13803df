import APNSimCore
import APNSimTestSupport

/// Frames and devices that tests need.
enum Frames {
  static let online: [UInt8] = GatewayVector.devices[0].apps[0].token ?? []
  static let unknown = [UInt8](repeating: 0xEE, count: 32)

  /// A command-1 frame.
  static func enhanced(
    _ identifier: UInt32,
    to token: [UInt8] = online,
    payload: String = #"{"aps":{"alert":"hi"}}"#
  ) -> [UInt8] {
    [1] + big(identifier) + [0x7F, 0xFF, 0xFF, 0xFF] + [0, UInt8(token.count)] + token
      + [UInt8(payload.utf8.count >> 8), UInt8(payload.utf8.count & 255)] + Array(payload.utf8)
  }

  /// A command-0 frame.
  static func simple(to token: [UInt8] = online, payload: String = #"{"aps":{"alert":"hi"}}"#) -> [UInt8] {
    [0, 0, UInt8(token.count)] + token
      + [UInt8(payload.utf8.count >> 8), UInt8(payload.utf8.count & 255)] + Array(payload.utf8)
  }

  /// Frames 1 to `count`; the one with the identifier `bad` goes to a token nobody knows.
  static func many(_ count: Int, bad: UInt32?) -> [UInt8] {
    (1...UInt32(count)).flatMap { enhanced($0, to: $0 == bad ? unknown : online) }
  }

  static func response(_ status: UInt8, _ identifier: UInt32) -> [UInt8] { [8, status] + big(identifier) }

  static func tuples(_ count: Int) -> [FeedbackSpecification] {
    (0..<count).map { number in
      FeedbackSpecification(
        subject: .token([UInt8](repeating: 0xFB, count: 28) + big(UInt32(number))),
        app: AppKey(topic: GatewayVector.topic, environment: .production),
        moment: .at(Timestamp(seconds: 1_300_000_000))
      )
    }
  }

  private static func big(_ value: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }
}

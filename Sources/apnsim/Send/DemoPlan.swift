import APNSimCore
import APNSimProvider
import APNSimWire

/// The notifications of `send --demo`: good ones of every command, one whose device has lost the app, a bad one, and
/// a good one after it.
struct DemoPlan: Sendable {
  struct Step: Sendable {
    let frame: NotificationFrame
    /// Its purpose, for people.
    let meaning: String
  }

  let steps: [Step]
  /// The number of the bad one, from 0.
  let badIndex = 4

  /// - Parameter tokens: where to send; made-up ones when empty.
  init(tokens: [[UInt8]]) {
    func token(_ number: UInt8) -> [UInt8] {
      tokens.isEmpty
        ? [0xA0 + number] + [UInt8](repeating: 0xDE, count: 31) : tokens[Int(number) % tokens.count]
    }
    func payload(_ text: String) -> [UInt8] { Array("{\"aps\":{\"alert\":\"\(text)\",\"badge\":1}}".utf8) }
    func frame(_ command: UInt8, _ token: [UInt8], _ text: String) -> NotificationFrame {
      NotificationFrame(
        command: command,
        expiry: 0x7FFF_FFFF,
        priority: command == 2 ? 10 : nil,
        token: token,
        payload: payload(text)
      )
    }
    steps = [
      Step(frame: frame(0, token(0), "simple"), meaning: "good: the simple format, which cannot be answered"),
      Step(
        frame: frame(1, token(1), "enhanced"),
        meaning: "good: the enhanced format, with identifier and expiry"
      ),
      Step(frame: frame(2, token(2), "framed"), meaning: "good: the framed format of later years"),
      Step(
        frame: frame(1, MagicToken(kind: .uninstalled, code: 0).token(), "app removed"),
        meaning: "good, but its device lost the app: see `apnsim feedback read`"
      ),
      Step(
        frame: frame(1, Array(token(1).dropLast()), "bad token"),
        meaning: "bad: its device token is a byte short"
      ),
      Step(frame: frame(1, token(1), "too late"), meaning: "good, but sent after the bad one"),
    ]
  }

  var plan: NotificationPlan {
    let frames = steps.map(\.frame)
    return NotificationPlan(count: frames.count, firstIdentifier: 1) { frames[$0] }
  }
}

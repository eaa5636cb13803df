import APNSimCore
import APNSimTestSupport

/// A fixed course of events for several connections, drawn from a seed.
struct Traffic: Sendable {
  enum Step: Sendable {
    /// A new connection to the gateway, with the next number.
    case open
    /// Bytes on a connection, as one write.
    case send(connection: Int, [UInt8])
    /// The provider ends its side and closes.
    case close(connection: Int)
    case readFeedback
    case command(Command)
  }

  var steps: [Step] = []

  static let app = AppKey(topic: GatewayVector.topic, environment: .production)
  static let offline = [UInt8](repeating: 0x0F, count: 32)
  static let removed = [UInt8](repeating: 0xD0, count: 32)

  /// Anything at all: good and bad frames, magic tokens, pieces of frames, devices that come and go.
  static func mixed(seed: UInt64, steps count: Int) -> Traffic {
    var generator = SeededGenerator(seed: seed)
    var traffic = Traffic()
    var open: [Int] = []
    var opened = 0
    for _ in 0..<count {
      let dice = Int.random(in: 0..<100, using: &generator)
      if open.isEmpty || (dice < 10 && open.count < 6) {
        traffic.steps.append(.open)
        open.append(opened)
        opened += 1
      } else if dice < 70, let connection = open.randomElement(using: &generator) {
        let (bytes, isLast) = write(&generator)
        traffic.steps.append(.send(connection: connection, bytes))
        if isLast {
          // Nothing may follow a reset: the network decides how much of it is read.
          traffic.steps.append(.close(connection: connection))
          open.removeAll { $0 == connection }
        }
      } else if dice < 76, let connection = open.randomElement(using: &generator) {
        traffic.steps.append(.close(connection: connection))
        open.removeAll { $0 == connection }
      } else if dice < 84 {
        traffic.steps.append(.readFeedback)
      } else {
        traffic.steps.append(.command(command(&generator)))
      }
    }
    for connection in open { traffic.steps.append(.close(connection: connection)) }
    traffic.steps += [.command(.advanceClock(.hours(1))), .readFeedback]
    return traffic
  }

  /// A number of connections that are all open while each writes in its turn, in several rounds.
  static func crowd(_ count: Int, rounds: Int, seed: UInt64) -> Traffic {
    var generator = SeededGenerator(seed: seed)
    var traffic = Traffic(steps: [Step](repeating: .open, count: count))
    var open = Array(0..<count)
    for _ in 0..<rounds {
      for connection in open {
        let (bytes, isLast) = write(&generator)
        traffic.steps.append(.send(connection: connection, bytes))
        guard isLast else { continue }
        traffic.steps.append(.close(connection: connection))
        open.removeAll { $0 == connection }
      }
      traffic.steps.append(.command(.advanceClock(.seconds(30))))
    }
    for connection in open { traffic.steps.append(.close(connection: connection)) }
    traffic.steps.append(.command(.advanceClock(.hours(1))))
    return traffic
  }

  private static func command(_ generator: inout SeededGenerator) -> Command {
    switch Int.random(in: 0..<4, using: &generator) {
    case 0: .setOnline(device: "offline", Bool.random(using: &generator))
    case 1: .setInstalled(device: "removed", app: app, Bool.random(using: &generator))
    default: .advanceClock(.milliseconds(Int64.random(in: 1...400_000, using: &generator)))
    }
  }

  /// A write of a few frames; true when the connection can only be closed after it.
  private static func write(_ generator: inout SeededGenerator) -> (bytes: [UInt8], isLast: Bool) {
    var bytes: [UInt8] = []
    for _ in 0..<Int.random(in: 1...12, using: &generator) {
      let dice = Int.random(in: 0..<100, using: &generator)
      switch dice {
      case 0..<4:
        // Reset, reading stopped, packet lost to a reset: the last that a connection sees.
        let code = ([1, 3, 4] as [UInt8]).randomElement(using: &generator) ?? 1
        return (bytes + frame(MagicToken(kind: .fault, code: code).token(), &generator), true)
      case 4..<6:
        return (bytes + frame(Frames.online, &generator).dropLast(7), true)
      default: bytes += frame(token(&generator), &generator)
      }
    }
    return (bytes, false)
  }

  private static func token(_ generator: inout SeededGenerator) -> [UInt8] {
    let code = UInt8.random(in: 0...9, using: &generator)
    let serial = UInt64.random(in: 0..<3, using: &generator)
    func magic(_ kind: MagicToken.Kind, _ code: UInt8) -> [UInt8] {
      MagicToken(kind: kind, code: code).token(serial: serial)
    }
    switch Int.random(in: 0..<40, using: &generator) {
    case 0: return Frames.unknown
    case 1: return [1, 2, 3]
    case 2: return magic(.refuse, [1, 8, 10, 200].randomElement(using: &generator) ?? 8)
    case 3: return magic(.fault, 0)
    case 4: return magic(.fault, 2)
    case 5...7: return magic(.offline, code)
    case 8...10: return magic(.uninstalled, code)
    case 11...13: return magic(.react, code)
    case 14...18: return offline
    case 19...23: return removed
    default: return Frames.online
    }
  }

  private static func frame(_ token: [UInt8], _ generator: inout SeededGenerator) -> [UInt8] {
    let payloads = [
      #"{"aps":{"alert":"hi"}}"#, #"{"aps":{"badge":3},"id":17}"#, #"{ "aps" : { } }"#, #"{"aps":1}"#, "{",
    ]
    let index = Int.random(in: 0..<100, using: &generator)
    let payload = payloads[index < 96 ? index % 3 : index - 95]
    let identifier = UInt32.random(in: .min ... .max, using: &generator)
    return Int.random(in: 0..<10, using: &generator) == 0
      ? Frames.simple(to: token, payload: payload)
      : Frames.enhanced(identifier, to: token, payload: payload)
  }
}

/// Something that happens to the state from outside, as a value: what a door was told, and nothing that the state itself
/// decides. All that ever changes a state is its inputs, in their order, and the time that passes until each.
///
/// The inputs stand beside what they bring about. Each says itself how it is written down, read back and carried out, so that an
/// input of a log happens as the one of a socket did.
protocol Input {
  /// The answer that its door hears.
  associatedtype Outcome

  static var kind: InputKind { get }

  /// The outcome where it changes nothing and need not be kept; nil where it happens.
  mutating func idleOutcome(in world: inout World) -> Outcome?

  /// False for one of a connection that is closed as far as the state knows, which may have forgotten it. It is carried
  /// out all the same, for its outcome, and is not kept: it must not change the state.
  var matters: Bool { get }

  /// The outcome where nothing can be kept and it is refused; nil for one that happens all the same.
  func refusal(in world: inout World) -> Outcome?

  /// Writes it down, but for ``bulk``.
  func write(to entry: inout StateWriter)

  /// The bytes at its end, as they came: the greater part of what providers send is not copied twice.
  var bulk: UnsafeRawBufferPointer { get }

  /// Carries it out.
  mutating func apply(to world: inout World) -> Outcome

  /// Reads one of a log, and carries it out.
  static func replay(
    _ entry: inout StateReader,
    on world: inout World,
    texts: any StateTexts
  ) throws(StateError)
}

extension Input {
  mutating func idleOutcome(in world: inout World) -> Outcome? { nil }
  var matters: Bool { true }
  func refusal(in world: inout World) -> Outcome? { nil }
  var bulk: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: nil, count: 0) }
}

/// An input whose content is its members.
extension Input where Self: KeptByMembers {
  static func replay(
    _ entry: inout StateReader,
    on world: inout World,
    texts: any StateTexts
  ) throws(StateError) {
    var input = try Self(reading: &entry)
    _ = input.apply(to: &world)
  }
}

/// The kinds of inputs, by the byte that stands for them in a log. A number is never given to another kind.
enum InputKind: UInt8, CaseIterable {
  /// Time passed to a moment at which something was due.
  case tick = 1
  case command = 2
  /// The program started again.
  case restart = 3

  case connectionArrived = 8
  case ordinalTaken = 9
  case certificateShown = 10
  case connectionRefused = 11

  case gatewayOpened = 16
  case frames = 17
  case framesDiscarded = 18
  case restOfFrame = 19
  case streamStruck = 20
  case framesEnded = 21
  case gatewayShutDown = 22
  case gatewayClosed = 23

  case requestsOpened = 32
  case requests = 33
  case streamGivenUp = 34
  case bytesCounted = 35
  case requestsShutDown = 36
  case requestsClosed = 37
  case requestMalformed = 38

  case feedbackOpened = 48
  case feedbackRead = 49
  case feedbackClosed = 50

  case deviceOpened = 64
  case deviceSaid = 65
  case linesTaken = 66
  case deviceSilent = 67
  case deviceClosed = 68
}

/// Time that passes until something is due. Where nothing is, no entry is needed: the next input has the time as well.
struct Tick: Input {
  static var kind: InputKind { .tick }

  func write(to entry: inout StateWriter) {}

  func apply(to world: inout World) {}

  static func replay(
    _ entry: inout StateReader,
    on world: inout World,
    texts: any StateTexts
  ) {}
}

import APNSimWire

/// A row of the table: what is sent, how often, and in which situation. `scripts/count` puts it together from
/// `rows.json`.
struct Row {
  enum Interface: String {
    case frames, requests
  }

  /// An error that a connection meets before the one that is measured.
  struct Failure {
    /// Notifications before it, and after it.
    var accepted: Int
    var lost: Int
  }

  var interface: Interface
  /// The seed of tokens and identifiers.
  var seed: UInt64
  /// The time of the first read, in seconds since 1970.
  var start: Int64
  /// Devices that have had a notification before anything is measured.
  var devices: Int
  /// Notifications of a read.
  var perRead: Int
  /// Notifications of the measured connection that are not counted, and those that are.
  var warm: Int
  var count: Int
  var topic: String
  var priority: UInt8
  /// The command of frames.
  var command: UInt8
  /// The push type of requests, and their provider token.
  var pushType: String
  var authorization: String
  var payload: [UInt8]
  /// The beginning of every token, such as that of tokens that script themselves.
  var tokenPrefix: [UInt8]
  var failure: Failure?
  /// The token that it comes of.
  var failingToken: [UInt8]
  /// True where the measured connection sends what the one before it sent; false where no device comes twice.
  var repeats: Bool
  /// A scenario's text.
  var scenario: String?
  /// Notifications that the history keeps; nil for as many as by default.
  var keep: Int?
  var isRecorded: Bool
  /// True where the state is kept: every input in a log.
  var isKept: Bool
  /// A wait as the control API is asked for it.
  var wait: String?
  /// True where the events are read as they come.
  var isStreamed: Bool

  init(_ json: JSONValue) throws {
    let members = Members(json)
    guard let interface = Interface(rawValue: try members.text("interface")) else {
      throw Mistake("interface: frames or requests was expected")
    }
    self.interface = interface
    seed = UInt64(try members.number("seed"))
    start = Int64(try members.number("start"))
    devices = try members.number("devices")
    perRead = try members.number("perRead")
    warm = try members.number("warm")
    count = try members.number("count")
    topic = try members.text("topic")
    priority = UInt8(try members.number("priority"))
    command = UInt8(try members.number("command"))
    pushType = try members.text("pushType")
    authorization = try members.text("authorization")
    payload = Array(try members.text("payload").utf8)
    tokenPrefix = try members.bytes("tokenPrefix")
    failure = try members.member("failure").map { failure in
      Failure(accepted: try failure.number("accepted"), lost: try failure.number("lost"))
    }
    failingToken = try members.bytes("failingToken")
    repeats = members.flag("repeats")
    scenario = try members.optionalText("scenario")
    keep = try members.member("keep").map { _ in try members.number("keep") }
    isRecorded = members.flag("record")
    isKept = members.flag("state")
    wait = members.member("wait").map { $0.value.description }
    isStreamed = members.flag("stream")
  }
}

/// A mistake of a row, or a failure of its run.
struct Mistake: Error, CustomStringConvertible {
  var description: String

  init(_ description: String) { self.description = description }
}

/// The members of a JSON object, each as what it has to be.
private struct Members {
  let value: JSONValue

  init(_ value: JSONValue) { self.value = value }

  func member(_ key: String) -> Members? { value.member(key).map { Members($0) } }

  func text(_ key: String) throws -> String { try found(optionalText(key), key, "a text") }

  func optionalText(_ key: String) throws -> String? {
    try value.member(key).map { try found($0.stringValue, key, "a text") }
  }

  func number(_ key: String) throws -> Int {
    let number = value.member(key)?.intValue
    return try found(number.flatMap { $0 < 0 ? nil : $0 }, key, "a number")
  }

  func flag(_ key: String) -> Bool { value.member(key)?.boolValue ?? false }

  /// Bytes as hex digits.
  func bytes(_ key: String) throws -> [UInt8] { try found(Hex.decode(try text(key)), key, "hex digits") }

  private func found<Found>(_ found: Found?, _ key: String, _ expected: String) throws -> Found {
    guard let found else { throw Mistake("\(key): \(expected) was expected") }
    return found
  }
}

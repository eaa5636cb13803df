import APNSimWire

/// Scripted tuples whose moment has not come yet, by the number that their deadline has.
struct ScriptedFeedback {
  private var waiting: [UInt32: (app: UInt16, tuple: FeedbackTuple)] = [:]
  private var next: UInt32 = 0

  /// A tuple that waits, by its number.
  subscript(number: UInt32) -> (app: UInt16, tuple: FeedbackTuple)? { waiting[number] }

  var count: Int { waiting.count }

  /// Keeps a tuple and returns its number.
  mutating func add(_ tuple: FeedbackTuple, app: UInt16) -> UInt32 {
    defer { next &+= 1 }
    waiting[next] = (app, tuple)
    return next
  }

  /// The moment has come.
  mutating func take(_ number: UInt32) -> (app: UInt16, tuple: FeedbackTuple)? {
    waiting.removeValue(forKey: number)
  }
}

extension ScriptedFeedback {
  func write(to state: inout StateWriter) {
    state.write(count: waiting.count)
    for (number, (app, tuple)) in waiting.sorted(by: { $0.key < $1.key }) {
      number.write(to: &state)
      app.write(to: &state)
      tuple.write(to: &state)
    }
    next.write(to: &state)
  }

  /// - Parameter apps: how many there are.
  init(reading state: inout StateReader, apps: Int) throws(StateError) {
    for _ in 0..<(try state.count()) {
      let number = try UInt32(reading: &state)
      let app = try UInt16(reading: &state)
      guard Int(app) < apps else {
        throw state.error("one of \(apps) apps was expected, and place \(app) found")
      }
      waiting[number] = (app, try FeedbackTuple(reading: &state))
    }
    next = try state.read()
  }
}

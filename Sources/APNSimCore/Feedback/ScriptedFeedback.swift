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

import APNSimWire

/// Scripted tuples whose moment has not come yet, by the number that their deadline has.
struct ScriptedFeedback {
  struct Entry {
    let app: UInt16
    let tuple: FeedbackTuple
  }

  private var waiting: [UInt32: Entry] = [:]
  private var next: UInt32 = 0

  /// A tuple that waits, by its number.
  subscript(number: UInt32) -> Entry? { waiting[number] }

  var count: Int { waiting.count }

  /// Keeps a tuple and returns its number.
  mutating func add(_ tuple: FeedbackTuple, app: UInt16) -> UInt32 {
    defer { next &+= 1 }
    waiting[next] = Entry(app: app, tuple: tuple)
    return next
  }

  /// The moment has come.
  mutating func take(_ number: UInt32) -> Entry? {
    waiting.removeValue(forKey: number)
  }
}

extension ScriptedFeedback: KeptByMembers {
  static let members = Members(Self.init, \.waiting, \.next)

  /// False where one names a place past that of the last app.
  func namesOnly(apps: Int) -> Bool { waiting.values.allSatisfy { Int($0.app) < apps } }
}

extension ScriptedFeedback.Entry: KeptByMembers {
  static let members = Members(Self.init, \.app, \.tuple)
}

/// A fault that strikes a connection after so many bytes, frames or requests, counted down as they are read.
struct StreamStrike {
  let fault: Fault
  private(set) var bytesLeft: Int?
  private(set) var framesLeft: Int?

  /// True where it strikes before anything more is read.
  var isDue: Bool { bytesLeft == 0 || framesLeft == 0 }

  /// True where it strikes before anything more is looked at.
  /// - Parameter bytesAhead: the number of bytes that were counted and have not been looked at yet.
  func isDue(bytesAhead: Int) -> Bool { framesLeft == 0 || (bytesLeft == 0 && bytesAhead == 0) }

  /// Counts bytes that came.
  /// - Returns: the number of them that are read before it strikes.
  mutating func takeBytes(_ count: Int) -> Int {
    guard let left = bytesLeft else { return count }
    bytesLeft = max(0, left - count)
    return min(left, count)
  }

  mutating func countFrames(_ count: Int) {
    if let left = framesLeft { framesLeft = max(0, left - count) }
  }

  var ending: ConnectionEnding { if case .end(let ending, _) = fault.effect { ending } else { .drain } }
}

extension StreamStrike {
  init?(_ fault: Fault) {
    guard case .end(_, let trigger) = fault.effect else { return nil }
    switch trigger {
    case .now: return nil
    case .afterBytes(let count): bytesLeft = max(0, count)
    case .afterFrames(let count), .afterRequests(let count): framesLeft = max(0, count)
    }
    self.fault = fault
  }
}

extension StreamStrike: KeptByMembers {
  static let members = Members(Self.init, \.fault, \.bytesLeft, \.framesLeft)

  func complete(_ state: StateReader) throws(StateError) {
    guard bytesLeft ?? 0 >= 0, framesLeft ?? 0 >= 0 else {
      throw state.error("bytes or frames to come were expected, 0 or more of them")
    }
  }
}

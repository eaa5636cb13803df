import APNSimServer
import APNSimSystem
import NIOCore
import Synchronization

/// The memory of answers that wait to be read: large ones take their place in it, and are written piece by piece as the
/// client reads.
final class AnswerRoom: Sendable {
  /// The room of all control APIs of the process.
  static let shared = AnswerRoom(256 << 20)

  /// Answers of at most so many bytes are written at once and are not counted.
  static let pieceSize = 64 * 1024

  private let most: Int
  private let taken = Atomic<Int>(0)
  /// The most that was taken since nothing was.
  private let peak = Atomic<Int>(0)
  private static let manyBytes = 32 << 20

  init(_ most: Int) { self.most = most }

  /// The number of bytes that wait.
  var count: Int { taken.load(ordering: .relaxed) }

  /// False while so little room is left that a large answer is not worth making.
  var hasRoom: Bool { count < most / 8 * 7 }

  /// The body of an answer, for as long as it is needed: an answer may be discarded before its body begins.
  /// - Returns: nil where there is no room for it.
  func body(_ bytes: [UInt8]) -> ResponseBody? {
    guard bytes.count > Self.pieceSize else { return .bytes(ByteBuffer(bytes: bytes)) }
    guard let place = Place(of: self, bytes.count) else { return nil }
    return .pieces(length: bytes.count) { send in
      defer { withExtendedLifetime(place) {} }
      for start in stride(from: 0, to: bytes.count, by: Self.pieceSize) {
        try await send(ByteBuffer(bytes: bytes[start...].prefix(Self.pieceSize)))
      }
    }
  }

  /// Takes room for an answer. One alone may be larger than the room.
  private func take(_ bytes: Int) -> Bool {
    var now = count
    while now == 0 || now + bytes <= most {
      let (isDone, found) = taken.compareExchange(expected: now, desired: now + bytes, ordering: .relaxed)
      if isDone { return true }
      now = found
    }
    return false
  }

  /// The last of many large answers has been read: the allocator keeps what they took until it is asked.
  private func giveBack(_ bytes: Int) {
    peak.max(count, ordering: .relaxed)
    let left = taken.subtract(bytes, ordering: .relaxed).newValue
    guard left == 0, peak.exchange(0, ordering: .relaxed) >= Self.manyBytes else { return }
    Task.detached(priority: .background) { ThisProcess.returnFreeMemory() }
  }

  private final class Place: Sendable {
    private let room: AnswerRoom
    private let count: Int

    init?(of room: AnswerRoom, _ count: Int) {
      guard room.take(count) else { return nil }
      (self.room, self.count) = (room, count)
    }

    deinit { room.giveBack(count) }
  }
}

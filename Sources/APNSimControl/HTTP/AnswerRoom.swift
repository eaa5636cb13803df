import HTTPTypes
import Hummingbird
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

  init(_ most: Int) { self.most = most }

  /// The number of bytes that wait.
  var count: Int { taken.load(ordering: .relaxed) }

  /// The body of an answer, for as long as it is needed: an answer may be discarded before its body begins.
  /// - Returns: nil where there is no room for it.
  func body(_ bytes: [UInt8]) -> ResponseBody? {
    guard bytes.count > Self.pieceSize else { return ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)) }
    let place = Place(of: self, bytes.count)
    guard count <= most else { return nil }
    return ResponseBody(contentLength: bytes.count) { writer in
      defer { withExtendedLifetime(place) {} }
      var start = 0
      while start < bytes.count {
        let end = min(start + Self.pieceSize, bytes.count)
        try await writer.write(ByteBuffer(bytes: bytes[start..<end]))
        start = end
      }
      try await writer.finish(nil)
    }
  }

  /// The same body, each piece of which waits until the event loop has written the one before it: only then it is known
  /// whether the client goes on reading. Otherwise a busy loop has all of the pieces handed to it at once.
  static func paced(_ body: ResponseBody, on loop: any EventLoop) -> ResponseBody {
    guard body.contentLength.map({ $0 > pieceSize }) ?? true else { return body }
    let length = body.contentLength
    let paced = body.map { piece in
      try await loop.submit {}.get()
      return piece
    }
    return ResponseBody(contentLength: length) { try await paced.write($0) }
  }

  private final class Place: Sendable {
    private let room: AnswerRoom
    private let count: Int

    init(of room: AnswerRoom, _ count: Int) {
      (self.room, self.count) = (room, count)
      room.taken.add(count, ordering: .relaxed)
    }

    deinit { room.taken.subtract(count, ordering: .relaxed) }
  }
}

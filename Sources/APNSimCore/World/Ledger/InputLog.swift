/// The order of everything that happens to a simulator from outside, kept by somebody. Its calls come under the
/// simulator's lock.
///
/// An entry is there before its input has happened, and so before anything of it is answered. Today's logs keep an
/// entry before they return; the order is theirs to decide all the same, and nothing here reads it back.
package protocol InputLog: AnyObject, Sendable {
  /// Makes sure that an entry of so many bytes finds room.
  /// - Returns: false where nothing can be kept now.
  func makeRoom(for byteCount: Int) -> Bool

  /// Keeps an entry, in two pieces that follow each other. There is room.
  func append(_ head: UnsafeRawBufferPointer, _ bulk: UnsafeRawBufferPointer)

  /// Something happened that could not be refused and found no room: a snapshot has to close the gap.
  func noteGap()
}

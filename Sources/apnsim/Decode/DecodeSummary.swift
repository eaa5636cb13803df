import APNSimWire

/// The last line of `decode`: how many frames there were and what one connection would have made of them.
struct DecodeSummary {
  private(set) var pieceCount = 0
  private var frames = 0
  private var refused = 0
  /// The number of the first piece that was refused, from 1.
  private var firstRefused: Int?

  mutating func add(_ piece: DecodedPiece) {
    pieceCount += 1
    guard case .notification = piece.kind else { return }
    frames += 1
    guard piece.isRefused else { return }
    refused += 1
    firstRefused = firstRefused ?? pieceCount
  }

  var text: String {
    var text =
      "\(Number.counted(frames, "frame")): \(Number.grouped(frames - refused)) accepted, "
      + "\(Number.grouped(refused)) refused"
    if let firstRefused, firstRefused < pieceCount {
      text += "; on one connection, everything after frame \(firstRefused) would be discarded"
    }
    return text
  }
}

/// The last line of `decode`: how many frames there were and what one connection would have made of them.
struct DecodeSummary {
  private let pieces: [DecodedPiece]

  init(_ pieces: [DecodedPiece]) { self.pieces = pieces }

  var text: String {
    let frames = pieces.filter { if case .notification = $0.kind { true } else { false } }
    let refused = frames.filter(\.isRefused).count
    var text =
      "\(Number.counted(frames.count, "frame")): \(Number.grouped(frames.count - refused)) accepted, "
      + "\(Number.grouped(refused)) refused"
    if let first = pieces.firstIndex(where: \.isRefused), first + 1 < pieces.count {
      text += "; on one connection everything behind frame \(first + 1) would be discarded"
    }
    return text
  }
}

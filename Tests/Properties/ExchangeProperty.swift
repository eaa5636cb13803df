import APNSimCapture
import APNSimCore
import APNSimImport
import APNSimTestSupport

/// HTTP/2 out of a capture: nothing traps, and requests and answers do not depend on how the bytes were cut.
enum ExchangeProperty {
  /// The first byte chooses the cuts, the second how many bytes are the provider's; the rest is what both sides sent.
  static func violation(_ input: [UInt8]) -> String? {
    guard input.count >= 2 else { return nil }
    let rest = input.dropFirst(2)
    let count = rest.count * Int(input[1]) / 255
    let provider = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + rest.prefix(count)
    let service = Array(rest.dropFirst(count))
    let whole = read(provider, service, .whole)
    let cut = read(provider, service, .seeded(UInt64(input[0])))
    return whole == cut
      ? nil : "cut by seed \(input[0]) there are \(cut.count) happenings, whole \(whole.count)"
  }

  private static func read(_ provider: [UInt8], _ service: [UInt8], _ cuts: Cuts) -> [StreamHappening] {
    let reading = RequestReading(TokenReading(), hasCertificate: false, isPartial: false)
    let time = Timestamp(seconds: 0)
    var found: [StreamHappening] = []
    for (bytes, side) in [(provider, RequestReading.StreamSide.provider), (service, .service)] {
      for piece in cuts.pieces(of: bytes) {
        found += reading.receive(Array(piece)[...], from: side, at: time)
      }
    }
    return found
  }
}

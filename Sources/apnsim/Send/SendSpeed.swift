import APNSimWire

/// The speed of the notifications sent, for people; nothing is said of a few.
struct SendSpeed {
  let count: Int
  let duration: Duration

  var words: String {
    let seconds = duration / .seconds(1)
    guard count >= 1000, seconds > 0 else { return "" }
    let rate = Number.grouped(Int(Double(count) / seconds))
    return " in \(Int(seconds * 1000)) ms, \(rate) per second"
  }
}

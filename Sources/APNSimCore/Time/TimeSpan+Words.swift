import APNSimWire

extension TimeSpan {
  /// `340 ms`, `12 s`, `4 min 19 s`, `3 h 5 min`, `2 d 4 h`.
  var words: String {
    let milliseconds = max(0, self.milliseconds)
    guard milliseconds >= 1000 else { return "\(milliseconds) ms" }
    let seconds = milliseconds / 1000
    let units: [(Int64, String)] = [(86_400, "d"), (3600, "h"), (60, "min"), (1, "s")]
    guard let place = units.firstIndex(where: { seconds >= $0.0 }) else { return "\(seconds) s" }
    let (length, unit) = units[place]
    let rest = seconds % length
    let next = place + 1 < units.count ? units[place + 1] : nil
    let more = next.map { rest / $0.0 > 0 ? " \(rest / $0.0) \($0.1)" : "" } ?? ""
    return "\(Number.grouped(Int(seconds / length))) \(unit)\(more)"
  }
}

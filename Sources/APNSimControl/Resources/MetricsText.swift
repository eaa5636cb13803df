import APNSimCore

/// The text format of Prometheus: a family is its help and its type, then its samples.
struct MetricsText {
  enum Kind: String {
    case counter
    case gauge
    case histogram
  }

  private(set) var text = ""
  private var name = ""

  /// Begins a family; `help` must not have line breaks or backslashes.
  mutating func family(_ name: String, _ kind: Kind, _ help: String) {
    self.name = name
    text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
  }

  /// Adds a sample; label values must not have quotes.
  mutating func sample(_ labels: KeyValuePairs<String, String>, _ value: some BinaryInteger) {
    let pairs = labels.map { "\($0.key)=\"\($0.value)\"" }.joined(separator: ",")
    text += pairs.isEmpty ? "\(name) \(value)\n" : "\(name){\(pairs)} \(value)\n"
  }

  /// Adds a histogram of durations, in seconds.
  mutating func histogram(_ name: String, _ help: String, _ counts: DurationCounts) {
    family(name, .histogram, help)
    var sum: UInt64 = 0
    for (bound, count) in zip(DurationCounts.bounds, counts.counts) {
      sum += count
      text += "\(name)_bucket{le=\"\(Self.seconds(UInt64(bound)))\"} \(sum)\n"
    }
    text += "\(name)_bucket{le=\"+Inf\"} \(counts.count)\n"
    text += "\(name)_sum \(Self.seconds(counts.sum))\n\(name)_count \(counts.count)\n"
  }

  /// `0.0025`, `1`
  private static func seconds(_ microseconds: UInt64) -> String {
    var decimals = String(String(1_000_000 + microseconds % 1_000_000).dropFirst())
    while decimals.hasSuffix("0") { decimals.removeLast() }
    return "\(microseconds / 1_000_000)" + (decimals.isEmpty ? "" : ".\(decimals)")
  }

  /// Adds a gauge of a duration, in seconds.
  mutating func gauge(_ name: String, _ help: String, _ duration: Duration) {
    family(name, .gauge, help)
    text += "\(name) \(Self.seconds(duration.microseconds))\n"
  }

  mutating func gauge(_ name: String, _ help: String, _ value: some BinaryInteger) {
    family(name, .gauge, help)
    sample([:], value)
  }
}

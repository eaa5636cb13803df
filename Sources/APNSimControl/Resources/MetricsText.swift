/// The text format of Prometheus: a family is its help and its type, then its samples.
struct MetricsText {
  enum Kind: String {
    case counter
    case gauge
  }

  private(set) var text = ""
  private var name = ""

  /// Begins a family; `help` has no line breaks or backslashes.
  mutating func family(_ name: String, _ kind: Kind, _ help: String) {
    self.name = name
    text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
  }

  /// Label values are words of ours, without quotes.
  mutating func sample(_ labels: KeyValuePairs<String, String>, _ value: some BinaryInteger) {
    let pairs = labels.map { "\($0.key)=\"\($0.value)\"" }.joined(separator: ",")
    text += pairs.isEmpty ? "\(name) \(value)\n" : "\(name){\(pairs)} \(value)\n"
  }

  mutating func gauge(_ name: String, _ help: String, _ value: some BinaryInteger) {
    family(name, .gauge, help)
    sample([:], value)
  }
}

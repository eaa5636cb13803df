extension Int {
  /// `1 packet`, `2 packets`
  package func counted(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}

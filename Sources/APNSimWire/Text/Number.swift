/// Numbers as people read them, the same in every locale.
package enum Number {
  /// `12,345`
  package static func grouped(_ number: Int) -> String {
    var groups: [String] = []
    var rest = number.magnitude
    repeat {
      let group = String(rest % 1000)
      rest /= 1000
      groups.append(rest > 0 ? String(repeating: "0", count: 3 - group.count) + group : group)
    } while rest > 0
    return (number < 0 ? "-" : "") + groups.reversed().joined(separator: ",")
  }

  /// `1 notification`, `2 notifications`
  package static func counted(_ number: Int, _ noun: String) -> String {
    "\(grouped(number)) \(noun)\(number == 1 ? "" : "s")"
  }
}

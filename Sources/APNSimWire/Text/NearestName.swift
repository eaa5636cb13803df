/// Finds the known name that a mistyped one most probably stands for.
package enum NearestName {
  /// The candidate with the smallest edit distance, when it is close enough to be a slip of the finger:
  /// a third of the name's length at most. Case, `-` and `_` do not count (`badge-absent` is `badgeAbsent`).
  package static func find(_ name: String, among candidates: some Sequence<String>) -> String? {
    guard name.utf8.count <= longest else { return nil }
    let wanted = folded(name)
    var best: (name: String, distance: Int)?
    for candidate in candidates {
      let distance = distance(wanted, folded(candidate))
      // A name that differs in every character is no slip.
      guard distance < wanted.count, distance * 3 <= max(wanted.count, 3), distance < best?.distance ?? .max
      else { continue }
      best = (candidate, distance)
    }
    return best?.name
  }

  /// Edit distance in which two swapped neighbours count as one slip (optimal string alignment).
  static func distance(_ left: [Character], _ right: [Character]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...right.count)
    for (row, character) in left.enumerated() {
      var current = [row + 1]
      for (column, other) in right.enumerated() {
        var cost = min(last[column] + (character == other ? 0 : 1), last[column + 1] + 1, current[column] + 1)
        if row > 0, column > 0, character == right[column - 1], left[row - 1] == other {
          cost = min(cost, beforeLast[column - 1] + 1)
        }
        current.append(cost)
      }
      beforeLast = last
      last = current
    }
    return last[right.count]
  }

  private static func folded(_ name: String) -> [Character] {
    Array(name.lowercased().filter { $0 != "-" && $0 != "_" })
  }

  /// The longest name that is compared: the distance takes quadratic time.
  private static let longest = 100
}

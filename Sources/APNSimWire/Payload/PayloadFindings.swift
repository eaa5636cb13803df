/// The scanner's findings about the values that have a type: a bit for each ``PayloadKey``.
///
/// The last of several equal names counts, so each one first clears the findings about its predecessor and everything
/// in it.
struct PayloadFindings {
  var hasCustomNull = false
  private var badge = 0
  private var contentAvailable = 0
  private var seen: UInt16 = 0
  /// The keys whose value has the wrong type; ``wrongOffsets`` has the offsets.
  private var wrong: UInt16 = 0
  private let wrongOffsets: UnsafeMutablePointer<Int>
  private var hasDuplicateAPS = false
  /// True if the alert dictionary has names other than `body`.
  private var hasAlertKeyBesidesBody = false

  /// The names that look like keys in another place or spelling: the keys of `aps` outside of it, which are mistakes
  /// only where `aps` has none of that name, and the bit of the root for all others.
  private var misplaced: UInt16 = 0

  /// The number of words that ``wrongOffsets`` must have: one for each key.
  static let capacity = 13

  /// `wrongOffsets` must have room for ``capacity`` words and outlive the value. It need not be initialised.
  @inline(__always)
  init(wrongOffsets: UnsafeMutablePointer<Int>) {
    assert(Self.capacity == PayloadKey.allCases.count)
    self.wrongOffsets = wrongOffsets
  }

  /// Records the value of `key` at `offset`; true if `key` has a type and the value is of that type.
  @inline(__always)
  @discardableResult
  mutating func note(_ kind: JSONKind, of key: PayloadKey, at offset: Int) -> Bool {
    if case .other = key { return false }
    if (seen & Self.bit(key) | wrong) != 0 { forget(key) }
    seen |= Self.bit(key)
    if kind.rawValue & key.allowed != 0 { return true }
    noteWrong(key, at: offset)
    return false
  }

  /// Records a name of the alert dictionary.
  @inline(__always)
  mutating func noteAlertKey(_ key: PayloadKey) {
    if case .body = key {} else { hasAlertKeyBesidesBody = true }
  }

  /// Records a name that means nothing in its place. At the root most names are custom values, which their length tells.
  @inline(__always)
  mutating func noteOther(_ text: IndexedText, from start: Int, to end: Int, level: Int) {
    let count = end &- start
    guard level > PayloadLevel.root.rawValue || count == 5 || count > 13 else { return }
    misplaced |= Self.meaning(of: text, from: start, to: end, level: level)
  }

  /// The bit of the key that a name seems to mean, 0 for a name that is nobody's.
  @inline(never)
  private static func meaning(of text: IndexedText, from start: Int, to end: Int, level: Int) -> UInt16 {
    let name = text[start..<end]
    if level == PayloadLevel.root.rawValue, name.count == 5 {
      let key = PayloadKey(name: name, isPlain: true, level: PayloadLevel.aps.rawValue)
      return key == .other ? 0 : bit(key)
    }
    guard level <= PayloadLevel.alert.rawValue, MisplacedKey.meaning(of: name, level: level) != nil else {
      return 0
    }
    return bit(.root)
  }

  /// Records the number that is the value of `key`.
  @inline(__always)
  mutating func noteNumber(_ digits: UnsafeRawBufferPointer, of key: PayloadKey) {
    switch key {
    case .badge: badge = JSONNumber.integer(of: digits)
    case .contentAvailable: contentAvailable = JSONNumber.integer(of: digits)
    default: break
    }
  }

  /// Writes the facts at the end of the text.
  @inline(__always)
  func tell(_ facts: inout PayloadFacts, _ notes: JSONNotes) {
    let right = seen & ~wrong
    func has(_ key: PayloadKey) -> Bool { right & Self.bit(key) != 0 }
    facts.hasAPS = has(.aps)
    facts.hasAlert = has(.alert)
    facts.hasBadge = has(.badge)
    facts.hasSound = has(.sound)
    facts.hasContentAvailable = has(.contentAvailable)
    facts.alertHasOnlyBody = has(.alert) && has(.body) && !hasAlertKeyBesidesBody
    facts.hasMisplacedKey = misplaced & ~(seen & ~Self.bit(.root)) != 0
    facts.hasCustomNull = hasCustomNull
    facts.duplicateAPS = hasDuplicateAPS
    facts.badge = badge
    facts.contentAvailable = contentAvailable
    facts.insignificantWhitespace = notes.whitespace
    facts.encoding = .utf8
  }

  /// The problem of a text that is JSON: its shape first, then the first value in the text with a wrong type.
  @inline(__always)
  func problem(rules: PayloadRules, rootOffset: Int) -> (problem: PayloadProblem, offset: Int) {
    if wrong == 0, seen & Self.bit(.aps) != 0 { return (.none, 0) }
    return firstProblem(rules: rules) ?? (.apsMissing, rootOffset)
  }

  @inline(never)
  private func firstProblem(rules: PayloadRules) -> (problem: PayloadProblem, offset: Int)? {
    for key in [PayloadKey.root, .aps] where wrong & Self.bit(key) != 0 {
      return (key.problem, wrongOffsets[Int(key.rawValue)])
    }
    guard seen & Self.bit(.aps) != 0 else { return nil }
    guard rules.tables else { return (.none, 0) }
    let wrongKeys = PayloadKey.allCases.filter { wrong & Self.bit($0) != 0 }
    let places = wrongKeys.map { (problem: $0.problem, offset: wrongOffsets[Int($0.rawValue)]) }
    return places.min { $0.offset < $1.offset } ?? (.none, 0)
  }

  @inline(never)
  private mutating func noteWrong(_ key: PayloadKey, at offset: Int) {
    // The elements of loc-args have no names that could repeat: the first wrong one counts.
    if key == .locArg, wrong & Self.bit(.locArg) != 0 { return }
    wrong |= Self.bit(key)
    wrongOffsets[Int(key.rawValue)] = offset
  }

  /// Clears the findings about an earlier value of the same name.
  @inline(never)
  private mutating func forget(_ key: PayloadKey) {
    let forgotten: UInt16
    switch key {
    case .aps:
      forgotten = ~Self.bit(.root)
      if seen & Self.bit(.aps) != 0 { hasDuplicateAPS = true }
      (badge, contentAvailable, hasAlertKeyBesidesBody) = (0, 0, false)
    case .alert:
      forgotten = Self.bits(.alert, .body, .actionLocKey, .locKey, .locArgs, .launchImage, .locArg)
      hasAlertKeyBesidesBody = false
    case .locArgs:
      forgotten = Self.bits(.locArgs, .locArg)
    case .locArg:
      return
    case .badge:
      forgotten = Self.bit(.badge)
      badge = 0
    case .contentAvailable:
      forgotten = Self.bit(.contentAvailable)
      contentAvailable = 0
    default:
      forgotten = Self.bit(key)
    }
    seen &= ~forgotten
    wrong &= ~forgotten
  }

  private static func bits(_ keys: PayloadKey...) -> UInt16 {
    keys.reduce(0) { $0 | bit($1) }
  }

  @inline(__always)
  private static func bit(_ key: PayloadKey) -> UInt16 { 1 &<< UInt16(key.rawValue) }
}

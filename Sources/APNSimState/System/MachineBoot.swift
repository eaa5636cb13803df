import APNSimSystem

#if canImport(Darwin)
  import Darwin
#endif

/// The time from one start of a machine to the next.
///
/// The bytes written to a mapped file outlive the process, not the machine: only after another start of that can the
/// end of a file be in pieces.
struct MachineBoot: Hashable, Sendable {
  var high: UInt64 = 0
  var low: UInt64 = 0

  /// False where the kernel has no name for it.
  var isKnown: Bool { high | low != 0 }

  /// The time since the machine was started.
  static let current: MachineBoot = {
    let digits = name.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
    guard digits.count == 32 else { return MachineBoot() }
    func number(_ digits: ArraySlice<Int>) -> UInt64 { digits.reduce(0) { $0 << 4 | UInt64($1) } }
    return MachineBoot(high: number(digits[..<16]), low: number(digits[16...]))
  }()

  /// The kernel's name for it: 32 hexadecimal digits, with dashes between them; empty where it has none.
  private static var name: [UInt8] {
    #if canImport(Darwin)
      var text = [UInt8](repeating: 0, count: 64)
      var count = text.count
      return sysctlbyname("kern.bootsessionuuid", &text, &count, nil, 0) == 0 ? text : []
    #else
      return (try? SystemPath.bytes(of: "/proc/sys/kernel/random/boot_id", upTo: 63)) ?? []
    #endif
  }
}

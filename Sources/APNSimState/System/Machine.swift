#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// What is asked of the machine and of the process.
enum Machine {
  static var processIdentifier: Int { Int(getpid()) }

  /// Milliseconds since 1970-01-01T00:00:00Z by the system's real-time clock.
  static func realTime() -> Int64 {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return Int64(now.tv_sec) &* 1000 &+ Int64(now.tv_nsec) / 1_000_000
  }

  /// Nanoseconds since some moment, by a clock that is never set.
  static func elapsedTime() -> Int64 {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return Int64(now.tv_sec) &* 1_000_000_000 &+ Int64(now.tv_nsec)
  }

  /// What the kernel calls the time since the machine was started; zero where it has no name for it.
  ///
  /// What is written to a mapped file outlives the process, not the machine: only after another start of that can the
  /// end of a file be in pieces.
  static let boot: MachineBoot = {
    var text = [CChar](repeating: 0, count: 64)
    #if canImport(Darwin)
      var count = text.count - 1
      guard sysctlbyname("kern.bootsessionuuid", &text, &count, nil, 0) == 0 else { return MachineBoot() }
    #else
      let file = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
      guard file >= 0 else { return MachineBoot() }
      defer { close(file) }
      guard read(file, &text, text.count - 1) > 0 else { return MachineBoot() }
    #endif
    let digits = text.compactMap { Character(Unicode.Scalar(UInt8(bitPattern: $0))).hexDigitValue }
    guard digits.count == 32 else { return MachineBoot() }
    func number(_ digits: ArraySlice<Int>) -> UInt64 { digits.reduce(0) { $0 << 4 | UInt64($1) } }
    return MachineBoot(high: number(digits[..<16]), low: number(digits[16...]))
  }()
}

/// The time from one start of a machine to the next.
struct MachineBoot: Hashable, Sendable {
  var high: UInt64 = 0
  var low: UInt64 = 0

  var isKnown: Bool { high | low != 0 }
}

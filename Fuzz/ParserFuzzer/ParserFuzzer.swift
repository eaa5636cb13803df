import APNSimProperties
import Foundation

/// libFuzzer's own driver: mutates inputs and calls `try` until it is told to stop.
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
  _ try: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// The property that is fuzzed in this process.
private let property =
  Property(rawValue: ProcessInfo.processInfo.environment["FUZZ_TARGET"] ?? "") ?? .gateway

/// A violation traps, which is how the fuzzer learns of it; the bytes are then saved to `fixtures/crashers`, where a
/// test replays them for ever.
private func tryInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = Array(UnsafeBufferPointer(start: start, count: count))
  if let violation = property.violation(input) { preconditionFailure(violation) }
  return 0
}

/// The package manager gives the program this entry point instead of `main`.
@_cdecl("ParserFuzzer_main")
public func fuzzerMain(
  _ count: CInt,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> CInt {
  var count = count
  var arguments = arguments
  return runDriver(&count, &arguments) { tryInput($0, $1) }
}

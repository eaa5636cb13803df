import ArgumentParser

/// A notification identifier on the command line: `7` or `0x00000007`.
struct SendIdentifier: ExpressibleByArgument, Equatable {
  var rawValue: UInt32

  init?(argument: String) {
    let value =
      argument.hasPrefix("0x") ? UInt32(argument.dropFirst(2), radix: 16) : UInt32(argument)
    guard let value else { return nil }
    rawValue = value
  }
}

extension Listener {
  /// Where it is when nobody says otherwise: Apple's ports, and for the sandbox, which Apple has on another host, a
  /// hundred more. Devices of both environments come to one port.
  package func usualPort(in environment: PushEnvironment) -> UInt16 {
    switch (self, environment) {
    case (.gateway, .production): 2195
    case (.feedback, .production): 2196
    case (.gateway, .sandbox): 2295
    case (.feedback, .sandbox): 2296
    case (.device, _): 5223
    }
  }
}

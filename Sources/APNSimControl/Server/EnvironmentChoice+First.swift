package import APNSimCore
package import APNSimServer

extension EnvironmentChoice {
  /// That of the first gateway: what is meant where nobody names one, as on the device port.
  package var first: PushEnvironment { self == .sandbox ? .sandbox : .production }
}

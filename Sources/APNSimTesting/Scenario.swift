import APNSimCore
import APNSimScenario
import APNSimServer

extension APNSimulator {
  /// A situation to start from: devices, rules, faults, a timeline, settings, the clock. YAML or JSON, as `apnsim serve --scenario`
  /// takes it.
  ///
  /// ```swift
  /// @Test(.apnsim(scenario: """
  ///   clock: virtual
  ///   devices:
  ///     bob: { apps: [com.example.app], online: false }
  ///   timeline:
  ///     - { at: 10m, do: { device.online: bob } }
  ///   """))
  /// ```
  public struct Scenario: Hashable, Sendable, ExpressibleByStringLiteral {
    private enum Source: Hashable {
      case text(String)
      case file(String)
    }

    private let source: Source

    private init(_ source: Source) { self.source = source }

    public init(stringLiteral text: String) { source = .text(text) }

    /// The scenario of a text. It is read when a simulator starts with it.
    public static func text(_ text: String) -> Scenario { Scenario(.text(text)) }

    /// The scenario of a file. It is read when a simulator starts with it.
    /// - Parameter path: relative to the current directory, that of the package under `swift test`.
    public static func file(_ path: String) -> Scenario { Scenario(.file(path)) }

    func read() throws(TextError) -> APNSimCore.Scenario {
      let settings = ServerSetting.all.map(\.name)
      do throws(DocumentError) {
        switch source {
        case .text(let text):
          return try ScenarioBody.read(
            text,
            name: "scenario",
            serverSettings: settings,
            environment: .production
          )
        case .file(let path):
          return try ScenarioBody.load(path, serverSettings: settings, environment: .production)
        }
      } catch {
        throw TextError(error)
      }
    }
  }
}

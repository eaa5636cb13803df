/// One setting of the server by its name: how flags, `APNSIM_*` and `--config` all set it.
///
/// The sister of the core's `Setting`, for `ServerConfiguration`: `ServerSetting.all` is the only list of names,
/// allowed values and help texts.
public struct ServerSetting: Sendable {
  /// As in a YAML key and, in kebab case, in the flag: `tlsMin`, `--tls-min`.
  public let name: String
  /// What may stand there, for people: `1.0, 1.1, 1.2, 1.3`.
  public let values: String
  public let help: String
  /// Whether it is on or off, so that a flag may stand without a value.
  public let isSwitch: Bool
  private let write: @Sendable (String, inout ServerConfiguration) -> Bool
  private let read: @Sendable (ServerConfiguration) -> String

  init(
    name: String,
    values: String,
    help: String,
    isSwitch: Bool = false,
    write: @escaping @Sendable (String, inout ServerConfiguration) -> Bool,
    read: @escaping @Sendable (ServerConfiguration) -> String
  ) {
    self.name = name
    self.values = values
    self.help = help
    self.isSwitch = isSwitch
    self.write = write
    self.read = read
  }

  /// Why a value did not fit.
  public struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
    public let setting: String
    public let expected: String
    public let found: String
    public var description: String { "\(setting): expected \(expected), found \"\(found)\"" }
  }

  /// Sets it from text.
  /// - Throws: `Failure` that names what was expected and found.
  public func apply(_ text: String, to configuration: inout ServerConfiguration) throws(Failure) {
    guard write(text, &configuration) else {
      throw Failure(setting: name, expected: values, found: text)
    }
  }

  /// Its present value, in the form `apply` takes.
  public func text(in configuration: ServerConfiguration) -> String { read(configuration) }

  /// The setting of that name.
  public static func named(_ name: String) -> ServerSetting? { all.first { $0.name == name } }
}

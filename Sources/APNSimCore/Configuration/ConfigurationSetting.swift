import APNSimWire

/// One setting of a configuration by its name: how flags, `APNSIM_*`, `--config`, a scenario's `settings` and the API
/// all set it.
///
/// A table of these (``Setting``'s, and the server's) is the only list of names, allowed values and help texts, so
/// that a setting means the same wherever it is written.
public struct ConfigurationSetting<Root>: Sendable {
  /// The key in YAML and, in kebab case, the flag: `badgeAbsent`, `--badge-absent`.
  public let name: String
  /// The values that may stand there, for people: `guide, final`.
  public let values: String
  public let help: String
  /// The values, for programs.
  package let form: SettingForm
  /// True if recordings leave it out while it has its default.
  package private(set) var isOmittedAtDefault = false
  private let write: @Sendable (String, inout Root) -> Bool
  private let read: @Sendable (Root) -> String

  /// - Parameters:
  ///   - write: sets it from text; false when the text does not fit, and nothing has changed then.
  ///   - read: its present value, as `write` takes it.
  package init(
    name: String,
    values: String,
    help: String,
    form: SettingForm = .text,
    write: @escaping @Sendable (String, inout Root) -> Bool,
    read: @escaping @Sendable (Root) -> String
  ) {
    self.name = name
    self.values = values
    self.help = help
    self.form = form
    self.write = write
    self.read = read
  }

  /// The same setting, which recordings leave out while it has its default.
  ///
  /// Every setting is declared so that joins the table after version 0.1.0: a recording that was made before it names
  /// it nowhere, and has to be the same, byte for byte, when it is replayed. Its default says what such a recording
  /// means and therefore never changes.
  package func omittedAtDefault() -> Self {
    var setting = self
    setting.isOmittedAtDefault = true
    return setting
  }

  /// Sets it from text.
  /// - Throws: what was expected and found.
  public func apply(_ text: String, to configuration: inout Root) throws(SettingFailure) {
    guard write(text, &configuration) else {
      throw SettingFailure(setting: name, expected: values, found: text)
    }
  }

  /// Its present value, in the form `apply` takes.
  public func text(in configuration: Root) -> String { read(configuration) }
}

/// The reason why a value did not fit a setting.
public struct SettingFailure: Error, Hashable, Sendable, CustomStringConvertible {
  public let setting: String
  public let expected: String
  public let found: String
  public var description: String { "\(setting): expected \(expected), found \(KeyText.found(found))" }
}

import APNSimScenario
import ArgumentParser

/// What may have been meant by a command line that was not understood.
enum UsageHint {
  /// - Parameter arguments: the whole command line, the program's name first.
  static func hints(for arguments: [String]) -> [String] {
    guard let word = arguments.dropFirst().first(where: { $0 != "help" }), !word.hasPrefix("-") else {
      return []
    }
    let names = Apnsim.configuration.subcommands.compactMap { $0.configuration.commandName }
    guard !names.contains(word) else { return [] }
    if word == "redact" { return ["\"apnsim import FILE --redact -o OUTPUT\" redacts a recording"] }
    if let meant = NearestName.find(word, among: names) { return ["did you mean \"apnsim \(meant)\"?"] }
    return ["the subcommands are \(names.joined(separator: ", ")); see \"apnsim --help\""]
  }
}

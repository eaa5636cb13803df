import APNSimScenario
import APNSimTLS
import APNSimTestSupport
import Foundation
import Testing

@testable import apnsim

/// People give a key in place of its file: in a variable of a CI, by `$(cat key.p8)`, in a file of settings. Nothing that is
/// printed has any of it, whatever it was given to.
@Suite(.mustNotHang) struct `A private key that is given to whatever takes a text` {
  private let folder: TemporaryDirectory
  private let key: Key

  init() throws {
    folder = try TemporaryDirectory()
    key = try Key()
  }

  /// A key of this test in the forms that it is given in.
  struct Key: Sendable {
    let pem: String
    private let lines: [String]

    init() throws {
      pem = String(decoding: try ProviderKey.generate().pem, as: UTF8.self)
      lines = pem.split(separator: "\n").map(String.init)
    }

    /// With line breaks, with `\n` written out, and the Base64 alone.
    var forms: [String] { [pem, lines.joined(separator: "\\n"), lines.dropFirst().dropLast().joined()] }

    /// True if a text has a part of it.
    func isIn(_ text: String) -> Bool {
      lines.dropFirst().dropLast().contains { line in
        stride(from: 0, through: line.count - 12, by: 12).contains {
          text.contains(line.dropFirst($0).prefix(12))
        }
      }
    }
  }

  private func said(_ body: () throws -> Void) -> String {
    do {
      try body()
      return ""
    } catch let failure as CommandFailure {
      return failure.lines.map { Output.shown($0, isMessage: true) }.joined(separator: "\n")
    } catch {
      return Output.shown("\(error)", isMessage: true)
    }
  }

  @Test(arguments: PlanSetting.all.map(\.name))
  func
    `a setting that is given a key by flag, variable or file says what it expected, and shows nothing of it`(
      setting: String
    ) throws
  {
    for form in key.forms {
      let byFlag = said { _ = try FlagAssignments.read([(setting, form)]) }
      let byVariable = said {
        _ = try SettingLayers(flags: [], environment: [SettingName(setting).variable: form]).plan()
      }
      let quoted = String(decoding: try JSONEncoder().encode(form), as: UTF8.self)
      let config = try folder.write("c.json", "{\"\(setting)\": \(quoted)}")
      let byFile = said {
        _ = try SettingLayers(flags: [], environment: ["APNSIM_CONFIG": config]).plan()
      }
      for text in [byFlag, byVariable, byFile] { #expect(!key.isIn(text), "\(text)") }
      let isTaken = setting == "authKey" && form.contains("BEGIN")
      #expect(byFlag.isEmpty == isTaken)
      if setting != "authKey" {
        #expect(byVariable.contains("expected") && byVariable.contains("a private key (not shown)"))
      }
    }
  }

  @Test func `no option of any command shows a key that it is given, and no argument`() async throws {
    let commands = try Options.all(await Binary.run(["--experimental-dump-help"], in: folder).output)
    #expect(commands.count > 40 && commands.contains { $0.words == ["certs", "jwt"] })
    try await withThrowingTaskGroup(of: Void.self) { group in
      // Settings are the matter of the test before, and these two have little else.
      for command in commands where !["help", "serve", "exec"].contains(command.words.first) {
        for option in command.options + [""] {
          group.addTask { try await expectNothing(of: command.words, option) }
        }
      }
      try await group.waitForAll()
    }
  }

  private func expectNothing(of words: [String], _ option: String) async throws {
    let place = try TemporaryDirectory()
    let given = option.isEmpty ? [key.pem] : ["\(option)=\(key.pem)"]
    // Nothing listens there: whoever asks a server ends at once.
    let environment = [
      "APNSIM_CONTROL_URL": "http://127.0.0.1:1", "APNSIM_HTTP2_PORT": "1", "APNSIM_GATEWAY_PORT": "1",
      "APNSIM_FEEDBACK_PORT": "1", "APNSIM_DEVICE_PORT": "1",
    ]
    let run = try await Binary.run(words + given, in: place, environment: environment)
    #expect(!key.isIn(run.output + run.errors), "\(words) \(option)")
  }

  @Test(arguments: ["", "serve", "exec"])
  func `an unquoted key on the command line is not shown word by word`(command: String) async throws {
    try folder.write("key.p8", key.pem)
    let run = try await Binary.shell("apnsim \(command) --auth-key $(cat key.p8) -- true", in: folder)
    #expect(run.status != 0)
    #expect(!key.isIn(run.errors + run.output), "\(run.errors)")
  }
}

/// The options of every command that take a value, by what the program says of itself.
private struct Options {
  var words: [String]
  var options: [String]

  private struct Dump: Decodable {
    struct Command: Decodable {
      struct Argument: Decodable {
        struct Name: Decodable {
          var kind: String
          var name: String
        }

        var kind: String
        var preferredName: Name?
      }

      var commandName: String
      var arguments: [Argument]?
      var subcommands: [Command]?
    }

    var command: Command
  }

  static func all(_ help: String) throws -> [Options] {
    try all(JSONDecoder().decode(Dump.self, from: Data(help.utf8)).command, after: nil)
  }

  private static func all(_ command: Dump.Command, after words: [String]?) -> [Options] {
    let words = words.map { $0 + [command.commandName] } ?? []
    let options = (command.arguments ?? []).filter { $0.kind == "option" }
      .compactMap { $0.preferredName?.name }.map { "--\($0)" }
    return [Options(words: words, options: options)]
      + (command.subcommands ?? []).flatMap { all($0, after: words) }
  }
}

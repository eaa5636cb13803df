import APNSimTestSupport
import Foundation
import Testing

@testable import apnsim

@Suite struct `What a shell offers` {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  @Test func `a shell offers programs for the command of exec, and files after its name`() throws {
    for name in ["pytest", "pytest.md"] { try folder.write(name, "") }
    chmod(folder.file("pytest"), 0o755)
    try FileManager.default.createDirectory(atPath: folder.file("py"), withIntermediateDirectories: false)
    func offered(_ words: [String], _ prefix: String) -> [String] {
      CommandCompletion.candidates(words, words.count - 1, prefix, path: "/nowhere:\(folder.path)")
    }
    #expect(offered(["apnsim", "exec", "--", "py"], "py") == ["pytest"])
    #expect(
      offered(["apnsim", "exec", "--", "pytest", folder.file("pytest.")], folder.file("pytest.")) == [
        folder.file("pytest.md")
      ]
    )
    #expect(
      offered(["apnsim", "exec", "--", folder.file("py")], folder.file("py"))
        == ["py", "pytest", "pytest.md"].map(folder.file)
    )
  }

  @Test(arguments: [
    ("fault add --reason Too", "TooManyProviderTokenUpdates TooManyRequests"),
    ("send --push-type a", "alert"),
    ("exec -- cat orde", "order.apns orders.txt"), ("exec -- mkfif", "mkfifo"),
  ])
  func `bash completes a line by the program's own script`(line: String, expected: String) async throws {
    let words = ["apnsim"] + line.split(separator: " ").map { String($0) }
    let script = """
      source <(apnsim --generate-completion-script bash)
      COMP_WORDS=(\(words.joined(separator: " "))) COMP_CWORD=\(words.count - 1) COMP_LINE='apnsim \(line)' COMP_POINT=\(line.utf8.count + 7)
      $(complete -p apnsim | sed -E 's/.*-F ([^ ]+).*/\\1/') apnsim '\(words[words.count - 1])' '\(words[words.count - 2])'
      echo "${COMPREPLY[@]}"
      """
    for name in ["order.apns", "orders.txt", "other"] { try folder.write(name, "") }
    let path = try folder.write("complete.sh", script)
    let result = try await Binary.shell("bash \(path)", in: folder)
    #expect(result.output == expected + "\n", "\(result.errors)")
  }
}

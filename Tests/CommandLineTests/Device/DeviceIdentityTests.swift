import APNSimTestSupport
import Foundation
import Testing

@Suite(.mustNotHang) struct `Whose certificate a device shows` {
  @Test func `a device's certificate is that of its name, not of one that makes the same file name`()
    async throws
  {
    let folder = try TemporaryDirectory()
    let made = try await Binary.run(["certs", "issue", "--device", "living room"], in: folder)
    #expect(made.status == 0, "\(made.errors)")
    let other = try await Binary.run(["device", "connect", "--name", "living_room"], in: folder)
    #expect(other.status == 78 && other.errors.contains("found that of \"living room\""), "\(other.errors)")
  }

  @Test func `a device's certificate is said once`() async throws {
    let folder = try TemporaryDirectory()
    let both = try await Binary.run(["device", "connect", "--name", "a", "--cert", "b.pem"], in: folder)
    #expect(both.status == 64 && both.errors.contains("--name and --cert"), "\(both.errors)")
    for flag in [["--environment", "sandbox"], ["--key-type", "rsa"]] {
      let issued = try await Binary.run(["certs", "issue", "--device", "a"] + flag, in: folder)
      #expect(issued.status == 64 && issued.errors.contains("\(flag[0]) requires topics"), "\(issued.errors)")
    }
  }

  @Test func `an app that is removed has no token`() async throws {
    let app = "com.example.app=" + String(repeating: "ab", count: 32)
    for command in [
      ["device", "uninstall", "bob", app], ["feedback", "clear", "--app", app],
      ["feedback", "add", "bob", "--app", app],
    ] {
      let run = try await Binary.run(command, in: try TemporaryDirectory())
      #expect(run.status == 64 && run.errors.contains("takes no token"), "\(run.errors)")
    }
  }

  @Test func `a directory without a CA is told how to get one`() async throws {
    let listed = try await Binary.run(["certs", "list", "--certs", "nowhere"], in: try TemporaryDirectory())
    #expect(
      listed.status == 78 && listed.errors.contains("hint: \"apnsim certs init\" makes one"),
      "\(listed.errors)"
    )
  }
}

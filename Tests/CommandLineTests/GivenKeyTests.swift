import APNSimTLS
import APNSimTestSupport
import Foundation
import Testing

/// A key by its text, as CI systems keep it, and a key's identifier beside it.
@Suite(.mustNotHang) struct `A key that is given as its text` {
  private let folder: TemporaryDirectory
  private let key: String

  init() throws {
    folder = try TemporaryDirectory()
    key = String(decoding: try ProviderKey.generate().pem, as: UTF8.self)
  }

  private func serve(_ environment: [String: String], _ flags: String...) async throws -> Binary.Result {
    try await Binary.run(["serve", "--ephemeral"] + flags, in: folder, environment: environment)
  }

  @Test func `a key is taken with its identifier, also in one line, and signs good tokens`() async throws {
    try folder.write("key.p8", key)
    let run = try await Binary.shell(
      """
      set -e
      mkdir keys; cp key.p8 keys/AuthKey_MINE123456.p8
      for text in "$(cat key.p8)" "$(echo $(cat key.p8))"; do
        APNSIM_AUTH_KEY="$text" APNSIM_KEY_ID=MINE123456 apnsim exec -- sh -c '
          echo "{\\"aps\\":{}}" | apnsim send - --to $(printf "aa%.0s" $(seq 32)) --api http2 \
            --jwt "$(apnsim certs jwt --key keys/AuthKey_MINE123456.p8 --certs "$APNSIM_CERTS")"'
      done
      """,
      in: folder
    )
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.components(separatedBy: "  200  ").count == 3, "\(run.output)")
  }

  @Test func `a key without an identifier, two of them, or one that is cut are bad configurations`()
    async throws
  {
    let without = try await serve(["APNSIM_AUTH_KEY": key])
    #expect(without.status == 78 && without.errors.contains("needs keyId (--key-id ID, APNSIM_KEY_ID)"))
    let two = try await serve(["APNSIM_AUTH_KEY": "\(key),\(key)", "APNSIM_KEY_ID": "MINE123456"])
    #expect(two.status == 78 && two.errors.contains("one key may be given as its text, found 2"))
    let cut = try await serve(["APNSIM_AUTH_KEY": String(key.prefix(120)), "APNSIM_KEY_ID": "MINE123456"])
    #expect(cut.status == 78 && cut.errors.contains("authKey: the private key is cut"))
    let bad = try await serve(["APNSIM_AUTH_KEY": key, "APNSIM_KEY_ID": "MINE-123"])
    #expect(bad.status == 78 && bad.errors.contains("keyId: expected up to 64 letters and digits"))
  }

  @Test
  func `an identifier beside a file whose name has another is a bad configuration, and alone it is usage`()
    async throws
  {
    let file = try folder.write("AuthKey_MINE123456.p8", key)
    let other = try await serve([:], "--auth-key", file, "--key-id", "OTHER12345")
    #expect(
      other.status == 78
        && other.errors.contains("keyId: expected MINE123456, as the name of the key's file says")
    )
    #expect(try await serve([:], "--key-id", "OTHER12345").status == 64)
    let unnamed = try folder.write("key.p8", key)
    let server = try await RunningServer.start(["--auth-key", unnamed, "--key-id", "OTHER12345"], in: folder)
    #expect(try await server.stop() == 0)
  }

  @Test func `an inner exec does not take an outer one's key for a setting`() async throws {
    let run = try await Binary.shell(
      "apnsim exec -- apnsim exec --auth-key \"$PWD/AuthKey_MINE123456.p8\" -- sh -c 'echo $APNSIM_KEY_ID'",
      in: try written()
    )
    #expect(run.status == 0 && run.output == "APNSIMKEY1\n", "\(run.errors)")
  }

  private func written() throws -> TemporaryDirectory {
    try folder.write("AuthKey_MINE123456.p8", key)
    return folder
  }
}

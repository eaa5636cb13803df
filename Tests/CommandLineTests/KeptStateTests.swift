import APNSimTestSupport
import Foundation
import Testing

/// Directories that earlier versions wrote, in `fixtures/state-1`, `state-2` and so on: an upgrade reads them.
@Suite struct `A state that an earlier version wrote` {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  @Test(arguments: [false, true])
  func `a state of an earlier version comes to its journal, from its snapshot and from its log`(
    isFromLog: Bool
  )
    async throws
  {
    let kept = Fixtures.root.appendingPathComponent("state-1")
    let (state, certificates) = (
      folder.url.appendingPathComponent("state"), folder.url.appendingPathComponent("certs")
    )
    try FileManager.default.copyItem(at: kept.appendingPathComponent("state"), to: state)
    try FileManager.default.createDirectory(at: certificates, withIntermediateDirectories: true)
    try FileManager.default.copyItem(
      at: kept.appendingPathComponent("token.key"),
      to: certificates.appendingPathComponent("token.key")
    )
    if isFromLog {
      let names = try FileManager.default.contentsOfDirectory(atPath: state.path)
      let snapshots = names.filter { $0.hasPrefix("snapshot-") }.sorted { $0.count < $1.count }
      #expect(snapshots.count == 2)
      try FileManager.default.removeItem(at: state.appendingPathComponent(try #require(snapshots.last)))
    }
    let run = try await Binary.shell(
      """
      apnsim serve --ephemeral --state state --certs certs --clock virtual@2026-01-01T00:00:00Z \
        --record again.jsonl --endpoints-file ends >banner & server=$!
      apnsim ready --endpoints-file ends --timeout \(Hang.timeout) >ready || { kill $server; exit 1; }
      kill $server; wait $server
      """,
      in: folder
    )
    #expect(run.status == 0, "\(run.errors)")
    func lines(_ url: URL) throws -> ArraySlice<Substring> {
      try String(contentsOf: url, encoding: .utf8).split(separator: "\n").dropFirst()
    }
    let expected = try lines(kept.appendingPathComponent("journal.jsonl"))
    #expect(!expected.isEmpty)
    #expect(try lines(folder.url.appendingPathComponent("again.jsonl")).starts(with: expected))
  }
}

@Suite struct `Two processes with other seeds of their hashes` {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  @Test func `processes with other seeds of their hashes come to one journal, also from a snapshot`()
    async throws
  {
    let run = try await Binary.shell(
      """
      serve() {
        apnsim serve --ephemeral --certs '\(TestCertificates.path)' --clock virtual@2012-06-01 --seed 1 \
          --endpoints-file ends "$@" >banner & server=$!
        apnsim ready --endpoints-file ends --timeout \(Hang.timeout) >ready || { kill -9 $server; exit 1; }
      }
      traffic() {
        apnsim send --demo --timeout \(Hang.timeout) --endpoints-file ends >demo
        apnsim device add "d$1" --offline --app com.example.app --endpoints-file ends >device
        apnsim clock advance 1h --endpoints-file ends >clock
        apnsim send --demo --timeout \(Hang.timeout) --endpoints-file ends >demo
      }
      set -e
      serve --state state
      traffic 1
      # The snapshot in the middle.
      kill $server; wait $server
      serve --state state
      traffic 2
      kill -9 $server; wait $server || true
      cp -r state whole
      rm "whole/$(ls whole | grep snapshot- | sort -t- -k2 -n | tail -n 1)"
      SWIFT_DETERMINISTIC_HASHING=1 serve --state whole --record whole.jsonl
      kill $server; wait $server
      serve --state state --record middle.jsonl
      kill $server; wait $server
      """,
      in: folder
    )
    #expect(run.status == 0, "\(run.errors)")
    func lines(_ name: String) throws -> ArraySlice<Substring> {
      try String(contentsOfFile: folder.file(name), encoding: .utf8).split(separator: "\n").dropFirst()
    }
    let (whole, middle) = (try lines("whole.jsonl"), try lines("middle.jsonl"))
    #expect(whole.count > 40 && whole.elementsEqual(middle))
  }
}

import APNSimCore
import APNSimTestSupport
import Foundation
import Testing

@Suite struct `Bytes that once broke something` {
  @Test func `do not any more`() throws {
    let folder = Fixtures.root.appendingPathComponent("crashers")
    let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    for file in files.sorted(by: { $0.path < $1.path }) where file.pathExtension != "md" {
      let input = try Array(Data(contentsOf: file))
      #expect(GatewayProperty.violation(input) == nil, "\(file.lastPathComponent)")
    }
  }

  @Test func `random bytes hold the property`() {
    var generator = SeededGenerator(seed: 11)
    for _ in 0..<300 {
      let count = Int.random(in: 0..<400, using: &generator)
      var input = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
      if count > 2 { input[1] = UInt8.random(in: 0...3, using: &generator) }
      #expect(GatewayProperty.violation(input) == nil)
    }
  }
}

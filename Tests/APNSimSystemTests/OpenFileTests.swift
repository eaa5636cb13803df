import APNSimSystem
import APNSimTestSupport
import Foundation
import SystemPackage
import Testing

@Suite struct `An open file` {
  private let home: TemporaryDirectory

  init() throws { home = try TemporaryDirectory() }

  @Test func `a file that is made is for its owner alone, unless more is said`() throws {
    let file = try SystemFile(home.file("file"), .readWrite, [.create, .exclusiveCreate])
    #expect(try file.facts.permissions == .ownerReadWrite && file.isRegular)
    try file.setMode(0o644)
    #expect(try file.facts.permissions.rawValue == 0o644)
  }

  @Test func `a file is not made anew where something has its name, be it a link to nothing`() throws {
    try FileManager.default.createSymbolicLink(atPath: home.file("link"), withDestinationPath: "nothing")
    try home.write("file", "x")
    for name in ["file", "link"] {
      let error = #expect(throws: SystemError.self) {
        try SystemFile(home.file(name), .writeOnly, [.create, .exclusiveCreate])
      }
      #expect(error?.code == .fileExists && error?.operation == "open" && error?.path == home.file(name))
    }
    #expect(!SystemPath.exists(home.file("nothing")))
  }

  @Test func `a file of ours is no link, no pipe and no directory, and none of these is waited for`() throws {
    try home.write("file", "x")
    try FileManager.default.createSymbolicLink(atPath: home.file("link"), withDestinationPath: "file")
    try #require(mkfifo(home.file("pipe"), 0o600) == 0)
    for (name, words) in [
      ("link", "it is a symbolic link, and a file was expected"), ("pipe", "it is not a regular file"),
      (".", "it is not a regular file"),
    ] {
      let error = #expect(throws: SystemError.self) { try SystemFile(ours: home.file(name), .readOnly) }
      #expect(error?.words == words)
    }
    #expect(try SystemFile(ours: home.file("file"), .readOnly).read(9) == Array("x".utf8))
  }

  @Test func `a file of ours takes the place of a link, and what that led to stays`() throws {
    try home.write("file", "old")
    try FileManager.default.createSymbolicLink(atPath: home.file("link"), withDestinationPath: "file")
    let file = try SystemFile(replacing: home.file("link"))
    try file.write(Array("new".utf8), at: 0)
    #expect(try home.read("file") == Array("old".utf8) && home.read("link") == Array("new".utf8))
    #expect(SystemPath.facts(home.file("link"), followsLinks: false)?.permissions == .ownerReadWrite)
  }

  @Test func `a file is written and read at any offset, and reading ends where the file does`() throws {
    let file = try SystemFile(home.file("file"), .readWrite, .create)
    try file.write([1, 2, 3], at: 4)
    try file.write([9], at: 1)
    #expect(try file.read(100) == [0, 9, 0, 0, 1, 2, 3])
    #expect(try file.read(2, at: 5) == [2, 3] && file.read(1, at: 7).isEmpty)
    try file.resize(to: 5)
    #expect(try file.byteCount == 5 && file.rest(upTo: 100) == [0, 9, 0, 0, 1])
  }

  @Test func `two that append to a file both have their bytes in it`() throws {
    let files = try (0..<2).map { _ in try SystemFile(home.file("file"), .writeOnly, [.create, .append]) }
    for (index, file) in (files + files).enumerated() { try file.write([UInt8(index)]) }
    #expect(try home.read("file") == [0, 1, 2, 3])
  }

  @Test func `allocated bytes are all zero, and the file has as many as were asked for`() throws {
    let file = try SystemFile(replacing: home.file("file"))
    try file.allocate(3 << 20)
    #expect(try file.byteCount == 3 << 20 && file.read(3 << 20).allSatisfy { $0 == 0 })
    #expect(SystemPath.facts(file.path)?.size == 3 << 20)
  }

  @Test func `what is written past the cache is read through it, where the file system can do that`() throws {
    let file = try SystemFile(home.file("file"), .readWrite, .create)
    let block = UnsafeMutableRawBufferPointer.allocate(byteCount: 8192, alignment: 4096)
    defer { block.deallocate() }
    block.copyBytes(from: (0..<8192).map { UInt8(truncatingIfNeeded: $0 / 3) })
    guard file.writeDirectly(UnsafeRawBufferPointer(block), at: 4096) else { return }
    #expect(try file.read(8192, at: 4096) == Array(block) && file.byteCount == 12_288)
  }

  @Test func `a lock is kept from others until it is given back, or its file closed`() throws {
    let path = try home.write("file", "")
    let (one, other) = (try SystemFile(path, .readWrite), try SystemFile(path, .readOnly))
    #expect(try one.lock() && !other.lock() && !other.lock(.shared))
    one.unlock()
    #expect(try other.lock(.shared) && one.lock(.shared) && !one.lock())
    one.unlock()
    try other.close()
    #expect(try one.lock())
  }

  @Test func `a file is in place while its path leads to it, through a link where links count`() throws {
    let file = try SystemFile(try home.write("file", ""), .readOnly)
    #expect(file.isInPlace() && file.isInPlace(followsLinks: false))
    try SystemPath.move(file.path, to: home.file("moved"))
    #expect(!file.isInPlace())
    try FileManager.default.createSymbolicLink(atPath: file.path, withDestinationPath: "moved")
    #expect(file.isInPlace() && !file.isInPlace(followsLinks: false))
    try SystemPath.remove(home.file("moved"))
    #expect(try file.facts.linkCount == 0 && !file.isInPlace())
  }

  @Test func `a file that is closed once more is no error, and is not open`() throws {
    let file = try SystemFile(try home.write("file", "x"), .readOnly)
    try file.close()
    try file.close()
    #expect(file.path == home.file("file"))
  }

  @Test func `an unlinked file is read back as it was appended to`() throws {
    let file = try UnlinkedFile()
    for _ in 0..<3 { try file.append([1, 2]) }
    #expect(try file.byteCount == 6 && file.read(from: 1, upTo: 4) == [2, 1, 2, 1])
    #expect(try file.read(from: 6, upTo: 4).isEmpty)
  }

  @Test func `a file and its mapping have the same bytes, whichever was written to`() throws {
    let file = try SystemFile(replacing: home.file("file"))
    try file.allocate(1 << 14)
    let mapping = try SystemMapping(file, byteCount: 1 << 14, isWritable: true)
    (mapping.start + 5000).storeBytes(of: 7, as: UInt8.self)
    try mapping.sync(4999..<5001)
    try file.write([8], at: 5001)
    try file.sync()
    #expect(try file.read(3, at: 4999) == [0, 7, 8] && Array(mapping.bytes[4999..<5002]) == [0, 7, 8])
  }
}

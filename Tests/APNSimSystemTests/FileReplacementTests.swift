import APNSimSystem
import APNSimTestSupport
import Foundation
import SystemPackage
import Testing

@Suite
struct FileReplacementTests {
  private let home: TemporaryDirectory

  init() throws { home = try TemporaryDirectory() }

  private func type(_ name: String) -> FileType? {
    SystemPath.facts(home.file(name), followsLinks: false)?.type
  }

  private func mode(_ name: String) -> CInterop.Mode? {
    SystemPath.facts(home.file(name))?.permissions.rawValue
  }

  @Test
  func `a file is replaced at once, and nothing is left beside it`() throws {
    try home.write("file", [1])
    try FileReplacement.write([2], to: home.file("file"), mode: 0o600)
    #expect(try home.read("file") == [2])
    #expect(mode("file") == 0o600)
    #expect(try SystemFolder.names(in: home.path) == ["file"])
  }

  @Test
  func `a draft is for nobody else until it has the mode of what it replaces`() throws {
    try home.write("file", [1])
    try #require(chmod(home.file("file"), 0o640) == 0)
    let place = FileReplacement(of: home.file("file"))
    #expect(place.draftMode == 0o600 && FileReplacement(of: home.file("new")).draftMode == 0o666)
    let file = try SystemFile(place.draft, .writeOnly, .create, mode: place.draftMode)
    place.adopt(file)
    try place.commit()
    #expect(mode("file") == 0o640)
  }

  @Test
  func `the file that links mean is replaced, or made, and the links stay`() throws {
    try FileManager.default.createDirectory(atPath: home.file("folder"), withIntermediateDirectories: false)
    try home.write("folder/file", [1])
    for (link, meant) in [
      ("old", "folder/file"), ("second", "old"), ("new", "folder/made"), ("absolute", home.file("other")),
    ] {
      try FileManager.default.createSymbolicLink(atPath: home.file(link), withDestinationPath: meant)
    }
    for (link, file) in [("second", "folder/file"), ("new", "folder/made"), ("absolute", "other")] {
      try FileReplacement.write([2], to: home.file(link), mode: 0o644)
      #expect(try home.read(file) == [2])
      #expect(type(link) == .symbolicLink)
    }
    #expect(try SystemFolder.names(in: home.file("folder")) == ["file", "made"])
  }

  @Test
  func `a link to itself is an error, and stays`() throws {
    try FileManager.default.createSymbolicLink(atPath: home.file("loop"), withDestinationPath: "loop")
    #expect(throws: SystemError.self) {
      try FileReplacement.write([2], to: home.file("loop"), mode: 0o644)
    }
    #expect(type("loop") == .symbolicLink)
  }

  @Test
  func `a pipe is written as it is, and keeps its mode`() throws {
    let pipe = home.file("pipe")
    try #require(mkfifo(pipe, 0o640) == 0)
    let reader = open(pipe, O_RDONLY | O_NONBLOCK)
    defer { close(reader) }
    try FileReplacement.write([1, 2, 3], to: pipe, mode: 0o600)
    var bytes = [UInt8](repeating: 0, count: 8)
    #expect(read(reader, &bytes, bytes.count) == 3)
    #expect(Array(bytes[..<3]) == [1, 2, 3])
    #expect(mode("pipe") == 0o640)
    var facts = stat()
    #expect(stat(pipe, &facts) == 0 && facts.st_mode & S_IFMT == S_IFIFO)
  }

  #if os(Linux)
    @Test
    func `a device stays one`() throws {
      let device = home.file("null")
      // A device such as /dev/null; making one takes privileges.
      guard mknod(device, S_IFCHR | 0o666, 1 << 8 | 3) == 0 else { return }
      try FileReplacement.write([1], to: device, mode: 0o600)
      #expect(type("null") == .characterSpecial)
    }
  #endif
}

import APNSimScenario
import APNSimWire

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Carries a row of `make count` out, which callgrind counts: `Counts ROW`, the file of a row.
@main
enum Counts {
  static func main() {
    guard CommandLine.arguments.count == 2 else { return fail("usage: Counts ROW") }
    do {
      let text = try DocumentFile.text(of: CommandLine.arguments[1])
      try Course(Row(JSONValue.parse(Array(text.utf8)))).run()
    } catch {
      fail("\(error)")
    }
  }

  private static func fail(_ reason: String) {
    print(reason)
    exit(1)
  }
}

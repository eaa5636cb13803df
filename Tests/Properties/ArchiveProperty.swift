import APNSimImport
import APNSimWire

/// An entry of an HTTP archive is read, or refused with what was expected; nothing traps.
enum ArchiveProperty {
  static func violation(_ input: [UInt8]) -> String? {
    guard let entry = try? JSONValue.parse(input) else { return nil }
    do throws(ArchivedExchange.Other) {
      let exchange = try ArchivedExchange(entry)
      if exchange.end < exchange.start { return "it ends before it begins" }
      return exchange.fields.prefix(4).allSatisfy { $0.name.first == 0x3A }
        ? nil : "a pseudo-header is missing"
    } catch {
      if case .damaged("") = error { return "nobody knows what was expected" }
      return nil
    }
  }
}

/// A connection that an entry of a log is about, which it names by its number.
protocol LoggedConnection: ConnectionRecord {
  /// The connection that an entry names.
  /// - Throws: where there is none of that kind.
  static func named(by entry: inout StateReader, in world: inout World) throws(StateError) -> Self
}

/// An input of one connection. Its entry has the connection's number first, and then what else it brings.
protocol ConnectionInput: Input {
  associatedtype Connection: LoggedConnection

  var connection: Connection { get }

  /// Writes what it brings beside the connection.
  func writeRest(to entry: inout StateWriter)

  /// Reads what ``writeRest(to:)`` wrote.
  static func read(_ entry: inout StateReader, of connection: Connection) throws(StateError) -> Self
}

extension ConnectionInput {
  var matters: Bool { connection.isOpen }

  func writeRest(to entry: inout StateWriter) {}

  func write(to entry: inout StateWriter) {
    entry.write(raw: connection.id.rawValue)
    writeRest(to: &entry)
  }

  static func replay(
    _ entry: inout StateReader,
    on world: inout World,
    texts: any StateTexts
  ) throws(StateError) {
    let connection = try Connection.named(by: &entry, in: &world)
    var input = try read(&entry, of: connection)
    _ = input.apply(to: &world)
  }
}

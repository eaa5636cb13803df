package import APNSimCore
package import APNSimTLS
import APNSimWire

/// The keys whose provider tokens are good, by their identifiers.
///
/// They are those of the directory of certificates (`AuthKey_<ID>.p8`, as Apple names them) and the files that were named.
package struct ProviderKeyRing: Sendable {
  /// A key and what it may be used for.
  package struct Entry: Sendable {
    package var key: ProviderKey
    package var scope: ProviderKeyScope

    package init(key: ProviderKey, scope: ProviderKeyScope) { (self.key, self.scope) = (key, scope) }
  }

  private var entries: [String: Entry] = [:]
  private let directory: PKIDirectory

  /// - Parameters:
  ///   - files: further keys, each `FILE` or `FILE:TEAM`, or a key's text.
  ///   - keyID: the identifier of one that has none in its name.
  /// - Throws: `TLSSetupError` for a file that is no key, or another key under an identifier that is taken.
  package init(
    _ directory: PKIDirectory,
    files: [String] = [],
    keyID: String? = nil
  ) throws(TLSSetupError) {
    self.directory = directory
    for file in directory.providerKeys() {
      let scope = try Self.scope(of: file.id, in: directory)
      try add(file.id, Entry(key: PKIDirectory.readProviderKey(file.path), scope: scope), file.path)
    }
    for text in files {
      let file = ProviderKeyFile(text)
      guard let id = file.id ?? keyID else {
        throw TLSSetupError(
          file: file.name,
          reason: "expected a name as Apple gives keys, AuthKey_<ID>.p8: the identifier is taken from it",
          hint: "--key-id ID says it of a file with another name"
        )
      }
      try add(id, Entry(key: file.key(), scope: ProviderKeyScope(team: file.team)), file.name)
    }
  }

  /// The key of an identifier; one that was put into the directory since is read.
  /// - Throws: `TLSSetupError` where that file is no key.
  package mutating func find(_ id: String) throws(TLSSetupError) -> Entry? {
    if let entry = entries[id] { return entry }
    guard PKIDirectory.isProviderKeyID(id), let path = directory.existingProviderKey(id) else { return nil }
    let key = try PKIDirectory.readProviderKey(path)
    let entry = Entry(key: key, scope: try Self.scope(of: id, in: directory))
    entries[id] = entry
    return entry
  }

  /// Adds keys that have no files, by their identifiers. Each takes the place of one that has.
  package mutating func use(_ keys: [String: Entry]) { entries.merge(keys) { $1 } }

  /// The identifiers, sorted.
  package var identifiers: [String] { entries.keys.sorted() }

  /// The words of the record beside a key. The one that is made first has none, and a team.
  package static func scope(
    of id: String,
    in directory: PKIDirectory
  ) throws(TLSSetupError) -> ProviderKeyScope {
    guard let record = try directory.providerKeyRecord(id) else {
      return ProviderKeyScope(team: id == PKIDirectory.defaultProviderKey ? PKIDirectory.defaultTeam : nil)
    }
    guard let scope = ProviderKeyScope(record: record) else {
      throw TLSSetupError(
        file: directory.recordFile(id),
        reason:
          #"expected an object such as {"team":"TEAM","environment":"sandbox","topics":["com.example.app"]}"#
      )
    }
    return scope
  }

  /// The same key twice is one: what is said of it last counts.
  private mutating func add(_ id: String, _ entry: Entry, _ path: String) throws(TLSSetupError) {
    if let known = entries[id] {
      guard known.key.equals(entry.key) else {
        throw TLSSetupError(
          file: path,
          reason: "is another key than the one that is known as \(id)",
          hint: "keys are told apart by their identifiers, which file names have"
        )
      }
      if entry.scope.team == nil { return }
    }
    entries[id] = entry
  }
}

extension ProviderKeyScope {
  /// Reads the record beside a key: an object with `team`, `environment` and `topics`, each of which may be absent.
  package init?(record: [UInt8]) {
    guard let object = try? JSONValue.parse(record), case .object(let members) = object else { return nil }
    self.init()
    for member in members {
      switch (member.key, member.value) {
      case ("team", .string(let text)): team = text
      case ("environment", .string(let text)):
        guard let environment = PushEnvironment(rawValue: text) else { return nil }
        self.environment = environment
      case ("topics", .array(let values)):
        topics = values.compactMap(\.stringValue)
        guard topics.count == values.count else { return nil }
      default: return nil
      }
    }
  }

  /// The record beside a key.
  package var record: [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    if let team { writer.member("team", team) }
    if let environment { writer.member("environment", environment.rawValue) }
    if !topics.isEmpty { writer.member("topics", topics) }
    writer.endObject()
    writer.newline()
    return writer.bytes
  }
}

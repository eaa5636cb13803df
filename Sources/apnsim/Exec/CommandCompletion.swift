import APNSimScenario
import APNSimSystem

/// The words that a shell offers for the command of `exec`: programs in the place of its name, files after that.
enum CommandCompletion {
  /// - Parameters:
  ///   - words: those of the command line, the program's name first.
  ///   - index: the place of the word that is completed.
  ///   - prefix: what stands of it already.
  ///   - path: where programs are looked for, as in `PATH`.
  static func candidates(_ words: [String], _ index: Int, _ prefix: String, path: String) -> [String] {
    let isName = words.firstIndex(of: "--").map { $0 + 1 == index } ?? false
    return isName && !prefix.contains("/") ? programs(prefix, path) : files(prefix)
  }

  private static func programs(_ prefix: String, _ path: String) -> [String] {
    let found = path.split(separator: ":").flatMap { folder in
      let names = (try? SystemFolder.names(in: String(folder))) ?? []
      return names.filter { name in
        let file = "\(folder)/\(name)"
        return name.hasPrefix(prefix) && SystemPath.isExecutable(file) && !SystemPath.isDirectory(file)
      }
    }
    return Set(found).sorted()
  }

  private static func files(_ prefix: String) -> [String] {
    let folder = prefix.lastIndex(of: "/").map { String(prefix[...$0]) } ?? ""
    let names = (try? SystemFolder.names(in: folder.isEmpty ? "." : folder)) ?? []
    return names.map { folder + $0 }.filter { $0.hasPrefix(prefix) }
  }
}

import APNSimProvider

@testable import apnsim

extension Report {
  func text(_ entries: some Sequence<Entry>) throws -> String {
    try written(entries) { TextReport(.plain, to: $0) }
  }

  func json(_ entries: some Sequence<Entry>) throws -> String {
    try written(entries) { JSONReport(writeHead, to: $0) }
  }

  func junit(_ entries: some Sequence<Entry>) throws -> String {
    let spool = try Spool()
    return try written(entries) { JUnitReport(waitingIn: spool, to: $0) }
  }

  private func written(
    _ entries: some Sequence<Entry>,
    by make: (@escaping ReportSink) -> some ReportWriter<Self>
  ) throws -> String {
    var bytes: [UInt8] = []
    try write(entries, with: make { bytes += $0 })
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension NetworkReplayReport {
  /// Empty where it cannot be written.
  var json: String { (try? json(differences)) ?? "" }

  var lines: [String] {
    ((try? text(differences.prefix(mostShown))) ?? "").split(separator: "\n").map(String.init)
  }
}

import APNSimCore
import APNSimTLS
import ArgumentParser

/// `apnsim certs list`.
struct CertificatesListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the certificates in the directory."
  )

  @OptionGroup var directory: CertificateDirectoryOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    let records = try directory.existing().list().map { CertificateLine($0) }
    if output.isJSON {
      try JSONLine.print(records)
    } else {
      let heading = ["file", "for", "topics", "environment", "until", ""]
      Output.lines(Table.lines([heading] + records.map { $0.cells(output.style) }))
    }
  }
}

/// One certificate as `certs list` shows it.
struct CertificateLine: Encodable, Equatable {
  var file: String?
  var role: String
  var subject: String?
  var topics: [String]
  /// `production`, `sandbox`, `both`; null for what is no provider's.
  var environment: String?
  var serial: String
  /// The last day it is good for, in UTC.
  var notAfter: String?
  var revoked: Bool
  var ofThisCA: Bool

  init(_ record: PKIDirectory.Record) {
    file = record.name
    role = record.role.rawValue
    subject = record.certificate?.subject
    topics = record.role == .provider ? record.certificate?.topicNames ?? [] : []
    serial = record.serial
    notAfter = record.certificate.map { String(Timestamp(seconds: $0.notAfter).description.prefix(10)) }
    revoked = record.isRevoked
    ofThisCA = record.isOfThisAuthority
    if record.role == .provider, let certificate = record.certificate {
      switch (certificate.isProduction, certificate.isDevelopment) {
      case (true, true): environment = "both"
      case (true, false): environment = "production"
      case (false, true): environment = "sandbox"
      case (false, false): environment = nil
      }
    }
  }

  func cells(_ style: Style) -> [String] {
    var remarks: [String] = []
    if revoked { remarks.append(style.paint("revoked", .red)) }
    if !ofThisCA { remarks.append("from another CA") }
    return [
      file ?? "serial \(serial)", role, topics.isEmpty ? subject ?? "" : topics.joined(separator: ", "),
      environment ?? "", notAfter ?? "", remarks.joined(separator: ", "),
    ]
  }
}

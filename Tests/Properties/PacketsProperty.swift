import APNSimScenario

/// Packet captures, pcap and pcapng, are read to their end, and the same way twice.
enum PacketsProperty {
  static func violation(_ input: [UInt8]) -> String? {
    let first = ImportProperty.text(ImportProperty.read(input))
    return first == ImportProperty.text(ImportProperty.read(input)) ? nil : "read twice, the streams differ"
  }
}

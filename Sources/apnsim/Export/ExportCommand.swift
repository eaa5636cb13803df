import APNSimCapture
import APNSimImport
import APNSimServer
import APNSimSystem
import APNSimTLS
import APNSimWire
import ArgumentParser

/// `apnsim export`: makes of a native capture a file for Wireshark.
struct ExportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write a native capture as a pcapng file for Wireshark.",
    discussion: """
      The connections become plaintext TCP to ports 2195, 2196, 2197 and 5223 (sandbox: 2295 to 2297), with a \
      handshake, acknowledgements and the ending that the capture has. Requests and answers become HTTP/2, without \
      provider tokens, which no capture has. apns.lua shows Wireshark the frames (it is in fixtures/wireshark, or where \
      a package was installed in share/apnsim/wireshark): wireshark -X lua_script:apns.lua FILE.pcapng
      """
  )

  @Argument(help: "The native capture; - is stdin.", completion: .file())
  var capture: String

  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: "The pcapng file to write; compressed when its name ends in .gz; - is stdout.",
    completion: .file()
  )
  var outputFile: String

  @OptionGroup var output: OutputOptions

  private static let piece = 1 << 18

  func validate() throws { try SameFile.check([("-o", outputFile)], reading: [capture]) }

  func run() async throws {
    // The file has its name only when all is well.
    let place = outputFile == "-" ? nil : FileReplacement(of: outputFile)
    do {
      try await Interruption.discarding(place) { try export(place) }
    } catch let error as CaptureFailure {
      throw CommandFailure(error)
    }
  }

  private func export(_ place: FileReplacement?) throws {
    let reader = try CaptureReader(path: capture)
    let export: CaptureExport
    do {
      export = try write(reader, to: CaptureOutput(outputFile, place, for: .other))
      try place?.commit(outputFile, for: .other)
    } catch {
      place?.discard()
      throw error
    }
    report(export, reader)
  }

  private func write(_ reader: CaptureReader, to file: CaptureOutput) throws -> CaptureExport {
    let progress = CaptureProgress([capture])
    defer { progress.finish() }
    var export = CaptureExport(
      application: "apnsim \(ProgramVersion.text)",
      comment: "exported from \(CaptureImport.name(capture))",
      isRecording: reader.header.source == nil
    )
    var entries = 0
    while let entry = reader.next() {
      export.add(entry, topic: reader.topic, answer: reader.answer, fault: reader.faultFrame)
      if export.pendingByteCount > Self.piece { try file.write(export.takeBytes()) }
      entries += 1
      if entries % 1024 == 0, let share = reader.progress { progress.update(share, of: capture) }
    }
    progress.finish()
    export.finish()
    try file.write(export.takeBytes())
    try file.finish()
    return export
  }

  private func report(_ export: CaptureExport, _ reader: CaptureReader) {
    if outputFile.hasSuffix(".pcap") { Output.note("note: the file is pcapng, whatever its name says") }
    let say: (String) -> Void = outputFile == "-" ? { Output.note($0) } : { Output.line($0) }
    if output.isJSON {
      say(
        """
        {"connections":\(export.connections),"packets":\(export.packets),"bytes":\(export.bytes),\
        "damaged":\(reader.damage != nil)}
        """
      )
    } else {
      if outputFile != "-" { say("wrote     \(outputFile)") }
      say(
        """
        exported  \(Number.counted(export.connections, "connection")), \(Number.counted(export.bytes, "byte")) \
        in \(Number.counted(export.packets, "packet"))
        """
      )
    }
    for note in export.notes { Output.note("note: \(note)") }
    if let gaps = reader.gaps.placedText { Output.note("note: \(gaps): bytes may be missing without a gap") }
    if let damage = reader.damage { Output.note("damage: \(damage); everything before it was written") }
  }
}

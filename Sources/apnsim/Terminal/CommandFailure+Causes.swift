import APNSimCapture
import APNSimImport
import APNSimProvider
import APNSimScenario
import APNSimServer
import APNSimState
import APNSimTLS

extension CommandFailure {
  /// Any error, with the exit code and the advice of its kind.
  init(any error: any Error) {
    switch error {
    case let failure as CommandFailure: self = failure
    case let failure as ProviderFailure: self.init(failure)
    case let error as DocumentError: self.init(error)
    case let error as TLSSetupError: self.init(error)
    default: self.init(.runtimeError, "\(error)")
    }
  }

  /// A document with mistakes, in a compiler's form.
  init(_ error: DocumentError) {
    self.init(.badConfiguration, error.description)
    isFormatted = true
  }

  /// A certificate or key that cannot be used or written.
  init(_ error: TLSSetupError) {
    let place = error.file.map { "\($0): " } ?? ""
    self.init(
      error.isWriting ? .cannotWrite : .badConfiguration,
      place + error.reason,
      hints: error.hint.map { [$0] } ?? []
    )
  }
}

extension CommandFailure {
  init(_ error: ImportError) {
    let status: ExitStatus =
      switch error.kind {
      case .unreadable, .unusable: .runtimeError
      case .missingProgram: .unreachable
      case .unwritable: .cannotWrite
      }
    self.init(status, error.description, hints: error.hints)
  }

  /// A native capture that cannot be read, or a result that cannot be written.
  init(_ failure: CaptureFailure) {
    self.init(importing: failure)
    if failure.isOfAnotherKind {
      hints = ["\"apnsim import\" makes a capture from packet captures and raw bytes"]
    }
  }

  /// The same, without a hint to import it.
  init(importing error: CaptureFailure) {
    self.init(error.kind == .unwritable ? .cannotWrite : .runtimeError, error.description)
  }
}

extension CommandFailure {
  /// - Parameter flags: the options that name another address, for the hint.
  init(_ failure: ProviderFailure, flags: String = "--host, --port or --endpoints-file say") {
    self.init(failure.kind == .broken ? .runtimeError : .unreachable, failure.message)
    switch failure.kind {
    case .unreachable: hints = ["is it running? \"apnsim serve\" starts one; \(flags) where it is"]
    case .untrustedServer:
      hints = [
        "the server's certificate is from another CA or for another name; --ca FILE or --certs DIR sets the CA"
      ]
    case .refusedCertificate where failure.certificateFile == nil:
      hints = [
        """
        the server refused the handshake, and no certificate was shown: it may want one (--cert FILE), or a rule has \
        the fault refuseHandshake ("apnsim fault list")
        """
      ]
    case .refusedCertificate:
      hints = [
        """
        the server does not accept \(failure.certificateFile ?? "the certificate"); "apnsim certs issue TOPIC" makes \
        one for providers (--environment sandbox for its ports), "apnsim certs issue --device NAME" one for the device \
        port
        """
      ]
    case .failed, .broken: break
    }
  }
}

extension JournalFile {
  /// Opens a file for a command, as `apnsim serve` does: a recording that is there is moved aside. `-` is the standard
  /// output.
  /// - Throws: `CommandFailure` with status 73.
  static func open(
    _ path: String,
    filter: Filter? = nil,
    notice: @escaping @Sendable (String) -> Void = { _ in }
  ) throws(CommandFailure) -> JournalFile {
    do throws(OutputFailure) {
      let journal = try JournalFile(path: path, keepsPrevious: true, filter: filter, notice: notice)
      if let remark = journal.remark { Output.note("apnsim: note: \(remark)") }
      return journal
    } catch {
      throw CommandFailure(error)
    }
  }

  /// Writes the rest and closes the file.
  /// - Throws: `CommandFailure` with status 73 when not everything could be written.
  func close() throws(CommandFailure) {
    if let failure = finish().failure { throw CommandFailure(failure) }
  }
}

extension CommandFailure {
  /// A durable state that cannot be had, or is not the one that was asked for.
  init(_ failure: StateFailure) {
    switch failure {
    case .inUse:
      self.init(
        .cannotWrite,
        failure.description,
        hints: ["each simulator needs a state of its own; --state names another directory"]
      )
    case .unusable: self.init(.cannotWrite, failure.description)
    case .damaged:
      self.init(
        .badConfiguration,
        failure.description,
        hints: ["nothing was changed; put a copy of the directory back, or move it aside to begin anew"]
      )
    case .newerFormat:
      self.init(
        .badConfiguration,
        failure.description,
        hints: ["a newer apnsim wrote it, and can go on with it"]
      )
    case .mismatch:
      self.init(
        .badConfiguration,
        failure.description,
        hints: [
          "start it as it was started before; or --state-mismatch reset removes the state and begins anew"
        ]
      )
    }
  }
}

extension CommandFailure {
  init(_ failure: OutputFailure) { self.init(.cannotWrite, failure.description) }
}

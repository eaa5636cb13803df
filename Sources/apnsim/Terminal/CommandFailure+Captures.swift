import APNSimCapture

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

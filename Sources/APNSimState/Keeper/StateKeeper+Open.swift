package import APNSimCore

extension StateKeeper {
  /// The functions that make and restore a simulator.
  struct Maker<Kept: KeptSimulator> {
    /// The generation of outcomes of what begins anew.
    var rules = OutcomeRules.current
    /// Begins anew.
    var begin: () throws -> Kept
    /// Reads one back, which goes on by the generation of outcomes that it was made by.
    var read: (inout StateReader, OutcomeRules) throws(StateError) -> Kept
    /// Lets an input happen again.
    var apply: (Kept, UnsafeRawBufferPointer) throws(StateError) -> Void
  }

  /// Restores the simulator whose state is in a directory, or begins with a new one. The log is attached to it.
  /// - Throws: ``StateFailure``, or the `CommandError` of a new simulator whose scenario cannot be.
  package static func open(
    in directory: StateDirectory,
    identity: StateIdentity,
    options: StateOptions = StateOptions(),
    _ beginning: StateBeginning,
    texts: any StateTexts,
    process: StateProcess = StateProcess()
  ) throws -> (keeper: StateKeeper, simulator: Simulator, report: StateReport) {
    let maker = Maker<Simulator>(
      rules: beginning.configuration.rules,
      begin: {
        try Simulator(
          configuration: beginning.configuration,
          scenario: beginning.scenario,
          seed: beginning.seed,
          start: beginning.start,
          tokenIssuer: beginning.tokenIssuer
        )
      },
      read: { state, rules throws(StateError) in
        var configuration = beginning.configuration
        configuration.rules = rules
        return try Simulator(
          reading: &state,
          texts: texts,
          configuration: configuration,
          scenario: beginning.scenario,
          seed: beginning.seed,
          tokenIssuer: beginning.tokenIssuer
        )
      },
      apply: { simulator, entry throws(StateError) in try simulator.apply(entry: entry, texts: texts) }
    )
    let settings = FileLog.Settings(logSize: options.logSize)
    return try open(in: directory, identity: identity, options: options, maker, settings, process)
  }

  static func open<Kept: KeptSimulator>(
    in directory: StateDirectory,
    identity: StateIdentity,
    options: StateOptions,
    _ maker: Maker<Kept>,
    _ settings: FileLog.Settings,
    _ process: StateProcess = StateProcess()
  ) throws -> (keeper: StateKeeper, simulator: Kept, report: StateReport) {
    defer { process.progress.end() }
    var settings = settings
    settings.isSynced = options.sync == .interval
    settings.elapsed = process.clock.elapsed
    var report = StateReport()
    if let before = directory.identity { report.removed = before.differences(to: identity) }
    guard report.removed.isEmpty || options.mismatch == .reset else {
      throw StateFailure.mismatch(path: directory.path, report.removed)
    }
    guard directory.identity != nil, report.removed.isEmpty, let found = try SnapshotStore(directory).newest()
    else {
      // A state that is there is removed when it is certain that something can take its place.
      let simulator = try maker.begin()
      try directory.removeState()
      try directory.begin(with: identity, version: options.programVersion, rules: maker.rules)
      let log = try FileLog(directory, after: 0, continuing: nil, settings)
      let keeper = StateKeeper(
        directory,
        log,
        simulator,
        options,
        restored: nil,
        snapshot: nil,
        process
      )
      // From the inputs alone the state could not be made again: it depends on when it began.
      try keeper.snapshotNow()
      return (keeper, simulator, report)
    }
    try directory.removeDrafts()
    let restoring = try restore(directory, found.snapshot, maker, settings, process)
    report.restored = restoring.restored
    for (number, failure) in found.damage {
      report.remarks.append(
        "\(failure); the snapshot before it was used, with its log, and this one is removed"
      )
      try SnapshotStore(directory).remove(number)
    }
    if let remark = restoring.remark { report.remarks.append(remark) }
    if directory.programVersion != options.programVersion {
      try directory.begin(with: identity, version: options.programVersion, rules: directory.rules)
    }
    let head = found.snapshot.head
    let keeper = StateKeeper(
      directory,
      restoring.log,
      restoring.simulator,
      options,
      restored: restoring.restored,
      snapshot: SnapshotReport(
        number: head.number,
        byteCount: head.byteCount,
        time: head.time,
        pause: .zero,
        duration: .zero
      ),
      process
    )
    return (keeper, restoring.simulator, report)
  }

  private static func restore<Kept: KeptSimulator>(
    _ directory: StateDirectory,
    _ snapshot: Snapshot,
    _ maker: Maker<Kept>,
    _ settings: FileLog.Settings,
    _ process: StateProcess
  ) throws(StateFailure) -> (simulator: Kept, log: FileLog, restored: RestoredState, remark: String?) {
    let start = process.clock.elapsed()
    let number = snapshot.head.number
    let reader = try LogReader(directory, boot: settings.boot)
    let rules = directory.rules
    let simulator = try snapshot.read { state throws(StateError) in try maker.read(&state, rules) }
    let end = try reader.read(after: number, progress: process.progress.note) { _, bytes throws(StateError) in
      try maker.apply(simulator, bytes)
    }
    let open = try end.carryOut()
    // Inputs that found no room are in the snapshot alone: the log goes on after it.
    let last = max(number, end.last ?? 0)
    let log = try FileLog(directory, after: last, continuing: end, unsynced: open, settings)
    let restored = RestoredState(
      snapshot: number,
      snapshotTime: snapshot.head.time,
      inputs: end.inputs,
      cutBytes: end.cutBytes,
      duration: process.clock.duration(since: start)
    )
    return (simulator, log, restored, end.remark)
  }
}

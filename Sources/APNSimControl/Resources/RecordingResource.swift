import APNSimWire
import NIOHTTP1

/// `GET /recording`: the recording that `inspect` shows, and how far it has been read; 404 of a simulator that runs.
enum RecordingResource {
  static let routes = [
    Route(.GET, "/recording", isInSandboxes: false) { call in
      guard let recording = call.services.recording else {
        throw ProblemDetails(
          .notFound,
          title: "No recording",
          detail: "this is a simulator that runs, not a recording",
          hint: "apnsim inspect FILE shows one"
        )
      }
      let progress = recording.progress
      return .json { writer in
        writer.member("files", recording.files)
        writer.member("complete", progress.isComplete)
        writer.member("percent", Int(progress.share * 100))
        writer.member("notes", progress.notes)
      }
    }
  ]
}

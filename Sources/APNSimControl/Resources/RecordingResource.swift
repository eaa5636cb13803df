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
      return .json(RecordingAnswer(files: recording.files, progress: recording.progress))
    }
  ]
}

struct RecordingAnswer: JSONObject {
  let files: [String]
  let progress: ShownRecording.State

  static let shape = JSONShape<Self>("Recording") {
    $0.list("files", "The files as they were named, the oldest first.") { $0.files }
    $0.member("complete", "True once everything has been read. No time passes any more then.") {
      $0.progress.isComplete
    }
    $0.member("percent", "How much of the files' bytes has been read.", .least(0), .most(100)) {
      Int($0.progress.share * 100)
    }
    $0.list(
      "notes",
      "What is to be known about it, for people: damage, missing lines, other parts; once it is complete."
    ) { $0.progress.notes }
  }
}

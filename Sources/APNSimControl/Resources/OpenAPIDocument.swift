import APNSimCore
import APNSimScenario
import APNSimWire
import COpenAPIDocument

/// The OpenAPI document of the control API: paths are written by hand, in `openapi.json` of `COpenAPIDocument`, and the schemas
/// of bodies and answers are made of the nouns that bodies are read by and the shapes that answers are written by.
package enum OpenAPIDocument {
  package static let bytes = Array(
    (SchemaText(padding: "").lines(document).joined(separator: "\n") + "\n").utf8
  )

  /// The schemas that are made.
  private static let schemas: [JSONValue.Member] = {
    var schemas = JSONSchemas()
    for answer in answers { _ = answer.schema(&schemas) }
    return ControlSchemas.all + schemas.named
  }()

  /// The answers, and the data of events, of which everything else is a part.
  private static let answers: [any JSONObject.Type] = [
    ProblemDetails.self, NotificationsAnswer.self, NotificationDetail.self, HistogramAnswer.self,
    SentAnswer.self, WaitAnswer.self, CompletionAnswer.self, DigestHello.self, DigestAnswer.self,
    DevicesAnswer.self, InboxAnswer.self, StoredAnswer.self, ActivitiesAnswer.self,
    ChannelsAnswer.self, FeedbackAnswer.self, FeedbackReadsAnswer.self, FaultsAnswer.self,
    CatalogueAnswer.self, FaultPreviewAnswer.self, ClockAnswer.self, ClockPreview.self,
    ConnectionsAnswer.self, ConnectionDetail.self, ConnectionStory.self, AdviceAnswer.self,
    CheckAnswer.self, RecordingAnswer.self, StateAnswer.self, CredentialsAnswer.self,
    Readiness.self, SandboxesAnswer.self,
  ]

  package static let written: [UInt8] = {
    var count = 0
    let document = apnsim_openapi_document(&count)
    return Array(UnsafeBufferPointer(start: document, count: count))
  }()

  private static let document = ((try? JSONValue.parse(written)) ?? .null).changing("components") {
    components in
    .object([.init(key: "schemas", value: .object(schemas))] + (components.objectValue ?? []))
  }
}

extension JSONValue {
  /// The same with the member of a name changed.
  fileprivate func changing(_ key: String, _ change: (JSONValue) -> JSONValue) -> JSONValue {
    .object((objectValue ?? []).map { $0.key == key ? Member(key: key, value: change($0.value)) : $0 })
  }
}

/// A row of Apple's tables of reasons.
///
/// Source: "Handling notification responses from APNs" and "Handling error responses from APNs" (broadcast).
package struct ReasonRow: Hashable, Sendable {
  package let reason: Reason
  /// The HTTP status that it comes with.
  package let status: UInt16
  /// The word as the service sends it.
  package let name: String
  /// The word in the documents, where the service sends another.
  package let documentedName: String?
  /// Apple's description of it for a push to a device; nil where broadcast alone knows it.
  package let description: String?
  /// Apple's description of it for channels and broadcasts; nil where they do not know it.
  package let broadcastDescription: String?
  package let evidence: Evidence

  package var isForDevices: Bool { description != nil }
  package var isForBroadcast: Bool { broadcastDescription != nil }

  init(
    _ reason: Reason,
    _ status: UInt16,
    _ name: String,
    documented: String? = nil,
    _ description: String?,
    broadcast: String? = nil,
    _ evidence: Evidence = .documented
  ) {
    self.reason = reason
    self.status = status
    self.name = name
    documentedName = documented
    self.description = description
    broadcastDescription = broadcast
    self.evidence = evidence
  }

  /// The rows in the order of ``Reason``.
  package static let all: [ReasonRow] = devices + broadcastAlone
}

extension ReasonRow {
  private static let devices: [ReasonRow] = [
    ReasonRow(
      .badCollapseId,
      400,
      "BadCollapseId",
      "The collapse identifier exceeds the maximum allowed size."
    ),
    ReasonRow(
      .badDeviceToken,
      400,
      "BadDeviceToken",
      "The specified device token is invalid. Verify that the request contains a valid token and that the token matches the environment."
    ),
    ReasonRow(
      .badExpirationDate,
      400,
      "BadExpirationDate",
      "The apns-expiration value is invalid.",
      broadcast:
        "The apns-expiration header is an invalid epoch timestamp. For channels with a No Messages Stored storage policy, you can only specify a 0 expiration value."
    ),
    ReasonRow(
      .badMessageId,
      400,
      "BadMessageId",
      "The apns-id value is invalid.",
      broadcast: "The apns-id value is invalid."
    ),
    ReasonRow(
      .badPriority,
      400,
      "BadPriority",
      "The apns-priority value is invalid.",
      broadcast: "The apns-priority header is an invalid value."
    ),
    ReasonRow(.badTopic, 400, "BadTopic", "The apns-topic value is invalid."),
    ReasonRow(
      .deviceTokenNotForTopic,
      400,
      "DeviceTokenNotForTopic",
      "The device token doesn’t match the specified topic."
    ),
    ReasonRow(.duplicateHeaders, 400, "DuplicateHeaders", "One or more headers are repeated."),
    ReasonRow(.idleTimeout, 400, "IdleTimeout", "Idle timeout."),
    ReasonRow(
      .invalidPushType,
      400,
      "InvalidPushType",
      "The apns-push-type value is invalid.",
      broadcast:
        "The apns-push-type attribute is set to an incorrect value. The only allowed value is LiveActivity."
    ),
    ReasonRow(
      .missingDeviceToken,
      400,
      "MissingDeviceToken",
      "The device token isn’t specified in the request :path."
    ),
    ReasonRow(
      .missingTopic,
      400,
      "MissingTopic",
      "The apns-topic header of the request isn’t specified and is required. The header is mandatory when the client is connected using a certificate that supports multiple topics."
    ),
    ReasonRow(
      .payloadEmpty,
      400,
      "PayloadEmpty",
      "The message payload is empty.",
      broadcast: "The push notification request didn’t include a notification payload."
    ),
    ReasonRow(
      .topicDisallowed,
      400,
      "TopicDisallowed",
      "Pushing to this topic is not allowed.",
      broadcast: "The topic is not allowed. Ensure that no push type suffix is added to the bundle ID."
    ),
    ReasonRow(
      .badCertificate,
      403,
      "BadCertificate",
      "The certificate is invalid.",
      broadcast: "The certificate is invalid."
    ),
    ReasonRow(
      .badCertificateEnvironment,
      403,
      "BadCertificateEnvironment",
      "The client certificate doesn’t match the environment.",
      broadcast: "The client certificate is for the wrong environment."
    ),
    ReasonRow(
      .expiredProviderToken,
      403,
      "ExpiredProviderToken",
      "The provider token is stale and a new token should be generated.",
      broadcast: "The JWT Token is expired."
    ),
    ReasonRow(.forbidden, 403, "Forbidden", "The specified action is not allowed."),
    ReasonRow(
      .invalidProviderToken,
      403,
      "InvalidProviderToken",
      "The provider token is not valid, or the token signature can’t be verified.",
      broadcast: "The JWT Token is invalid."
    ),
    ReasonRow(
      .missingProviderToken,
      403,
      "MissingProviderToken",
      "No provider certificate was used to connect to APNs, and the authorization header is missing or no provider token is specified.",
      broadcast: "No certificate or JWT token provided."
    ),
    ReasonRow(
      .unrelatedKeyIdInToken,
      403,
      "UnrelatedKeyIdInToken",
      "The key ID in the provider token isn’t related to the key ID of the token used in the first push of this connection. To use this token, open a new connection."
    ),
    ReasonRow(
      .badEnvironmentKeyIdInToken,
      403,
      "BadEnvironmentKeyInToken",
      documented: "BadEnvironmentKeyIdInToken",
      "The key ID in the provider token doesn’t match the environment.",
      .observed
    ),
    ReasonRow(
      .badPath,
      404,
      "BadPath",
      "The request contained an invalid :path value.",
      broadcast: "The URL is invalid. Either the HTTP/2 method or the HTTP/2 path is incorrect."
    ),
    ReasonRow(
      .methodNotAllowed,
      405,
      "MethodNotAllowed",
      "The specified :method value isn’t POST.",
      broadcast: "The specified :method value isn’t allowed."
    ),
    ReasonRow(.expiredToken, 410, "ExpiredToken", "The device token has expired."),
    ReasonRow(
      .unregistered,
      410,
      "Unregistered",
      "The device token is inactive for the specified topic."
    ),
    ReasonRow(
      .payloadTooLarge,
      413,
      "PayloadTooLarge",
      "The message payload is too large.",
      broadcast: "The message payload is too large."
    ),
    ReasonRow(
      .tooManyProviderTokenUpdates,
      429,
      "TooManyProviderTokenUpdates",
      "The provider’s authentication token is being updated too often. Update the authentication token no more than once every 20 minutes.",
      broadcast:
        "The provider’s authentication token is being updated too often. Update the authentication token no more than once every 20 minutes."
    ),
    ReasonRow(
      .tooManyRequests,
      429,
      "TooManyRequests",
      "Too many requests were made consecutively to the same device token.",
      broadcast: "The request was throttled because too many requests were received."
    ),
    ReasonRow(
      .internalServerError,
      500,
      "InternalServerError",
      "An internal server error occurred.",
      broadcast: "An unexpected error occurred."
    ),
    ReasonRow(
      .serviceUnavailable,
      503,
      "ServiceUnavailable",
      "The service is unavailable.",
      broadcast: "The service is unavailable"
    ),
    ReasonRow(
      .shutdown,
      503,
      "Shutdown",
      "The APNs server is shutting down.",
      broadcast: "The server is shutting down and unavailable."
    ),
  ]

  private static let broadcastAlone: [ReasonRow] = [
    ReasonRow(
      .featureNotEnabled,
      400,
      "BroadcastFeatureNotEnabled",
      documented: "FeatureNotEnabled",
      nil,
      broadcast: "The feature isn’t enabled for this topic.",
      .observed
    ),
    ReasonRow(
      .missingChannelId,
      400,
      "MissingChannelId",
      nil,
      broadcast: "The apns-channel-id header is missing."
    ),
    ReasonRow(
      .badChannelId,
      400,
      "BadChannelId",
      nil,
      broadcast:
        "The apns-channel-id header isn’t properly encoded, or it’s greater than the allowed length."
    ),
    ReasonRow(
      .channelNotRegistered,
      400,
      "ChannelNotRegistered",
      nil,
      broadcast: "The apns-channel-id header used in the request doesn’t exist."
    ),
    ReasonRow(
      .badRequestParams,
      400,
      "BadRequestParams",
      nil,
      broadcast: "The JSON Request payload contained an unrecognizable attribute."
    ),
    ReasonRow(
      .badRequestPayload,
      400,
      "BadRequestPayload",
      nil,
      broadcast: "The JSON Request payload is unparseable."
    ),
    ReasonRow(
      .missingPushType,
      400,
      "MissingPushType",
      nil,
      broadcast: "The apns-push-type attribute is missing."
    ),
    ReasonRow(
      .cannotCreateChannelConfig,
      400,
      "CannotCreateChannelConfig",
      nil,
      broadcast:
        "You have reached the maximum channel limit for your application. Delete channels that you no longer use."
    ),
    ReasonRow(
      .missingChannelQueueSize,
      400,
      "MissingChannelQueueSize",
      nil,
      broadcast: "The message-storage-policy is missing or invalid (undocumented).",
      .observed
    ),
    ReasonRow(
      .topicMismatch,
      403,
      "TopicMismatch",
      nil,
      broadcast:
        "The bundle IDs parsed from your token or certificate don’t include the topic present in the path."
    ),
  ]
}

// What each refusal means, and what a provider does about it. The names are Apple's, the words are ours.

const binary = {
  1: ['The gateway could not process it.', 'Send it again over a new connection.'],
  2: ['There is no device token in it.', 'Name the token.'],
  3: ['The certificate has no topic.', 'Use the certificate of an app.'],
  4: ['There is no payload in it.', 'Send a payload.'],
  5: ['The device token does not have 32 bytes.', 'Send the token as the device gave it, decoded from hex.'],
  6: ['The topic is too long.', 'Use the app’s bundle ID.'],
  7: ['The payload is too large.', 'Make it smaller, or use an interface that allows more.'],
  8: ['The token is unknown here: of another app, of the other environment, or never issued.', 'Stop sending to it.'],
  10: ['The gateway is going down for maintenance; the identifier is that of the last one accepted.', 'Send everything after it again over a new connection.'],
  255: ['The gateway gave no reason.', 'Send it again over a new connection.'],
};

const requests = {
  BadCollapseId: ['apns-collapse-id has more than 64 bytes.', 'Shorten it.'],
  BadDeviceToken: ['No device of this environment has this token.', 'See that it goes to the environment that issued it; if it does, stop sending to it.'],
  BadExpirationDate: ['apns-expiration is no number of seconds.', 'Send seconds since 1970, or 0.'],
  BadMessageId: ['apns-id is no UUID in its canonical form.', 'Send one in lower or upper case with hyphens, or none.'],
  BadPriority: ['apns-priority is not one that the push type allows.', 'Send 10, 5 or 1; 5 for background.'],
  BadTopic: ['apns-topic is not one that the certificate has.', 'Send the app’s bundle ID, with the suffix of the push type.'],
  DeviceTokenNotForTopic: ['The token belongs to another app, or to another kind of push.', 'Send the topic that belongs to the token.'],
  DuplicateHeaders: ['A header is there more than once.', 'Send each header once.'],
  IdleTimeout: ['The connection was silent for too long.', 'Connect again.'],
  InvalidPushType: ['apns-push-type is not one that there is.', 'Correct its spelling.'],
  MissingDeviceToken: ['The path ends without a token.', 'Send to /3/device/ and the token.'],
  MissingTopic: ['There is no apns-topic, and nothing else says the app.', 'Send apns-topic.'],
  PayloadEmpty: ['There is no payload.', 'Send a body.'],
  TopicDisallowed: ['The topic belongs to another team than the provider token.', 'Sign with a key of the app’s team.'],
  BadCertificate: ['The certificate is not one for pushing.', 'Use one with a push topic.'],
  BadCertificateEnvironment: ['The certificate is for the other environment.', 'Use the one for this environment.'],
  BadEnvironmentKeyIdInToken: ['The key is for the other environment.', 'Sign with a key for this environment.'],
  BadEnvironmentKeyInToken: ['The key is for the other environment.', 'Sign with a key for this environment.'],
  ExpiredProviderToken: ['The provider token was issued more than an hour ago.', 'Sign a new one and send again.'],
  Forbidden: ['It is not allowed.', 'See what the team and the key may do.'],
  InvalidProviderToken: ['The provider token is no good: its form, its signature or its key.', 'See the provider token below.'],
  MissingProviderToken: ['There is neither a provider token nor a certificate.', 'Send authorization: bearer and a token.'],
  UnrelatedKeyIdInToken: ['The key of this token is not related to the one that the connection began with.', 'Use one key on a connection.'],
  BadPath: ['The path is none that there is.', 'Send to /3/device/ and the token.'],
  MethodNotAllowed: ['The method is not POST.', 'Use POST.'],
  ExpiredToken: ['The token was good once, and is over.', 'Stop sending to it.'],
  Unregistered: ['The app is no longer on the device.', 'Stop sending to this token, unless the app registers again after the time in the answer.'],
  PayloadTooLarge: ['The payload is too large.', 'Make it smaller; the app can fetch the rest.'],
  TooManyProviderTokenUpdates: ['The provider token was renewed again within 20 minutes.', 'Keep one token for 20 to 60 minutes.'],
  TooManyRequests: ['Too many in a row went to one device.', 'Send fewer, and later.'],
  InternalServerError: ['The service failed.', 'Send it again later, waiting longer each time.'],
  ServiceUnavailable: ['The service is not there at the moment.', 'Send it again later, waiting longer each time.'],
  Shutdown: ['The service is shutting this connection down.', 'Send it again over a new connection.'],
};

// `[what it means, what to do]` of a refused notification; null for one that says no more than itself.
export function reasonOf(n) {
  if (n.outcome !== 'rejected') return null;
  return (n.interface === 'http2' ? requests[n.reason] : binary[n.status]) ?? null;
}

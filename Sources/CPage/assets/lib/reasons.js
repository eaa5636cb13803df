// Each refusal's meaning, and what a provider does about it. The names are Apple's, the words are ours.

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
  128: ['The frame itself could not be read.', 'Correct how it is framed, and send it again over a new connection.'],
  255: ['The gateway gave no reason.', 'Send it again over a new connection.'],
};

// Of a request: the HTTP status that comes with it, and the same two.
const requests = {
  BadCollapseId: [400, 'apns-collapse-id has more than 64 bytes.', 'Shorten it.'],
  BadDeviceToken: [400, 'No device of this environment has this token.', 'See that it goes to the environment that issued it; if it does, stop sending to it.'],
  BadExpirationDate: [400, 'apns-expiration is no number of seconds.', 'Send seconds since 1970, or 0.'],
  BadMessageId: [400, 'apns-id is no UUID in its canonical form.', 'Send one in lower or upper case with hyphens, or none.'],
  BadPriority: [400, 'apns-priority is not one that the push type allows.', 'Send 10, 5 or 1; 5 for background.'],
  BadTopic: [400, 'apns-topic is no topic: 1 to 255 visible ASCII characters.', 'Send the app’s bundle ID, with the suffix of the push type.'],
  DeviceTokenNotForTopic: [400, 'The token belongs to another app, or to another kind of push.', 'Send the topic that belongs to the token.'],
  DuplicateHeaders: [400, 'A header is there more than once.', 'Send each header once.'],
  IdleTimeout: [400, 'The connection was silent for too long.', 'Connect again.'],
  InvalidPushType: [400, 'apns-push-type is not one that there is.', 'Correct its spelling.'],
  MissingDeviceToken: [400, 'The path ends without a token.', 'Send to /3/device/ and the token.'],
  MissingTopic: [400, 'There is no apns-topic, and nothing else says the app.', 'Send apns-topic.'],
  PayloadEmpty: [400, 'There is no payload.', 'Send a body.'],
  TopicDisallowed: [400, 'The topic is not one of the provider’s: another team’s, or not in the certificate.', 'Sign with a key of the app’s team, or take a certificate that lists the topic.'],
  BadCertificate: [403, 'The certificate is not one for pushing.', 'Use one with a push topic.'],
  BadCertificateEnvironment: [403, 'The certificate is for the other environment.', 'Use the one for this environment.'],
  BadEnvironmentKeyInToken: [403, 'The key is for the other environment.', 'Sign with a key for this environment.'],
  ExpiredProviderToken: [403, 'The provider token was issued more than an hour ago.', 'Sign a new one and send again.'],
  Forbidden: [403, 'It is not allowed.', 'See what the team and the key may do.'],
  InvalidProviderToken: [403, 'The provider token is no good: its form, its signature or its key.', 'See the provider token below.'],
  MissingProviderToken: [403, 'There is neither a provider token nor a certificate.', 'Send authorization: bearer and a token.'],
  UnrelatedKeyIdInToken: [403, 'The key of this token is not related to the one that the connection began with.', 'Use one key on a connection.'],
  BadPath: [404, 'The path is none that there is.', 'Send to /3/device/ and the token.'],
  MethodNotAllowed: [405, 'The method is not POST.', 'Use POST.'],
  ExpiredToken: [410, 'The token was good once, and is over.', 'Stop sending to it.'],
  Unregistered: [410, 'The app is no longer on the device.', 'Stop sending to this token, unless the app registers again after the time in the answer.'],
  PayloadTooLarge: [413, 'The payload is too large.', 'Make it smaller; the app can fetch the rest.'],
  TooManyProviderTokenUpdates: [429, 'The provider token was renewed again within 20 minutes.', 'Keep one token for 20 to 60 minutes.'],
  TooManyRequests: [429, 'Too many in a row went to one device.', 'Send fewer, and later.'],
  InternalServerError: [500, 'The service failed.', 'Send it again later, waiting longer each time.'],
  ServiceUnavailable: [503, 'The service is not there at the moment.', 'Send it again later, waiting longer each time.'],
  Shutdown: [503, 'The service is shutting this connection down.', 'Send it again over a new connection.'],
};

// The documents have another name for what the service sends.
const documented = { BadEnvironmentKeyIdInToken: 'BadEnvironmentKeyInToken' };

// `[name, '410 Unregistered']` of each, by status.
export const reasons = Object.entries(requests).map(([name, [status]]) => [name, `${status} ${name}`])
  .sort(([, one], [, other]) => (one < other ? -1 : 1));

// `[what it means, what to do]` of a refused notification; null for one that says no more than itself.
export function reasonOf(n) {
  if (n.outcome !== 'rejected') return null;
  if (n.interface !== 'http2') return binary[n.status] ?? null;
  return requests[documented[n.reason] ?? n.reason]?.slice(1) ?? null;
}

import type { OptionKey } from './options.ts';

/** Settings of other clients, and what people call options, that weir has under another name. */
export const foreignKeys: ReadonlyMap<string, OptionKey> = new Map([
  ['bootstrap.servers', 'brokers'],
  ['metadata.broker.list', 'brokers'],
  ['bootstrap', 'brokers'],
  ['broker', 'brokers'],
  ['security.protocol', 'tls.enabled'],
  ['sasl.username', 'user'],
  ['username', 'user'],
  ['sasl.password', 'pass'],
  ['password', 'pass'],
  ['sasl.mechanisms', 'sasl.mechanism'],
  ['ssl.ca.location', 'tls.ca'],
  ['ssl.truststore.location', 'tls.ca'],
  ['ssl.certificate.location', 'tls.cert'],
  ['ssl.keystore.location', 'tls.cert'],
  ['ssl.key.location', 'tls.key'],
  ['enable.ssl.certificate.verification', 'tls.insecure_skip_verify'],
  ['schema.registry.url', 'registry.hosts'],
  ['sasl.oauthbearer.token.endpoint.url', 'oauth.token_url'],
  ['oauth.secret', 'oauth.client_secret'],
  ['client.id', 'globals.streaming_protocol_request_client_id'],
  ['client_id', 'globals.streaming_protocol_request_client_id'],
  ['proxy', 'globals.proxy'],
]);

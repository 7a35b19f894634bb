import { described, listOf, maybe, type RowOf, row, string, truth, word } from '../../shape/shape.ts';

/** How weir signs in to a cluster with OAuth tokens, without the token. */
export const SignIn = row({
  issuer: described(string, 'the issuer, or its token endpoint; empty for a configured token'),
  grant: described(
    maybe(word('client_credentials', 'device_code', 'authorization_code', 'jwt_bearer', 'aws', 'azure', 'google')),
    'null for a configured token, and without issuer or client; aws, azure, google: an identity of that cloud, which is looked up for each command',
  ),
  client_id: string,
  brokers: described(string, 'the brokers that the token is for; it is sent to no other cluster'),
  subject: described(maybe(string), 'whom the token was issued to, as it says itself'),
  audience: listOf(string),
  scope: maybe(string),
  expires_at: described(maybe(string), 'expiry of the token in RFC 3339; null without a token, or if it is not known'),
  has_token: described(truth, 'whether a token is kept or configured'),
  token_from: described(
    maybe(string),
    'where a token comes from that is configured, or one of a cloud identity; null for one of an issuer',
  ),
  kept_since: described(maybe(string), 'when the issuer granted the token that is kept, in RFC 3339'),
  renewable: described(truth, 'whether weir gets further tokens without a person'),
  problem: described(maybe(string), 'why the next command cannot sign in, if that is known'),
});
export type SignIn = RowOf<typeof SignIn>;

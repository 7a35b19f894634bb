import * as oauth from 'oauth4webapi';
import { usageError } from '../../errors.ts';
import { readAssertion } from './client-auth.ts';
import type { Granted, Issuer, IssuerParts } from './issuer.ts';
import { grantedBy, revoking, sendRequest } from './issuer.ts';

const gettingToken = 'get a token';
const jwtBearer = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/** Requests a token for a program: with client credentials (RFC 6749 §4.4), or for an assertion (RFC 7523 §2.1). */
export async function requestToken(issuer: Issuer, { options }: IssuerParts): Promise<Granted> {
  const { metadata, client, auth, about } = issuer;
  const request = issuer.request(gettingToken);
  const now = options.deadline.clock.wallTime();
  if (options.place.grant === 'client_credentials') {
    return await grantedBy(
      issuer,
      () => oauth.clientCredentialsGrantRequest(metadata, client, auth, about, request),
      (response) => oauth.processClientCredentialsResponse(metadata, client, response),
      now,
    );
  }
  const file = options.client.assertionFile;
  if (file === undefined) {
    throw usageError('unable to get a token: oauth.grant is jwt_bearer, but oauth.assertion.file is not set', {
      code: 'CONFIG_INVALID',
      target: 'oauth.assertion.file',
    });
  }
  const form = { ...about, assertion: await readAssertion(file, options) };
  return await grantedBy(
    issuer,
    () => oauth.genericTokenEndpointRequest(metadata, client, auth, jwtBearer, form, request),
    (response) => oauth.processGenericTokenEndpointResponse(metadata, client, response),
    now,
  );
}

/** Ends a login at the issuer, if that announces how (RFC 7009). */
export async function revoke({ metadata, client, auth, request }: Issuer, refreshToken: string): Promise<void> {
  const endpoint = metadata.revocation_endpoint;
  if (endpoint === undefined) return;
  const options = { ...request(revoking), additionalParameters: { token_type_hint: 'refresh_token' } };
  await sendRequest(endpoint, () => oauth.revocationRequest(metadata, client, auth, refreshToken, options));
}

/** Requests another token of a person with a refresh token (RFC 6749 §6), which the issuer may replace. */
export async function refreshToken(issuer: Issuer, { options }: IssuerParts, refreshToken: string): Promise<Granted> {
  const { metadata, client, auth, about } = issuer;
  const request = { ...issuer.request(gettingToken), additionalParameters: { ...about } };
  const now = options.deadline.clock.wallTime();
  const granted = await grantedBy(
    issuer,
    () => oauth.refreshTokenGrantRequest(metadata, client, auth, refreshToken, request),
    (response) => oauth.processRefreshTokenResponse(metadata, client, response),
    now,
  );
  return { ...granted, refreshToken: granted.refreshToken ?? refreshToken };
}

import { fieldsOf } from '../../../shape/object.ts';
import type { Reply } from '../../http/reply.ts';
import type { CloudRequest, Route } from '../http/request.ts';
import { ok } from '../http/request.ts';
import { keySet } from '../jwt.ts';
import type { World } from '../world.ts';
import { deviceGrant, deviceToken, startDeviceLogin } from './device.ts';
import { issueToken, oauthError, secretSha256 } from './issue.ts';

/** The routes of the authorization server: tokens for client credentials and device logins, and its public key. */
export const oauthRoutes: readonly Route[] = [
  { name: 'oauth.token', method: 'POST', path: '/oauth/token', access: 'open', handle: token },
  { name: 'oauth.device-code', method: 'POST', path: '/oauth/device/code', access: 'open', handle: startDeviceLogin },
  {
    name: 'oauth.jwks',
    method: 'GET',
    path: '/.well-known/jwks.json',
    access: 'open',
    handle: (world) => ok(keySet(world.key)),
  },
];

function token(world: World, request: CloudRequest): Reply {
  const sent = fieldsOf(request.body);
  switch (sent.grant_type) {
    case undefined:
      return oauthError(400, 'invalid_request', 'grant_type is required');
    case 'client_credentials':
      return clientCredentials(world, sent);
    case deviceGrant:
      return deviceToken(world, sent);
    default:
      return oauthError(400, 'unsupported_grant_type', 'the grant type is not supported');
  }
}

function clientCredentials(world: World, sent: Readonly<Record<string, unknown>>): Reply {
  const { client_id: id, client_secret: secret, audience = world.audience } = sent;
  if (typeof id !== 'string' || id === '') return oauthError(400, 'invalid_request', 'client_id is required');
  if (typeof secret !== 'string' || secret === '')
    return oauthError(400, 'invalid_request', 'client_secret is required');
  const client = world.state.clients.get(id);
  if (client === undefined || client.secretSha256 !== secretSha256(secret))
    return oauthError(401, 'access_denied', 'Unauthorized');
  if (audience !== world.audience)
    return oauthError(403, 'access_denied', `the client may not use the audience ${String(audience)}`);
  return issueToken(world, {
    subject: `${id}@clients`,
    clientId: id,
    audience: world.audience,
    type: 'client-credentials',
  });
}

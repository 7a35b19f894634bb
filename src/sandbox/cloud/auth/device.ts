import { randomInt } from 'node:crypto';
import { fieldsOf } from '../../../shape/object.ts';
import { param, type Reply } from '../../http/reply.ts';
import { ApiError, notFound } from '../http/api-error.ts';
import type { CloudRequest, Route } from '../http/request.ts';
import { ok } from '../http/request.ts';
import { newSecret } from '../identifiers.ts';
import type { DeviceLogin, User } from '../state.ts';
import type { World } from '../world.ts';
import { issueToken, oauthError } from './issue.ts';

/** The routes on which a user decides a device login, in a browser or by hand. */
export const deviceRoutes: readonly Route[] = [
  { name: 'sim.device.approve', method: 'POST', path: '/sim/device/{code}/approve', access: 'open', handle: approve },
  { name: 'sim.device.deny', method: 'POST', path: '/sim/device/{code}/deny', access: 'open', handle: deny },
  { name: 'sim.activate', method: 'GET', path: '/activate', access: 'open', handle: activatePage },
];

/** The grant type of RFC 8628 §3.4. */
export const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';

const lifetimeS = 900;
/** Letters that are not easily confused. */
const userCodeLetters = 'BCDFGHJKLMNPQRSTVWXZ';

/** Starts a device login (RFC 8628 §3.2), which stays pending until it is approved or denied. */
export function startDeviceLogin(world: World, request: CloudRequest): Reply {
  const { client_id: clientId, audience = world.audience } = fieldsOf(request.body);
  if (clientId !== world.deviceClientId) return oauthError(401, 'invalid_client', 'the client is unknown');
  if (audience !== world.audience) return oauthError(403, 'access_denied', 'the client may not use this audience');
  const userCode = newUserCode();
  const id = newSecret();
  const expiresAt = world.clock.now() + lifetimeS * 1000;
  const login: DeviceLogin = { id, userCode, clientId, audience, expiresAt, outcome: 'pending' };
  world.state.deviceLogins.set(id, login);
  return ok({
    device_code: id,
    user_code: userCode,
    verification_uri: `${world.url}/activate`,
    verification_uri_complete: `${world.url}/activate?user_code=${userCode}`,
    expires_in: lifetimeS,
    interval: 1,
  });
}

/** Answers one poll of a device login with a token, `authorization_pending` or the reason for a refusal. */
export function deviceToken(world: World, sent: Readonly<Record<string, unknown>>): Reply {
  const login = world.state.deviceLogins.get(String(sent.device_code));
  if (login === undefined || login.clientId !== sent.client_id || login.outcome === 'used')
    return oauthError(403, 'invalid_grant', 'the device code is unknown or has been used');
  if (login.outcome === 'denied') return oauthError(403, 'access_denied', 'the login was denied');
  if (login.expiresAt <= world.clock.now()) return oauthError(403, 'expired_token', 'the device code has expired');
  if (login.outcome === 'pending') return oauthError(403, 'authorization_pending', 'the login is waiting for approval');
  const reply = issueToken(world, {
    subject: `auth0|${login.outcome.userId}`,
    clientId: login.clientId,
    audience: login.audience,
    type: 'device-code',
  });
  if (reply.status === 200) world.state.deviceLogins.set(login.id, { ...login, outcome: 'used' });
  return reply;
}

/** Approves the pending login with this user code for a user, or denies it when the user is undefined. */
function decide(world: World, userCode: string, user: User | undefined): void {
  const login = [...world.state.deviceLogins.values()].find((one) => one.userCode === userCode.toUpperCase());
  if (login === undefined) throw notFound('device login', userCode);
  if (login.outcome !== 'pending') throw new ApiError('FAILED_PRECONDITION', 'the device login is already decided');
  const outcome = user === undefined ? 'denied' : { userId: user.id };
  world.state.deviceLogins.set(login.id, { ...login, outcome });
}

function newUserCode(): string {
  const letters = Array.from({ length: 8 }, () => userCodeLetters[randomInt(userCodeLetters.length)]);
  return `${letters.slice(0, 4).join('')}-${letters.slice(4).join('')}`;
}

function approve(world: World, request: CloudRequest): Reply {
  const { email } = fieldsOf(request.body);
  const users = [...world.state.users.values()];
  const user = email === undefined ? users[0] : users.find((one) => one.email === email);
  if (user === undefined) throw notFound('user', String(email));
  decide(world, param(request, 'code'), user);
  return ok({ approved: true });
}

function deny(world: World, request: CloudRequest): Reply {
  decide(world, param(request, 'code'), undefined);
  return ok({ denied: true });
}

function activatePage(_: World, request: CloudRequest): Reply {
  const code = (request.query.get('user_code') ?? '').replace(/[^A-Za-z-]/g, '');
  const form = (verb: string) =>
    `<form method="post" action="/sim/device/${code}/${verb}"><button>${verb}</button></form>`;
  const html = `<!doctype html><title>Sandbox login</title><h1>${code}</h1>${form('approve')}${form('deny')}\n`;
  return { status: 200, bytes: Buffer.from(html), headers: { 'content-type': 'text/html; charset=utf-8' } };
}

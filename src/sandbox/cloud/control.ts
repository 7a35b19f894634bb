import { decideDeviceLogin } from './auth/device.ts';
import { invalid, isCodeName, notFound } from './http/api-error.ts';
import { type Call, noContent, ok, param, type Reply, type Route } from './http/call.ts';
import { readFault } from './http/faults.ts';
import { isObject, readFields } from './http/fields.ts';
import { operationTypes } from './resources/enums.ts';
import { changeSettings } from './settings.ts';
import type { World } from './world.ts';

const open = 'open' as const;

/** The routes for a user's browser and for the sandbox itself. */
export const personRoutes: readonly Route[] = [
  { name: 'sim.health', method: 'GET', path: '/sim/health', access: open, handle: () => ok({ ready: true }) },
  { name: 'sim.device.approve', method: 'POST', path: '/sim/device/{code}/approve', access: open, handle: approve },
  { name: 'sim.device.deny', method: 'POST', path: '/sim/device/{code}/deny', access: open, handle: deny },
  { name: 'sim.activate', method: 'GET', path: '/activate', access: open, handle: activatePage },
];

/** The control routes for tests, which the journal leaves out; `api` holds the routes that faults can be added to. */
export function controlRoutes(api: readonly Route[]): readonly Route[] {
  const addFault = (world: World, call: Call): Reply => {
    world.faults.add(readFault(call.body, api));
    return noContent;
  };
  return [
    { name: 'sim.state', method: 'GET', path: '/sim/state', access: open, handle: dump },
    { name: 'sim.reset', method: 'POST', path: '/sim/reset', access: open, handle: reset },
    { name: 'sim.journal', method: 'GET', path: '/sim/journal', access: open, handle: journal },
    { name: 'sim.journal.clear', method: 'DELETE', path: '/sim/journal', access: open, handle: clearJournal },
    { name: 'sim.clock', method: 'GET', path: '/sim/clock', access: open, handle: showClock },
    { name: 'sim.clock.move', method: 'POST', path: '/sim/clock', access: open, handle: moveClock },
    { name: 'sim.settings', method: 'GET', path: '/sim/settings', access: open, handle: settings },
    { name: 'sim.settings.change', method: 'PATCH', path: '/sim/settings', access: open, handle: change },
    { name: 'sim.faults', method: 'GET', path: '/sim/faults', access: open, handle: listFaults },
    { name: 'sim.faults.add', method: 'POST', path: '/sim/faults', access: open, handle: addFault },
    { name: 'sim.faults.clear', method: 'DELETE', path: '/sim/faults', access: open, handle: clearFaults },
    { name: 'sim.failures.add', method: 'POST', path: '/sim/failures', access: open, handle: planFailure },
    { name: 'sim.tokens.expire', method: 'POST', path: '/sim/tokens/expire', access: open, handle: expireTokens },
    { name: 'sim.clusters.pin', method: 'POST', path: '/sim/clusters/{id}/pin', access: open, handle: pin },
  ];
}

function dump({ state, clock }: World): Reply {
  const { clients, deviceLogins, ...rest } = state;
  const shown = Object.entries(rest).map(([key, value]) => [key, value instanceof Map ? [...value.values()] : value]);
  return ok({
    now: clock.now(),
    ...Object.fromEntries(shown),
    clients: [...clients.keys()],
    logins: deviceLogins.size,
  });
}

function reset(world: World): Reply {
  world.reset();
  return noContent;
}

function journal(world: World, call: Call): Reply {
  const { query } = call;
  const asked = [...query].filter(([name]) => ['method', 'route', 'path', 'status'].includes(name));
  const entries = world.journal
    .entries()
    .filter((entry) => asked.every(([name, value]) => String(entry[name as 'method']) === value));
  return ok({ entries });
}

function clearJournal(world: World): Reply {
  world.journal.clear();
  return noContent;
}

function showClock({ clock, state }: World): Reply {
  return ok({ now: clock.now(), rate: clock.rate(), pending: state.steps });
}

function moveClock(world: World, call: Call): Reply {
  const { advance_ms: advance, rate, ...rest } = isObject(call.body) ? call.body : {};
  const good = (value: unknown) => value === undefined || (typeof value === 'number' && value >= 0);
  if (!good(advance) || !good(rate) || Object.keys(rest).length > 0)
    throw invalid([{ field: 'body', description: 'must be { "advance_ms"?, "rate"? } with numbers from 0' }]);
  if (typeof rate === 'number') world.clock.setRate(rate);
  if (typeof advance === 'number') world.clock.advance(advance);
  return showClock(world);
}

function settings({ state }: World): Reply {
  return ok(state.settings);
}

function change(world: World, call: Call): Reply {
  try {
    world.state.settings = changeSettings(world.state.settings, call.body);
  } catch (error) {
    throw invalid([{ field: 'body', description: (error as Error).message }]);
  }
  return settings(world);
}

function listFaults({ faults }: World): Reply {
  return ok({ faults: faults.list() });
}

function clearFaults({ faults }: World): Reply {
  faults.clear();
  return noContent;
}

function planFailure(world: World, call: Call): Reply {
  const fields = readFields(call.body, '');
  const type = fields.optionalChoice('type', operationTypes);
  const code = fields.optionalText('code') ?? 'RESOURCE_EXHAUSTED';
  const reason = fields.optionalText('reason') ?? 'REASON_INSUFFICIENT_QUOTA';
  const message = fields.optionalText('message') ?? 'the quota is used up';
  if (!isCodeName(code)) fields.reject('code', 'must be the name of a code');
  fields.only(['type', 'code', 'reason', 'message']);
  fields.check();
  const failure = { code, reason, message, ...(type === undefined ? {} : { type }) };
  world.state.failures = [...world.state.failures, failure];
  return noContent;
}

function expireTokens(world: World): Reply {
  // Token times are whole seconds, so the next token must be issued in a later second than the expired ones.
  const second = Math.floor(world.clock.now() / 1000) * 1000 + 1000;
  world.clock.advance(second - world.clock.now());
  world.state.tokensValidFrom = second;
  return noContent;
}

function pin(world: World, call: Call): Reply {
  const cluster = world.state.clusters.get(param(call, 'id'));
  if (cluster === undefined) throw notFound('cluster', param(call, 'id'));
  const fields = readFields(call.body, '');
  const installPack = fields.text('install_pack');
  fields.check();
  // A version without a pack is allowed, to test how a client reports it.
  world.state.clusters.set(cluster.id, { ...cluster, installPack });
  return noContent;
}

function approve(world: World, call: Call): Reply {
  const { email } = isObject(call.body) ? call.body : {};
  const users = [...world.state.users.values()];
  const user = email === undefined ? users[0] : users.find((one) => one.email === email);
  if (user === undefined) throw notFound('user', String(email));
  decideDeviceLogin(world, param(call, 'code'), user);
  return ok({ approved: true });
}

function deny(world: World, call: Call): Reply {
  decideDeviceLogin(world, param(call, 'code'), undefined);
  return ok({ denied: true });
}

function activatePage(_: World, call: Call): Reply {
  const code = (call.query.get('user_code') ?? '').replace(/[^A-Za-z-]/g, '');
  const form = (verb: string) =>
    `<form method="post" action="/sim/device/${code}/${verb}"><button>${verb}</button></form>`;
  const html = `<!doctype html><title>Sandbox login</title><h1>${code}</h1>${form('approve')}${form('deny')}\n`;
  return { status: 200, bytes: Buffer.from(html), headers: { 'content-type': 'text/html; charset=utf-8' } };
}

import type { IncomingMessage, ServerResponse } from 'node:http';
import { findRoute, type Match } from '../../http/router.ts';
import { hold, type Reply, send } from '../../http/send.ts';
import { authenticate, authorize, type Caller, schemeOf } from '../auth/authenticate.ts';
import { moveController } from '../partitions/election.ts';
import { progressTo } from '../progress.ts';
import type { Node } from '../state.ts';
import type { World } from '../world.ts';
import { AdminError, notFound } from './admin-error.ts';
import type { Route } from './call.ts';
import type { Effect } from './faults.ts';
import { redirectOf } from './redirect.ts';

/** What a node's listener needs to answer requests. */
export interface Serving {
  readonly world: World;
  readonly node: Node;
  readonly routes: readonly Route[];
  /** Aborted when the simulator stops, which ends all pauses. */
  readonly signal: AbortSignal;
  /** Brings the state up to the current time. */
  settle(): Promise<void>;
}

/** One request in progress. */
interface Exchange {
  readonly request: IncomingMessage;
  readonly url: URL;
  readonly match: Match<Route> | 'other-method' | undefined;
  readonly effects: readonly Effect[];
  readonly bytes: Buffer;
}

/** The result of a request, for the journal. */
interface Outcome {
  readonly reply: Reply;
  readonly user: string | null;
}

/** The largest body, in bytes: room for a WebAssembly module. */
const largest = 16 << 20;

/** Answers one request and applies its faults. */
export async function serve(serving: Serving, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { world, node, routes, signal } = serving;
  const url = new URL(request.url ?? '/', `${world.scheme}://${node.host}`);
  // Clients write list paths with or without a slash at the end.
  const path = url.pathname.length > 1 ? url.pathname.replace(/\/$/, '') : url.pathname;
  const match = findRoute(routes, request.method ?? 'GET', path);
  const route = typeof match === 'object' ? match.route : undefined;
  const effects = route?.name.startsWith('sim.') ? [] : world.faults.take({ node: node.id, route });
  const exchange = { request, url, match, effects, bytes: await readBytes(request) };
  for (const effect of effects) {
    if (effect.kind === 'delay') await hold(response, effect.ms, signal);
    if (effect.kind === 'move-controller') moveController(world, effect.electionMs);
  }
  if (effects.some((effect) => effect.kind === 'drop' && effect.when === 'before')) {
    note(serving, exchange, { reply: { status: 0 }, user: null });
    response.destroy();
    return;
  }
  const outcome = await handle(serving, exchange);
  note(serving, exchange, outcome);
  if (effects.some((effect) => effect.kind === 'drop')) response.destroy();
  else await send(response, outcome.reply, effects, signal);
}

async function readBytes(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length <= largest) chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function handle(serving: Serving, exchange: Exchange): Promise<Outcome> {
  const { world, node } = serving;
  const { request, url, match, effects, bytes } = exchange;
  let caller: Caller | undefined;
  try {
    if (!(typeof match === 'object' && match.route.name.startsWith('sim.')))
      world.clock.advance(world.settings.perRequestMs);
    await serving.settle();
    const replaced = replacement(effects, url);
    if (replaced !== undefined) return { reply: replaced, user: null };
    if (typeof match !== 'object') throw notFound('Not found');
    const { route, params } = match;
    caller = await authenticate(world, node, request.headers.authorization);
    authorize(caller, route.level);
    const redirect = redirectOf(world, node, { route, params, url }, request);
    if (redirect !== undefined) return { reply: redirect, user: caller.user };
    const call = { node, params, query: url.searchParams, bytes, headers: request.headers, user: caller.user };
    const reply = await route.handle(world, call);
    progressTo(world, world.clock.now());
    return { reply, user: caller.user };
  } catch (error) {
    return { reply: refusal(error), user: caller?.user ?? null };
  }
}

/** The response of a fault that takes the place of the route's own. */
function replacement(effects: readonly Effect[], url: URL): Reply | undefined {
  for (const effect of effects) {
    if (effect.kind === 'redirect')
      return { status: 307, headers: { location: new URL(url.pathname + url.search, effect.to).href } };
    if (effect.kind !== 'status') continue;
    const { status, message = 'a simulated fault', headers = {}, text } = effect;
    if (text !== undefined) return { status, headers, bytes: Buffer.from(text) };
    return { status, headers, body: new AdminError(status, message).body };
  }
  return undefined;
}

/** Converts an error to a response: the API's own error, or 500 for a bug in the simulator. */
function refusal(error: unknown): Reply {
  if (error instanceof AdminError) return { status: error.status, body: error.body };
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { status: 500, body: new AdminError(500, `internal error of the simulator: ${text}`).body };
}

function note({ world, node }: Serving, exchange: Exchange, { reply, user }: Outcome): void {
  const { request, url, match, effects, bytes } = exchange;
  const route = typeof match === 'object' ? match.route.name : null;
  if (route?.startsWith('sim.')) return;
  world.journal.add({
    at: world.clock.now(),
    node: node.id,
    method: request.method ?? '',
    path: url.pathname + url.search,
    route,
    status: reply.status,
    credentials: schemeOf(request.headers.authorization),
    user,
    contentType: request.headers['content-type'] ?? null,
    bodyBytes: bytes.length,
    location: reply.headers?.location ?? null,
    faults: effects.map(({ kind }) => kind),
  });
}

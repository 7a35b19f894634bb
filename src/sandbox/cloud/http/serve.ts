import type { IncomingMessage, ServerResponse } from 'node:http';
import { findRoute, type Match } from '../../http/router.ts';
import { hold, send } from '../../http/send.ts';
import { stepTable } from '../routes.ts';
import { settle } from '../steps.ts';
import type { World } from '../world.ts';
import { admit, answer, faultReply, refusal } from './answer.ts';
import { ApiError } from './api-error.ts';
import { parseBody, readBytes } from './body.ts';
import type { Call, Principal, Reply, Route } from './call.ts';
import type { Effect } from './faults.ts';

/** What a server needs to answer requests. */
export interface Serving {
  readonly world: World;
  /** Aborted when the simulator stops, which ends all pauses. */
  readonly signal: AbortSignal;
  /** Called after each request that may have changed the state, before its response is sent. */
  save(): void;
}

/** One request in progress. */
interface Exchange {
  readonly request: IncomingMessage;
  readonly url: URL;
  readonly match: Match<Route> | 'other-method' | undefined;
  readonly effects: readonly Effect[];
}

/** The result of a request, for the journal. */
interface Outcome {
  readonly reply: Reply;
  readonly principal?: Principal | undefined;
  readonly body?: unknown;
}

/** Answers one request and applies its faults. */
export async function serve(serving: Serving, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { world, signal } = serving;
  const url = new URL(request.url ?? '/', world.url);
  const match = findRoute(world.routes, request.method ?? 'GET', url.pathname);
  const effects = typeof match === 'object' ? world.faults.take(match.route) : [];
  const exchange: Exchange = { request, url, match, effects };
  const bytes = await readBytes(request).catch((error: unknown) => error as Error);
  for (const effect of effects) if (effect.kind === 'delay') await hold(response, effect.ms, signal);
  if (effects.some((effect) => effect.kind === 'drop' && effect.when === 'before')) {
    note(serving, exchange, { reply: { status: 0 } });
    response.destroy();
    return;
  }
  const outcome = handle(serving, exchange, bytes);
  serving.save();
  note(serving, exchange, outcome);
  if (effects.some((effect) => effect.kind === 'drop')) response.destroy();
  else await send(response, outcome.reply, effects, signal);
}

function handle({ world }: Serving, exchange: Exchange, bytes: Buffer | Error): Outcome {
  const { request, url, match, effects } = exchange;
  let principal: Principal | undefined;
  let body: unknown;
  try {
    pass(world, url.pathname);
    if (match === undefined) throw new ApiError('NOT_FOUND', 'Not Found');
    if (match === 'other-method') throw new ApiError('UNIMPLEMENTED', 'Method Not Allowed');
    const fault = effects.find((effect) => effect.kind === 'status');
    if (fault !== undefined) return { reply: faultReply(world, match.route, fault) };
    principal = admit(world, match.route, request.headers.authorization);
    if (bytes instanceof Error) throw bytes;
    body = parseBody(bytes, request.headers['content-type']);
    const call: Call = {
      params: match.params,
      query: url.searchParams,
      body,
      headers: request.headers,
      principal,
      artifactChange: effects.find((effect) => effect.kind === 'artifact')?.change,
    };
    const reply = answer(world, match.route, call);
    // The effects of a control call are complete when it answers.
    settle(world, stepTable);
    return { reply, principal, body };
  } catch (error) {
    return { reply: refusal(world, error), principal, body };
  }
}

/** Advances the clock by the duration of one request and performs the steps that are due. */
function pass(world: World, path: string): void {
  if (!path.startsWith('/sim/')) world.clock.advance(world.state.settings.perRequestMs);
  settle(world, stepTable);
}

function note({ world }: Serving, exchange: Exchange, { reply, principal, body }: Outcome): void {
  const { request, url, match, effects } = exchange;
  const route = typeof match === 'object' ? match.route.name : null;
  if (route?.startsWith('sim.') === true) return;
  world.journal.add(
    {
      at: world.clock.now(),
      method: request.method ?? '',
      path: url.pathname,
      route,
      status: reply.status,
      authorization: request.headers.authorization !== undefined,
      token_id: principal?.tokenId ?? null,
      client_id: principal?.clientId ?? null,
      content_type: request.headers['content-type'] ?? null,
      body: url.pathname.startsWith('/v1/') ? (body ?? null) : null,
      faults: effects.map((effect) => effect.kind),
    },
    url.searchParams,
  );
}

import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { bytesOf, type Reply, writeHead } from '../../../src/sandbox/http/reply.ts';
import type { Pattern } from '../../../src/sandbox/http/router.ts';
import type { Around, Asked, Outcome } from '../../../src/sandbox/http/server.ts';

/** What a fault does to a response. */
export type Effect =
  /** Responds with this status instead, in the API's own form unless a body is given; nothing is changed. */
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly message?: string;
      readonly headers?: Readonly<Record<string, string>>;
      /** A body in JSON. */
      readonly body?: unknown;
      /** A body in another form, for example a page of HTML; its type goes into `headers`. */
      readonly text?: string;
      /** The code and reason of an error of the cloud API. */
      readonly code?: string;
      readonly reason?: string;
    }
  /** Redirects to this origin with 307, whatever the request is. */
  | { readonly kind: 'redirect'; readonly to: string }
  /** Waits this many real milliseconds, or until the client has gone, before the request is handled. */
  | { readonly kind: 'delay'; readonly ms: number }
  /** Cuts the connection: before anything is done, or after the change is made. */
  | { readonly kind: 'drop'; readonly when: 'before' | 'after' }
  /** Cuts the connection after this many bytes of the body. */
  | { readonly kind: 'truncate'; readonly bytes: number }
  /** Sends the body in pieces of this many bytes, with a pause in real milliseconds after each. */
  | { readonly kind: 'slow'; readonly bytes: number; readonly everyMs: number }
  /** Sends random bytes of the same length (at least 64) instead of the body. */
  | { readonly kind: 'garbage' };

/** A status that takes the place of a route's own answer. */
export type StatusEffect = Extract<Effect, { kind: 'status' }>;

/** A fault as tests write it: for every node and the next request unless something else is given. */
export interface Fault<Own> {
  /** The name of a route, `METHOD /path/{id}` as in the route table, or `*`. */
  readonly route: string;
  readonly effect: Effect | Own;
  /** The id of the node that it affects. */
  readonly node?: number;
  /** The number of requests to let through first. */
  readonly skip?: number;
  /** The number of requests that it affects; null for all requests until it is cleared. */
  readonly times?: number | null;
}

/** A route with its stable name. */
type Named = Pattern & { readonly name: string };

/** The active faults of a simulator. */
export interface Faults<Own> {
  /** @throws Error for a fault that can never occur, so that no test waits for it */
  add(fault: Fault<Own>): void;
  /** Counts a request and returns the effects on it; the route is undefined when none matches. */
  take(route: Named | undefined, node?: number): readonly (Effect | Own)[];
  list(): readonly Fault<Own>[];
  clear(): void;
}

/** Creates an empty set of faults of these routes. */
export function newFaults<Own>(routes: readonly Named[]): Faults<Own> {
  let faults: readonly Fault<Own>[] = [];
  const namesOf = (route: Named | undefined) =>
    route === undefined ? ['*'] : ['*', route.name, `${route.method} ${route.path}`];
  const known = new Set(routes.flatMap(namesOf));
  return {
    add(fault) {
      if (!known.has(fault.route)) throw new Error(`there is no route ${fault.route}`);
      if (fault.times === 0) throw new Error('a fault for no request');
      faults = [...faults, fault];
    },
    take(route, node) {
      const effects: (Effect | Own)[] = [];
      const names = namesOf(route);
      faults = faults.flatMap((fault) => {
        const { skip = 0, times = 1 } = fault;
        if (!names.includes(fault.route) || (fault.node ?? node) !== node) return [fault];
        if (skip > 0) return [{ ...fault, skip: skip - 1 }];
        effects.push(fault.effect);
        if (times === null) return [fault];
        return times > 1 ? [{ ...fault, times: times - 1 }] : [];
      });
      return effects;
    },
    list: () => faults,
    clear() {
      faults = [];
    },
  };
}

/** One request to a simulator: what every journal has. */
export interface Noted {
  readonly number: number;
  /** Milliseconds since the epoch, on the virtual clock. */
  readonly at: number;
  readonly method: string;
  /** The name of the route; null when none matches. */
  readonly route: string | null;
  /** The status of the response; 0 when the connection was cut before one. */
  readonly status: number;
  /** The kinds of the faults that affected the response. */
  readonly faults: readonly string[];
}

/** What a test adds to a simulator, in the simulator's own terms. */
export interface Controls<Route extends Named, Result extends Outcome, Own> {
  readonly faults: Faults<Own>;
  readonly node?: number;
  /** Aborted when the simulator stops, which ends all pauses. */
  readonly signal: AbortSignal;
  /** Called before a request is handled: moves the clock, applies the effects that are the simulator's own. */
  begin(effects: readonly (Effect | Own)[], asked: Asked<Route>): void;
  /** Brings the state up to the current time before a response that the simulator does not make. */
  settle(): void | Promise<void>;
  /** The response of a `status` effect without a body. */
  errorOf(effect: StatusEffect, route: Route | undefined): Reply;
  /** Changes a response of the simulator. */
  change?(reply: Reply, effects: readonly (Effect | Own)[], asked: Asked<Route>): Reply;
  note(entry: Omit<Noted, 'number' | 'at'>, asked: Asked<Route>, result: Result | { readonly reply: Reply }): void;
}

/** Returns what stands before a simulator: it applies the faults to each request, and notes it. */
export function withControls<Route extends Named, Result extends Outcome, Own extends { readonly kind: string }>(
  controls: Controls<Route, Result, Own>,
): Around<Route, Result> {
  const { faults, node, signal } = controls;
  return async (asked, handle) => {
    const { request, response, match } = asked;
    const route = typeof match === 'object' ? match.route : undefined;
    // What the sandbox itself calls is never affected.
    if (route?.name.startsWith('sim.')) return (await handle()).reply;
    const effects = faults.take(route, node);
    const noteOf = (result: Result | { readonly reply: Reply }) => {
      const kinds = effects.map(({ kind }) => kind);
      const { status } = result.reply;
      const entry = { method: request.method ?? '', route: route?.name ?? null, status, faults: kinds };
      controls.note(entry, asked, result);
    };
    const delayed = find(effects, 'delay');
    if (delayed !== undefined) await hold(response, delayed.ms, signal);
    controls.begin(effects, asked);
    const drop = find(effects, 'drop');
    if (drop?.when === 'before') {
      noteOf({ reply: { status: 0 } });
      response.destroy();
      return undefined;
    }
    const replaced = replacement(effects, asked, (effect) => controls.errorOf(effect, route));
    if (replaced !== undefined) await controls.settle();
    const result = replaced === undefined ? await handle() : { reply: replaced };
    noteOf(result);
    if (drop !== undefined) response.destroy();
    else await deliver(response, controls.change?.(result.reply, effects, asked) ?? result.reply, effects, signal);
    return undefined;
  };
}

/** The response of a fault that takes the place of the route's own. */
function replacement<Own extends { readonly kind: string }>(
  effects: readonly (Effect | Own)[],
  { url }: { readonly url: URL },
  errorOf: (effect: StatusEffect) => Reply,
): Reply | undefined {
  const redirect = find(effects, 'redirect');
  if (redirect !== undefined)
    return { status: 307, headers: { location: new URL(url.pathname + url.search, redirect.to).href } };
  const effect = find(effects, 'status');
  if (effect === undefined) return undefined;
  const { status, headers = {}, body, text } = effect;
  if (text !== undefined) return { status, headers, bytes: Buffer.from(text) };
  return { ...(body === undefined ? errorOf(effect) : { status, body }), headers };
}

function find<Kind extends Effect['kind']>(effects: readonly { readonly kind: string }[], kind: Kind) {
  return effects.find((effect): effect is Extract<Effect, { kind: Kind }> => effect.kind === kind);
}

/** Waits `ms` real milliseconds before a request is handled, but not longer than its client waits. */
async function hold(response: ServerResponse, ms: number, signal: AbortSignal): Promise<void> {
  const gone = new AbortController();
  const leave = (): void => gone.abort();
  response.once('close', leave);
  if (response.closed) leave();
  await delay(ms, undefined, { signal: AbortSignal.any([signal, gone.signal]) }).catch(() => signal.throwIfAborted());
  response.off('close', leave);
}

/** Sends a response with the effects applied; resolves when it is sent or the connection is cut. */
async function deliver(
  response: ServerResponse,
  reply: Reply,
  effects: readonly { readonly kind: string }[],
  signal: AbortSignal,
): Promise<void> {
  const own = bytesOf(reply);
  const bytes = find(effects, 'garbage') === undefined ? own : randomBytes(Math.max(own.length, 64));
  const truncate = find(effects, 'truncate');
  const slow = find(effects, 'slow');
  writeHead(response, reply, bytes.length);
  if (truncate !== undefined) return cut(response, bytes.subarray(0, truncate.bytes));
  if (slow === undefined) response.end(bytes);
  else await trickle(response, bytes, slow, signal);
}

async function cut(response: ServerResponse, bytes: Buffer): Promise<void> {
  response.flushHeaders();
  await new Promise<void>((resolve) => void response.write(bytes, () => resolve()));
  response.destroy();
}

async function trickle(
  response: ServerResponse,
  bytes: Buffer,
  slow: Extract<Effect, { kind: 'slow' }>,
  signal: AbortSignal,
): Promise<void> {
  const step = Math.max(1, slow.bytes);
  response.flushHeaders();
  for (let at = 0; at < bytes.length && !response.destroyed; at += step) {
    response.write(bytes.subarray(at, at + step));
    await delay(slow.everyMs, undefined, { signal });
  }
  response.end();
}

import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

/** A response: JSON, bytes or nothing. */
export interface Reply {
  readonly status: number;
  readonly body?: unknown;
  readonly bytes?: Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An effect of a fault on the bytes of a response. */
export type SendingEffect =
  /** Cuts the connection after this many bytes of the body. */
  | { readonly kind: 'truncate'; readonly bytes: number }
  /** Sends the body in pieces of this many bytes, with a pause in real milliseconds after each. */
  | { readonly kind: 'slow'; readonly bytes: number; readonly everyMs: number }
  /** Sends random bytes of the same length (at least 64) instead of the body. */
  | { readonly kind: 'garbage' };

/** Any effect; `send` applies those that are a `SendingEffect`. */
interface AnyEffect {
  readonly kind: string;
}

/** Sends a response with the effects applied; resolves when it is sent or the connection is cut. */
export async function send(
  response: ServerResponse,
  reply: Reply,
  effects: readonly AnyEffect[],
  signal: AbortSignal,
): Promise<void> {
  let bytes = Buffer.from(reply.bytes ?? (reply.body === undefined ? '' : JSON.stringify(reply.body)));
  if (find(effects, 'garbage') !== undefined) bytes = randomBytes(Math.max(bytes.length, 64));
  response.statusCode = reply.status;
  if (reply.status !== 204) response.setHeader('content-length', bytes.length);
  if (reply.body !== undefined) response.setHeader('content-type', 'application/json');
  for (const [name, value] of Object.entries(reply.headers ?? {})) response.setHeader(name, value);
  const truncate = find(effects, 'truncate');
  if (truncate !== undefined) return cut(response, bytes.subarray(0, truncate.bytes));
  const slow = find(effects, 'slow');
  if (slow === undefined) response.end(bytes);
  else await trickle(response, bytes, slow, signal);
}

/** Waits `ms` real milliseconds before a request is handled, but not longer than its client waits. */
export async function hold(response: ServerResponse, ms: number, signal: AbortSignal): Promise<void> {
  const gone = new AbortController();
  const leave = (): void => gone.abort();
  response.once('close', leave);
  if (response.closed) leave();
  await delay(ms, undefined, { signal: AbortSignal.any([signal, gone.signal]) }).catch(() => signal.throwIfAborted());
  response.off('close', leave);
}

function find<Kind extends SendingEffect['kind']>(effects: readonly AnyEffect[], kind: Kind) {
  return effects.find((effect): effect is Extract<SendingEffect, { kind: Kind }> => effect.kind === kind);
}

async function cut(response: ServerResponse, bytes: Buffer): Promise<void> {
  response.flushHeaders();
  await new Promise<void>((resolve) => void response.write(bytes, () => resolve()));
  response.destroy();
}

async function trickle(
  response: ServerResponse,
  bytes: Buffer,
  slow: Extract<SendingEffect, { kind: 'slow' }>,
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

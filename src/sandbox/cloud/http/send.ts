import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Reply } from './call.ts';
import type { Effect } from './faults.ts';

/** Sends a response with the effects applied; resolves when it is sent or the connection is cut. */
export async function send(
  response: ServerResponse,
  reply: Reply,
  effects: readonly Effect[],
  signal: AbortSignal,
): Promise<void> {
  let bytes = Buffer.from(reply.bytes ?? (reply.body === undefined ? '' : JSON.stringify(reply.body)));
  if (effects.some((effect) => effect.kind === 'garbage')) bytes = randomBytes(Math.max(bytes.length, 64));
  response.statusCode = reply.status;
  if (reply.status !== 204) response.setHeader('content-length', bytes.length);
  if (reply.body !== undefined) response.setHeader('content-type', 'application/json');
  for (const [name, value] of Object.entries(reply.headers ?? {})) response.setHeader(name, value);
  const truncate = effects.find((effect) => effect.kind === 'truncate');
  if (truncate !== undefined) return cut(response, bytes.subarray(0, truncate.bytes));
  const slow = effects.find((effect) => effect.kind === 'slow');
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

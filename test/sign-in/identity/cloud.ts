import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect } from 'vitest';
import { startDeadline } from '../../../src/deadline.ts';
import { openIdentity } from '../../../src/sign-in/identity/open.ts';
import type { IdentityOptions, ProgramResult, Provider } from '../../../src/sign-in/identity/options.ts';
import { temporaryDirectory } from '../../world.ts';

/** A request that the scripted cloud has received. */
export interface Asked {
  readonly line: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** What the scripted cloud answers: an object as JSON, a text as it is, a status, or nothing at all. */
export type Answer = object | string | number | 'hang';

/** A server of this machine in the place of all endpoints of a cloud, written from their documents. */
export interface Cloud extends Disposable {
  readonly url: string;
  readonly asked: readonly Asked[];
}

/** Starts a cloud that answers by method and path, without the query; anything else is a 404. */
export async function startCloud(
  answers: Readonly<Record<string, Answer | ((asked: Asked) => Answer)>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<Cloud> {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const one = { line: `${request.method} ${request.url}`, headers: request.headers, body };
    asked.push(one);
    const found = answers[one.line.replace(/\?.*/, '')] ?? 404;
    const answer = typeof found === 'function' ? found(one) : found;
    if (answer === 'hang') return;
    if (typeof answer === 'number') return void response.writeHead(answer).end();
    const { status = 200, ...rest } = typeof answer === 'string' ? {} : (answer as { readonly status?: number });
    const type = typeof answer !== 'string' ? 'application/json' : answer.startsWith('<') ? 'text/html' : 'text/plain';
    response.writeHead(status, { 'content-type': type, ...headers });
    const shown = Array.isArray(answer) ? answer : rest;
    response.end(typeof answer === 'string' ? answer : JSON.stringify(shown));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    asked,
    [Symbol.dispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** What differs from a machine without any credentials. */
interface Given {
  readonly env?: Readonly<Record<string, string>>;
  readonly home?: string;
  readonly brokers?: readonly string[];
  readonly run?: (words: readonly string[]) => ProgramResult;
  readonly options?: Partial<IdentityOptions>;
  /** How long an answer is waited for, in nanoseconds. */
  readonly patience?: bigint;
}

const second = 1_000_000_000n;
const limits = { dial: 3n * second, retry: 0n, command: 60n * second, fetchMaxWait: second };

/** Opens an identity on a machine of its own, where nothing answers unless the environment names it. */
export function identityOn(provider: Provider, given: Given) {
  const { env = {}, home = temporaryDirectory(), brokers = ['b-1.x.c2.kafka.eu-west-1.amazonaws.com'] } = given;
  const warnings: string[] = [];
  const identity = openIdentity({
    provider,
    brokers: brokers.map((host) => ({ host, port: 9098 })),
    aws: { profile: '', region: '', roleArn: '' },
    scope: '',
    clientId: '',
    credentialsFile: undefined,
    machine: {
      env: { AWS_EC2_METADATA_DISABLED: 'true', ...env },
      home,
      platform: 'linux',
      async run(file, args) {
        if (given.run === undefined) throw Object.assign(new Error('spawn ENOENT'), { code: 'ENOENT' });
        return given.run([file, ...args]);
      },
    },
    mayRenew: true,
    userAgent: 'weir',
    deadline: startDeadline({ ...limits, requestOverhead: given.patience ?? 10n * second }),
    warn: (line) => void warnings.push(line),
    ...given.options,
  });
  return { ...identity, home, warnings, path: (...parts: readonly string[]) => join(home, ...parts) };
}

/** How long an assertion is valid that was made just now, in seconds. */
export function lifetimeOf(claims: unknown): number {
  const { iat, exp } = claims as { readonly iat: number; readonly exp: number };
  expect(Math.abs(iat - Date.now() / 1000)).toBeLessThan(300);
  return exp - iat;
}

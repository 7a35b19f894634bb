import { Ajv } from 'ajv';
import { expect, onTestFinished } from 'vitest';
import { writeLicense } from '../../../src/sandbox/admin/config/license.ts';
import { adminRoutes } from '../../../src/sandbox/admin/routes.ts';
import { findRoute } from '../../../src/sandbox/http/router.ts';
import { answerSchemas } from './answer-schemas.ts';
import { type ControlledAdmin, type ControlledParts, startControlledAdmin } from './controlled.ts';
import { empty, raw } from './schema-words.ts';

/** JSON whose structure a test asserts. */
// biome-ignore lint/suspicious/noExplicitAny: a test reads responses like a foreign client, without our types
export type Json = any;

/** A complete response. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed JSON; undefined for an empty body, and the text for any other type. */
  readonly body: Json;
  readonly bytes: Buffer;
}

/** How to call besides the method and path. */
export interface CallOptions {
  /** Sent as JSON, or as it is if it is bytes or a text. */
  readonly body?: unknown;
  /** `user:password` for basic authentication, or the whole header. */
  readonly auth?: string | undefined;
  /** The place of the node among the addresses (default 0). */
  readonly node?: number;
}

/** A simulator over fixed data, and test calls to it over real HTTP. */
export interface Simulator extends ControlledAdmin {
  /** Calls one node, without following redirects. A successful answer must have its documented form. */
  call(line: string, options?: CallOptions): Promise<Answer>;
  /** Calls, follows redirects, and returns the body of a success. */
  ok(line: string, options?: CallOptions): Promise<Json>;
}

const ajv = new Ajv({ strict: true, strictRequired: false, allErrors: true, strictTypes: false });

/** The start of the virtual clock, in milliseconds since the epoch. */
export const startAt = Date.UTC(2030, 0, 1);

/** A license that lasts 30 days from the start of the clock. */
export const sandboxTrial = writeLicense({
  organization: 'sandbox',
  type: 'free_trial',
  expires: startAt / 1000 + 30 * 86_400,
});

/** Starts a simulator, which stops when the test ends. Its clock only moves when a test moves it. */
export async function startSimulator(parts: ControlledParts = {}): Promise<Simulator> {
  const controlled = await startControlledAdmin({ startAt, ...parts });
  const { api } = controlled;
  onTestFinished(() => api.close());
  async function call(line: string, { body, auth, node = 0 }: CallOptions = {}): Promise<Answer> {
    const [method = '', path = ''] = line.split(' ');
    const url = path.startsWith('http') ? path : `${api.addresses[node]}${path}`;
    const isRaw = typeof body === 'string' || Buffer.isBuffer(body);
    const response = await fetch(url, {
      method,
      redirect: 'manual',
      headers: {
        ...(auth === undefined ? {} : { authorization: headerOf(auth) }),
        ...(body === undefined || isRaw ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: isRaw ? (body as string) : JSON.stringify(body) }),
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    const answer = { status: response.status, headers: response.headers, body: parse(response, bytes), bytes };
    checkForm(method, new URL(url).pathname, answer);
    return answer;
  }
  async function ok(line: string, options: CallOptions = {}): Promise<Json> {
    let answer = await call(line, options);
    for (let hop = 0; answer.status === 307 && hop < 5; hop += 1)
      answer = await call(`${line.split(' ')[0]} ${answer.headers.get('location')}`, options);
    expect(answer.status, `${line}: ${JSON.stringify(answer.body)}`).toBeLessThan(300);
    return answer.body;
  }
  return { ...controlled, call, ok };
}

function headerOf(auth: string): string {
  return /^\S+:/.test(auth) ? `Basic ${Buffer.from(auth).toString('base64')}` : auth;
}

function parse(response: Response, bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  return response.headers.get('content-type') === 'application/json'
    ? JSON.parse(bytes.toString('utf8'))
    : bytes.toString('utf8');
}

/** Checks that a success has the form that the documents give it, and an error `{ message, code }`. */
function checkForm(method: string, path: string, { status, body }: Answer): void {
  const match = findRoute(adminRoutes, method, path.replace(/(.)\/$/, '$1'));
  if (typeof match !== 'object' || status === 307) return;
  const { name } = match.route;
  const form = answerSchemas[name];
  if (status >= 200 && status < 300) {
    if (form === empty) expect(body, name).toBeUndefined();
    if (form === empty || form === raw) return;
    if (form === undefined) throw new Error(`cluster-schemas.ts and work-schemas.ts have no form of "${name}"`);
    const validate = ajv.compile(form);
    expect(validate(body), `${name}: ${ajv.errorsText(validate.errors)}: ${JSON.stringify(body)}`).toBe(true);
  }
}

/** The form of an error. */
export function errorOf(status: number, message: string | RegExp) {
  const text = typeof message === 'string' ? message : expect.stringMatching(message);
  return { status, body: { message: text, code: status } };
}

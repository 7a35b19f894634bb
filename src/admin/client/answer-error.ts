import { CliError, exitCodes, rephrased } from '../../errors.ts';
import type { HttpAnswer } from '../../net/http.ts';
import { parseJson, textOf } from '../../net/json.ts';
import { type Credentials, schemeHint } from '../../net/json-api/credentials.ts';
import { apiError, foreignAnswer, hasStatus, oneLine, plainText } from '../../net/json-api/error.ts';
import { inParallel } from '../../net/parallel.ts';
import { type Fields, fieldsOf } from '../../shape/object.ts';

const names: ReadonlyMap<number, string> = new Map([
  [400, 'INVALID_REQUEST'],
  [401, 'UNAUTHENTICATED'],
  [403, 'PERMISSION_DENIED'],
  [404, 'NOT_FOUND'],
  [409, 'CONFLICT'],
  [410, 'EXPIRED'],
  [422, 'INVALID_REQUEST'],
  [429, 'THROTTLED'],
  [500, 'SERVER_ERROR'],
  [503, 'UNAVAILABLE'],
  [504, 'SERVER_TIMEOUT'],
]);

/** States that pass: throttled, no leader at the moment, a change in progress, an operation that took too long. */
const passing: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/**
 * States of the cluster that only the words of an answer tell: its status is that of a fault (500, 503), or changes with the
 * release (redpanda src/v/cluster/errc.h, and `throw_on_error` in src/v/redpanda/admin/server.cc).
 */
const statements: readonly (readonly [words: string, code: 'CONFLICT' | 'NOT_FOUND', hint?: string])[] = [
  ['Requested feature is disabled', 'CONFLICT'],
  ['Partition configuration update in progress', 'CONFLICT'],
  ['The topic has already been created', 'CONFLICT'],
  ['the resource is undergoing data migration', 'CONFLICT'],
  ['Topic disabled by user', 'CONFLICT'],
  ['Partition disabled by user', 'CONFLICT'],
  ['User already exists', 'CONFLICT'],
  // A cluster takes one shadow link; the status is that of too many requests.
  ['cluster_link::errc::limit_exceeded', 'CONFLICT'],
  ['Requested partition already exists', 'CONFLICT'],
  [
    'Datalake coordinator frontend not initialized',
    'CONFLICT',
    'Iceberg is not enabled, or the broker has not restarted since: see weir cluster config get iceberg_enabled',
  ],
  [
    "Datalake coordinator couldn't get coordinator partition",
    'CONFLICT',
    'no Iceberg topic has been written yet: enable Iceberg for a topic with its config redpanda.iceberg.mode',
  ],
  // What was read before has changed.
  ['Unexpected cluster error: Invalid request', 'CONFLICT'],
  ['User does not exist', 'NOT_FOUND'],
  ['Requested partition does not exists', 'NOT_FOUND'],
  ['Partition replica does not exist', 'NOT_FOUND'],
];

const exitCodeOfStatement = { CONFLICT: exitCodes.conflict, NOT_FOUND: exitCodes.notFound } as const;

const advice: Readonly<Record<number, string>> = {
  401: 'set the credentials with -X user=TEXT and WEIR_PASS, or in the profile; own ones of the Admin API are admin.user and admin.pass',
  403: 'the user of -X user=TEXT must be a superuser (cluster property superusers)',
};

/**
 * Creates the error for an answer with an error status.
 * @param doing the action that failed, for example `decommission broker 3`
 * @param what the request, for example `PUT http://localhost:9644/v1/brokers/3/decommission`
 * @param sent the credentials of the request; `none`: it had none; undefined: any
 */
export function answerError(doing: string, what: string, answer: HttpAnswer, sent?: Credentials | 'none'): CliError {
  const { status } = answer;
  const { message, number, rpcCode, reasons } = problemOf(fieldsOf(parseJson(answer.body)), status);
  const text = message || plainText(answer) || reasonOf(status);
  // The redirects of an Admin API have other statuses.
  if (text === '' || (status >= 300 && status <= 399)) return notAdmin(doing, what, answer);
  const [, stated, advised] = statements.find(([words]) => text.includes(words)) ?? [];
  const hint = advised ?? hintFor(status, text, sent);
  return apiError(doing, what, answer, {
    text,
    numbers: number === null ? `${status}` : `${status}, code ${number}`,
    number,
    reasons,
    code: stated ?? rpcCode ?? names.get(status) ?? `HTTP_${status}`,
    hints: hint === undefined ? [] : [hint],
    passes: passing.has(status) && stated === undefined,
    ...(stated !== undefined && { exitCode: exitCodeOfStatement[stated] }),
    ...(rpcCode === 'FAILED_PRECONDITION' && { exitCode: exitCodes.conflict }),
  });
}

function hintFor(status: number, text: string, sent: Credentials | 'none' | undefined): string | undefined {
  // Some calls answer 403 to a superuser if the cluster has no license for them.
  if (status === 403 && /licen[sc]e/i.test(text)) return undefined;
  if (status === 401 && sent !== undefined && sent !== 'none') return sent.whenRefused ?? advice[status];
  if (status === 403 && sent === 'none') return 'set the credentials of a superuser with -X user=TEXT and WEIR_PASS';
  return (status === 400 ? schemeHint(text, sent, 'admin') : undefined) ?? advice[status];
}

/** What the body of an error answer says. */
interface Problem {
  readonly message: string;
  readonly number: number | null;
  /** The code of ConnectRPC in capitals, which only version 2 of the API has. */
  readonly rpcCode?: string;
  readonly reasons: ReadonlyMap<string, string>;
}

/**
 * Reads the three forms of errors: a message, a message that is itself JSON with a message (roles), and a reason for each
 * property of the configuration, which may be in a message as well.
 */
function problemOf(body: Fields, status: number): Problem {
  if (typeof body.message !== 'string') return refusedProperties(body, status);
  const inner = fieldsOf(parseJson(Buffer.from(body.message)));
  if (typeof inner.message !== 'string') {
    const refused = refusedProperties(inner, status);
    if (refused.message !== '') return refused;
  }
  const number = [inner.code, body.code].find((one) => Number.isInteger(one) && one !== status);
  return {
    message: oneLine(typeof inner.message === 'string' ? inner.message : body.message),
    number: typeof number === 'number' ? number : null,
    ...(typeof body.code === 'string' && { rpcCode: oneLine(body.code).toUpperCase() }),
    reasons: new Map(),
  };
}

/** The most properties in a message; a change can have a reason for each of hundreds. */
const mostShown = 20;

function refusedProperties(body: Fields, status: number): Problem {
  const entries = Object.entries(body);
  const reasons = new Map(entries.map(([name, reason]) => [oneLine(name), oneLine(textOf(reason))]));
  if (status !== 400 || entries.some(([, reason]) => typeof reason !== 'string')) {
    return { message: '', number: null, reasons: new Map() };
  }
  const shown = [...reasons].slice(0, mostShown).map(([name, reason]) => `${name}: ${reason}`);
  const more = reasons.size > mostShown ? [`and ${reasons.size - mostShown} more`] : [];
  return { message: [...shown, ...more].join('; '), number: null, reasons };
}

function reasonOf(status: number): string {
  if (status === 401) return 'the Admin API requires valid credentials';
  if (status === 403) return 'the user is not authorized';
  if (status === 429) return 'the Admin API has too many requests';
  return status >= 500 && status !== 501 ? 'the Admin API gave no reason' : '';
}

/** What a cluster must have so that it knows a call. */
export interface Needs {
  /** In the plural, for example `lists of connections`. */
  readonly what: string;
  /** The first release of Redpanda that has it, for example `25.3`. */
  readonly since: string;
}

/**
 * The error for an answer of a cluster that does not have a call of version 2: 404 without a code of ConnectRPC, or, from a
 * node that asks one of an earlier release, `unimplemented` (redpanda commit 1b95a07c: src/v/redpanda/admin/server.cc:512).
 * Undefined for other answers.
 */
export function asTooOld(doing: string, what: string, answer: HttpAnswer, needs: Needs): CliError | undefined {
  const { code, message } = fieldsOf(parseJson(answer.body));
  const isUnknown = answer.status === 404 && typeof code !== 'string' && typeof message === 'string';
  if (!isUnknown && code !== 'unimplemented') return undefined;
  return new CliError(exitCodes.failure, `unable to ${doing}: this cluster does not have ${needs.what}`, {
    code: 'UNSUPPORTED_VERSION',
    hints: [`${needs.what} need Redpanda ${needs.since} or newer: see the version with weir cluster brokers list`],
    target: what,
  });
}

/** Creates the error for an answer that no Admin API gives, such as an HTML page. */
export function notAdmin(doing: string, what: string, answer: HttpAnswer): CliError {
  const verdict = 'not an answer of an Admin API';
  return foreignAnswer(doing, what, answer, { verdict, hints: [checkAddress] });
}

/** What to do when a server does not behave like an Admin API. */
export const checkAddress = 'check that admin.hosts is the address of an Admin API (port 9644 unless it was changed)';

/** Pieces of text that can be recognized as part of a secret: shorter ones occur in other text as well. */
const piece = /[\w+/=.-]{12,}/g;

/** An answer without the pieces of a secret of the request that the server repeats, also if it has cut them. */
export function withoutText(answer: HttpAnswer, secret: string): HttpAnswer {
  const hide = (word: string): string => (secret.includes(word.replace(/\.+$/, '')) ? '…' : word);
  return { ...answer, body: Buffer.from(answer.body.toString('utf8').replace(piece, hide)) };
}

/**
 * Waits for a call whose path names nothing that may be absent, so that 404 means that the cluster does not have the call.
 * @param what what older versions cannot do, for example `self-tests`
 * @throws CliError (exit 1) in that case
 */
export async function mustExist<T>(call: Promise<T>, what: string): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (!hasStatus(error, 404)) throw error;
    throw rephrased(error, error.message, {
      exitCode: exitCodes.failure,
      code: 'UNSUPPORTED',
      hints: [`the version of this cluster may not support ${what}: see it with weir cluster brokers list`],
    });
  }
}

/** Whether an error is about one item, and not about the connection, the credentials or the server. */
function isOfItem(error: unknown): error is CliError {
  return hasStatus(error, 400, 404, 409, 422);
}

/**
 * Reads something for every item, a few at a time. What the server refuses is the result of that item.
 * @param isItsOwn whether an error is about one item (default: 400, 404, 409 and 422)
 * @throws any other error, which concerns all items
 */
export function readEach<T, R>(
  items: readonly T[],
  read: (item: T) => Promise<R>,
  isItsOwn: (error: unknown) => error is CliError = isOfItem,
): Promise<readonly (R | CliError)[]> {
  return inParallel(items, async (item) => {
    try {
      return await read(item);
    } catch (error) {
      if (isItsOwn(error)) return error;
      throw error;
    }
  });
}

/** The same where every item has a leader of its own, which may be missing for long (503). */
export function isOfLedItem(error: unknown): error is CliError {
  return isOfItem(error) || (error instanceof CliError && error.code === 'UNAVAILABLE');
}

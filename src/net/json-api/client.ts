import { CliError, rephrased } from '../../errors.ts';
import { Misfit } from '../../shape/shape.ts';
import { type Hosts, sendToOne } from '../hosts.ts';
import type { Http, HttpAnswer, HttpRequest } from '../http.ts';
import { HttpError } from '../http-error.ts';
import { parseJson } from '../json.ts';
import type { RetryCourse } from '../retry.ts';
import { secretsOfHeader } from '../secret.ts';
import { briefUrl } from '../shown-url.ts';
import { type ApiCall, queryText } from './call.ts';
import { authorizationOf, renewedAuthorization } from './credentials.ts';
import type { Dialect, Doubts } from './dialect.ts';
import { ApiError, answerWithout, badAnswer, hasStatus, isRefusal } from './error.ts';
import { atRedirect, type RedirectPolicy, redirectOf } from './redirects.ts';

// The steps of a call, in the order in which they run. Each is a function of this file that calls the next one:
//
//   explain    says of a change that failed what is not known about it
//   repeat     applies the retry rule
//   look       looks for the effect of an earlier attempt whose answer was lost
//   attempt    signs in, and does so again with other credentials if the server refuses the first ones
//   address    goes through the addresses of the API until one can be connected to
//   redirect   follows redirects
//   send       sends one request
//   readAnswer reads the answer, or makes the error that it stands for

/** The parts that requests need. */
export interface JsonApiParts {
  readonly http: Pick<Http, 'request'>;
  /** Starts the attempts of a call by the retry rule. */
  startCourse(what: string): Pick<RetryCourse, 'again' | 'last'>;
  /** Aborted when the command ends. */
  readonly signal: AbortSignal;
}

/** A client for JSON over HTTP, with limits, retries and doubts about lost answers. */
export interface JsonApi<More> {
  call<T>(call: ApiCall<T> & More): Promise<T>;
  /** Makes a single attempt at these addresses, whose redirects lead only where `mayFollow` says. */
  attempt<T>(call: ApiCall<T> & More, hosts: Hosts, mayFollow: RedirectPolicy['mayFollow']): Promise<T>;
}

/** Creates the client of an API without sending a request. */
export function createJsonApi<More>(dialect: Dialect<More>, parts: JsonApiParts): JsonApi<More> {
  const peer = { hasAnswered: false };
  const start = { peer, parts, authorization: undefined, isUnanswered: false, isInDoubt: false };
  return {
    call(call) {
      const course = call.once ? undefined : parts.startCourse(`the request to ${call.doing}`);
      return explain({ ...start, call, dialect, course });
    },
    attempt(call, hosts, mayFollow) {
      const redirects = dialect.redirects && { ...dialect.redirects, mayFollow };
      const there = { ...dialect, hosts: () => hosts, ...(redirects && { redirects }) };
      return explain({ ...start, call, dialect: there, course: undefined });
    },
  };
}

/** A call on its way. */
interface Sending<T, More> {
  readonly call: ApiCall<T> & More;
  readonly dialect: Dialect<More>;
  readonly parts: JsonApiParts;
  /** Shared by all calls. */
  readonly peer: { hasAnswered: boolean };
  /** The attempts by the retry rule; undefined: a single one. */
  readonly course: Pick<RetryCourse, 'again' | 'last'> | undefined;
  /** The value of the header `Authorization` in the present attempt; undefined: none. */
  authorization: string | undefined;
  /** Whether a request is sent, and has had no answer yet. */
  isUnanswered: boolean;
  /** Whether an attempt that failed may have made the change. */
  isInDoubt: boolean;
}

/** Also explains the end of the command, if it cuts a request short. */
async function explain<T, More>(sending: Sending<T, More>): Promise<T> {
  try {
    return await repeat(sending);
  } catch (error) {
    const { call, dialect, parts, isUnanswered, isInDoubt } = sending;
    // ANSWER_LOST says what happened.
    if (!isChange(call) || !(error instanceof CliError) || error.code === 'ANSWER_LOST') throw error;
    const isCut = isUnanswered && parts.signal.aborted && error === parts.signal.reason;
    throw isCut || isInDoubt ? withDoubt(error, dialect.doubts.hint(call.doing)) : error;
  }
}

/** The same error with the hint about a change of which nobody knows whether it was made. */
function withDoubt(error: CliError, hint: string): CliError {
  const hints = [...error.hints, hint];
  return rephrased(error, error.message, { hints, retryAfterMs: undefined, cause: error.cause });
}

async function repeat<T, More>(sending: Sending<T, More>): Promise<T> {
  const { course } = sending;
  for (;;) {
    const outcome = await look(sending);
    if ('value' in outcome) return outcome.value;
    const { error } = outcome;
    if (course === undefined) throw error;
    if (!(error instanceof CliError) || !error.retryable) throw error;
    if (!(await course.again(error))) throw course.last(error);
  }
}

type Outcome<T> = { readonly value: T } | { readonly error: unknown };

/** Looks before the attempt, and again if it is refused. A failure to look ends the call: that has retries of its own. */
async function look<T, More>(sending: Sending<T, More>): Promise<Outcome<T>> {
  const { call, isInDoubt } = sending;
  const made = isInDoubt ? await findMade(sending) : undefined;
  if (made !== undefined) return made;
  const outcome = await attempt(sending);
  if ('value' in outcome) return outcome;
  if (isInDoubt && isRefusal(outcome.error)) {
    if (await call.isDone?.().catch(() => false)) return { value: call.read(undefined, call.path) };
    const explained = await findMade(sending);
    if (explained !== undefined) return explained;
    // Nothing of it was made. A refusal of the look itself is thrown, and says nothing about the change.
    if (call.look !== undefined) sending.isInDoubt = false;
  }
  return { error: judge(sending, outcome.error) };
}

/** The result of an earlier attempt whose answer was lost; undefined if it did not make the change. */
async function findMade<T, More>({ call, dialect, parts }: Sending<T, More>): Promise<Outcome<T> | undefined> {
  const value = await call.look?.().catch((error: unknown) => {
    if (!(error instanceof CliError) || error.code === 'ANSWER_LOST' || parts.signal.aborted) throw error;
    throw rephrased(error, `unable to ${call.doing}, or to see whether that was done: ${error.message}`);
  });
  if (value === undefined) return undefined;
  dialect.made?.(call);
  return { value };
}

/** Notes whether a failed attempt may have made the change: then only a call that can be repeated is. */
function judge<T, More>(sending: Sending<T, More>, error: unknown): unknown {
  const { call, dialect } = sending;
  if (!isChange(call) || !mayBeMade(error, dialect.doubts)) return error;
  sending.isInDoubt = true;
  return call.repeats || call.look ? error : rephrased(error, error.message, { retryable: false });
}

/** Whether a change may be made although the request failed: it was sent and not answered, or it was interrupted. */
function mayBeMade(error: unknown, doubts: Doubts): error is CliError {
  return error instanceof HttpError ? error.sent : error instanceof ApiError && doubts.mayBeMade(error);
}

/** Requests for tokens have retries of their own: if they fail, so does the call. */
async function attempt<T, More>(sending: Sending<T, More>): Promise<Outcome<T>> {
  const { credentials } = sending.dialect;
  sending.authorization = credentials && (await authorizationOf(credentials));
  const outcome = await outcomeOf(address(sending));
  if (!('error' in outcome) || !hasStatus(outcome.error, 401) || sending.authorization === undefined) return outcome;
  const other = await renewedAuthorization(credentials, sending.authorization);
  if (other === undefined) return outcome;
  sending.authorization = other;
  return await outcomeOf(address(sending));
}

function outcomeOf<T>(work: Promise<T>): Promise<Outcome<T>> {
  return work.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
}

async function address<T, More>(sending: Sending<T, More>): Promise<T> {
  const { call, dialect } = sending;
  return await sendToOne(await dialect.hosts(call), async (address) => {
    const base = dialect.baseUrl?.(call, address) ?? address;
    return readAnswer(sending, await redirect(sending, base + call.path + queryText(call.query)));
  });
}

/** An answer and where it came from in the end. */
interface Received {
  readonly answer: HttpAnswer;
  readonly url: string;
}

async function redirect<T, More>(sending: Sending<T, More>, first: string): Promise<Received> {
  const { call, dialect } = sending;
  const request = requestOf(sending, first);
  let url = first;
  for (let hops = 0; ; hops++) {
    const answer = await send(sending, { ...request, url }).catch((error: unknown) => {
      throw hops === 0 ? error : atRedirect(error, request);
    });
    const next = await redirectOf(answer, { request, url, hops, doing: call.doing }, dialect.redirects);
    if (next === undefined) return { answer, url };
    url = next;
  }
}

async function send<T, More>(sending: Sending<T, More>, request: HttpRequest): Promise<HttpAnswer> {
  const { call, dialect, parts, peer } = sending;
  dialect.sending?.(call, request.url);
  const onStart = (): void => {
    sending.isUnanswered = true;
  };
  try {
    const answer = await parts.http.request({ ...request, onStart });
    sending.isUnanswered = false;
    peer.hasAnswered = true;
    return answer;
  } catch (error) {
    if (!(error instanceof HttpError) || dialect.unanswered === undefined) throw error;
    throw await dialect.unanswered(error, request, peer.hasAnswered);
  }
}

function requestOf<T, More>({ call, dialect, authorization }: Sending<T, More>, url: string): HttpRequest {
  const { method, body } = call;
  const type = dialect.mediaType?.(call) ?? 'application/json';
  return {
    method,
    url,
    changes: isChange(call),
    maxBytes: dialect.maxBytes,
    headers: {
      accept: type,
      ...(body === undefined ? {} : { 'content-type': typeOf(body, type) }),
      ...(authorization === undefined ? {} : { authorization }),
    },
    ...(body === undefined ? {} : { body: isWritten(body) ? body : JSON.stringify(body) }),
  };
}

function isWritten(body: unknown): body is string | Uint8Array {
  return typeof body === 'string' || body instanceof Uint8Array;
}

function typeOf(body: unknown, json: string): string {
  if (typeof body === 'string') return 'text/plain';
  return isWritten(body) ? 'application/octet-stream' : json;
}

function readAnswer<T, More>({ call, dialect, authorization }: Sending<T, More>, { answer, url }: Received): T {
  const { method, takesAnyStatus, secrets = [] } = call;
  const what = `${method} ${briefUrl(url)}`;
  const shown = (): HttpAnswer => answerWithout(answer, [...secretsOfHeader(authorization), ...secrets]);
  if (!takesAnyStatus) {
    if (answer.status < 200 || answer.status > 299) throw dialect.refusal(call, what, shown());
    if (dialect.isEmpty(answer)) return readBody(call, dialect, undefined, what);
  }
  const body = dialect.parse === undefined ? (call.parse ?? parseJson)(answer.body) : dialect.parse(call, answer.body);
  if (body === undefined && !takesAnyStatus) throw dialect.foreign(call, what, shown());
  return readBody(call, dialect, body, what);
}

function readBody<T, More>(call: ApiCall<T>, dialect: Dialect<More>, body: unknown, what: string): T {
  try {
    return call.read(body, what);
  } catch (error) {
    if (!(error instanceof Misfit)) throw error;
    const { form = 'object' } = call;
    const field = error.place === '' ? form : (dialect.placeName?.(error.place, form) ?? error.place);
    throw badAnswer(what, field, dialect.addressHint);
  }
}

/** Whether a call changes something. */
function isChange({ method, changes = method !== 'GET' }: Pick<ApiCall<unknown>, 'method' | 'changes'>): boolean {
  return changes;
}

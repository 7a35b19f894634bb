import type { Deadline } from '../../deadline.ts';
import { CliError, exitCodes, unreachableError, withHints } from '../../errors.ts';
import { maxTimerMs, showDuration } from '../../format/duration.ts';
import type { RequestTrace } from '../kafka.ts';
import type { Api, Throttled } from '../protocol/api.ts';
import { createReader, createWriter } from '../protocol/codec.ts';
import { lostError, type Peer } from './connect-error.ts';
import { lengthOf, type Wire } from './wire.ts';

/** What a session needs to know besides its wire. */
export interface SessionOptions {
  readonly peer: Peer;
  readonly deadline: Deadline;
  readonly trace: ((event: RequestTrace) => void) | undefined;
  /** Advice for a connection that the broker cuts before it has answered a request other than ApiVersions. */
  cutHints(): readonly string[];
  /** Told when a request other than ApiVersions is answered. */
  onServed(): void;
}

/** Requests over one wire, each of them one try. */
export interface Session {
  /** Sends one request of the given version and decodes its answer. */
  send<Request, Response>(api: Api<Request, Response>, request: Request, version: number): Promise<Response>;
  /** Whether a request got no answer in time: answers come in order, so nothing else should be sent. */
  readonly stuck: boolean;
}

const apiVersionsKey = 18;
/** Where the broker does not answer there is nothing to decode; who asks so looks at no response. */
const noResponse = undefined as never;

/** What the requests of a session share. */
interface State {
  readonly wire: Wire;
  readonly options: SessionOptions;
  /** A request got no answer in time. */
  stuck: boolean;
  /** A request other than ApiVersions was answered. */
  served: boolean;
}

/** Sends requests over a wire by the request rule: an answer is awaited for (its own timeout +) the overhead. */
export function createSession(wire: Wire, options: SessionOptions): Session {
  const state: State = { wire, options, stuck: false, served: false };
  return {
    async send(api, request, version) {
      const answer = await traced(state, api, request, version);
      if (api.expectsAnswer?.(request) === false) return noResponse;
      const response = decode(api, answer, version);
      wire.throttle(response.throttleMs);
      return response;
    },
    get stuck() {
      return state.stuck;
    },
  };
}

type Untyped<Request> = Api<Request, unknown>;

/** One request with its line in the trace. */
async function traced<Request>(
  state: State,
  api: Untyped<Request>,
  request: Request,
  version: number,
): Promise<Buffer> {
  const { peer, deadline, trace } = state.options;
  const body = encode(api, request, version);
  const startedAt = deadline.clock.now();
  const done = deadline.waitingFor(`the answer of ${peer.broker} to ${api.name}`);
  const report = (receivedBytes: number, error?: string): void =>
    trace?.({
      api: api.name,
      version,
      node: peer.broker,
      milliseconds: deadline.clock.now() - startedAt,
      sentBytes: lengthOf(body),
      receivedBytes,
      ...(error === undefined ? {} : { error }),
    });
  try {
    const answer = await exchange(state, api, version, { body, request });
    report(answer.length);
    return answer;
  } catch (error) {
    report(0, asError(error).message);
    throw error;
  } finally {
    done();
  }
}

/** A request and its encoded body. */
interface Sent<Request> {
  readonly body: readonly Buffer[];
  readonly request: Request;
}

async function exchange<Request>(
  state: State,
  api: Untyped<Request>,
  version: number,
  { body, request }: Sent<Request>,
): Promise<Buffer> {
  const { wire, options } = state;
  const insideMs = api.timeoutMs?.(request) ?? 0;
  let written = false;
  try {
    const answer = await wire.exchange({
      apiKey: api.key,
      apiVersion: version,
      body,
      expectsAnswer: api.expectsAnswer?.(request) ?? true,
      waitMs: Math.min(options.deadline.limits.requestOverheadMs + insideMs, maxTimerMs),
      timeoutError: () => {
        state.stuck = true;
        return requestTimeout(api.name, insideMs, options);
      },
      onWrite: () => {
        written = true;
      },
    });
    if (api.key !== apiVersionsKey) {
      state.served = true;
      options.onServed();
    }
    return answer;
  } catch (error) {
    const lost = lostError(api.name, asError(error), options.peer);
    const isEarly = !state.served && lost.code === 'CONNECTION_LOST';
    throw judged(isEarly ? withHints(lost, options.cutHints()) : lost, api.repeatable || !written);
  } finally {
    // Answers come in order: behind a missing one there is nothing left to wait for.
    if (state.stuck && wire.waiting === 0) wire.destroy(requestTimeout(api.name, insideMs, options));
  }
}

function encode<Request>(api: Api<Request, unknown>, request: Request, version: number): readonly Buffer[] {
  const flexible = version >= api.flexibleFrom;
  const writer = createWriter(flexible);
  writer.tags(); // the end of request header 2; nothing in header 1
  api.encode(writer, request, version);
  return writer.pieces();
}

function decode<Response>(api: Api<never, Response>, answer: Buffer, version: number): Response & Throttled {
  const flexible = version >= api.flexibleFrom;
  const reader = createReader(answer, flexible, api.name);
  // Response header 1, which the answer to ApiVersions never has (KIP-511).
  if (api.key !== apiVersionsKey) reader.tags();
  return api.decode(reader, version);
}

/** A request that may have been carried out is not to be sent again, unless that does no harm. */
function judged(error: CliError, repeatable: boolean): CliError {
  if (repeatable || !error.retryable) return error;
  return withHints(error, ['it may have been carried out: look before you repeat it'], false);
}

function requestTimeout(api: string, insideMs: number, { peer, deadline }: SessionOptions): CliError {
  const overhead = `globals.request_timeout_overhead=${showDuration(deadline.options.requestOverhead)}`;
  const inside = BigInt(Math.round(insideMs)) * 1_000_000n;
  const total = showDuration(deadline.options.requestOverhead + inside);
  const sum = insideMs === 0 ? overhead : `${showDuration(inside)} inside the request + ${overhead}`;
  return unreachableError(`${api} request to ${peer.broker} got no answer in ${total} (${sum})`, {
    code: 'REQUEST_TIMEOUT',
    hints: ['raise it with -X globals.request_timeout_overhead=DURATION'],
    target: peer.broker,
  });
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new CliError(exitCodes.failure, String(error));
}

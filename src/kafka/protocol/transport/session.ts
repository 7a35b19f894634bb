import type { Deadline } from '../../../deadline.ts';
import { CliError, exitCodes, rephrased, unreachableError } from '../../../errors.ts';
import { maxTimerMs, showDuration } from '../../../format/duration.ts';
import { readable } from '../errors.ts';
import type { RequestTrace } from '../options.ts';
import type { Api } from '../wire/api.ts';
import { decodeResponse, encodeRequest } from '../wire/frame.ts';
import { lostError, type Peer } from './connect-error.ts';
import { lengthOf, type Wire } from './wire.ts';

/** The options of a session. */
export interface SessionOptions {
  readonly peer: Peer;
  readonly deadline: Deadline;
  readonly trace: ((event: RequestTrace) => void) | undefined;
  /** Explains a connection that the broker closes at the first request after ApiVersions. */
  earlyCut(error: CliError): CliError;
  /** Called when a request other than ApiVersions is answered. */
  onServed(): void;
}

/** Sends requests over one wire, without retries. */
export interface Session {
  /** Sends one request in the given version and decodes its answer. */
  send<Request, Response>(api: Api<Request, Response>, request: Request, version: number): Promise<Response>;
  /** Whether a request has timed out: answers arrive in order, so nothing more should be sent. */
  readonly stuck: boolean;
}

const apiVersionsKey = 18;
/** The result of a request that the broker does not answer; its callers do not use the response. */
const noResponse = undefined as never;

/** The state of a session. */
interface State {
  readonly wire: Wire;
  readonly options: SessionOptions;
  /** A request has timed out. */
  stuck: boolean;
  /** A request other than ApiVersions has been answered. */
  served: boolean;
}

/** Creates a session. A request times out after the request timeout overhead, plus the request's own timeout if any. */
export function createSession(wire: Wire, options: SessionOptions): Session {
  const state: State = { wire, options, stuck: false, served: false };
  return {
    async send(api, request, version) {
      const answer = await traced(state, api, request, version);
      if (!api.expectsAnswer(request)) return noResponse;
      const response = readable(api.name, () => decodeResponse(api, version, answer));
      wire.throttle(api.throttleMs(response));
      return response;
    },
    get stuck() {
      return state.stuck;
    },
  };
}

type Untyped<Request> = Api<Request, unknown>;

/** Sends one request and traces it. */
async function traced<Request>(
  state: State,
  api: Untyped<Request>,
  request: Request,
  version: number,
): Promise<Buffer> {
  const { peer, deadline, trace } = state.options;
  const body = encodeRequest(api, version, request);
  const startedAt = deadline.clock.now();
  const done = deadline.waitingFor(`the ${api.name} response from ${peer.broker}`);
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
    const answer = await sendOnWire(state, api, version, { body, request });
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

async function sendOnWire<Request>(
  state: State,
  api: Untyped<Request>,
  version: number,
  { body, request }: Sent<Request>,
): Promise<Buffer> {
  const { wire, options } = state;
  const insideMs = api.timeoutMs(request);
  let written = false;
  try {
    const answer = await wire.send({
      apiKey: api.key,
      apiVersion: version,
      body,
      expectsAnswer: api.expectsAnswer(request),
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
    const isEarly = !state.served && lost.code === 'CONNECTION_LOST' && api.key !== apiVersionsKey;
    throw judged(isEarly ? options.earlyCut(lost) : lost, api.repeatable || !written);
  } finally {
    // Answers arrive in order: after a missing one, none can follow.
    if (state.stuck && wire.waiting === 0) wire.destroy(requestTimeout(api.name, insideMs, options));
  }
}

/** Makes an error final if the request may have been carried out and must not be carried out twice. */
function judged(error: CliError, repeatable: boolean): CliError {
  if (repeatable || !error.retryable) return error;
  // In the message as well, because the error of one item of a result is shown without hints.
  return rephrased(error, `${error.message}; the request may have been carried out`, {
    hints: [...error.hints, 'check whether the request was carried out before you repeat it'],
    retryable: false,
  });
}

function requestTimeout(api: string, insideMs: number, { peer, deadline }: SessionOptions): CliError {
  const overhead = `globals.request_timeout_overhead=${showDuration(deadline.options.requestOverhead)}`;
  const inside = BigInt(Math.round(insideMs)) * 1_000_000n;
  const total = showDuration(deadline.options.requestOverhead + inside);
  const sum = insideMs === 0 ? overhead : `${showDuration(inside)} inside the request + ${overhead}`;
  return unreachableError(`${api} request to ${peer.broker} timed out after ${total} (${sum})`, {
    code: 'REQUEST_TIMEOUT',
    hints: ['raise the limit with -X globals.request_timeout_overhead=DURATION'],
    target: peer.broker,
  });
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new CliError(exitCodes.failure, String(error));
}

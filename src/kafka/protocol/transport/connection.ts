import type { Deadline } from '../../../deadline.ts';
import { CliError, rephrased, unreachableError, withHints } from '../../../errors.ts';
import { type Address, showHostPort } from '../../../net/address.ts';
import type { TlsMaterial } from '../../../net/tls.ts';
import { withoutTls } from '../../../net/tls-reason.ts';
import type { TunnelTo } from '../../../net/tunnel.ts';
import { kafkaError, kafkaErrorText } from '../errors.ts';
import type { RequestTrace, SaslOptions } from '../options.ts';
import type { Api, ResponseOf } from '../wire/api.ts';
import { apiVersions } from '../wire/apis/api-versions.ts';
import { codes } from '../wire/error-codes.ts';
import { type Authentication, startAuthentication } from './authentication.ts';
import type { Peer } from './connect-error.ts';
import type { Allocate } from './frames.ts';
import type { DialLink } from './link.ts';
import { negotiate, type Versions } from './versions.ts';
import { openWire, type Wire } from './wire.ts';

/** The options of one connection. */
export interface ConnectionOptions {
  readonly dial: DialLink;
  readonly address: Address;
  /** Undefined for a seed broker whose id is not yet known. */
  readonly nodeId: number | undefined;
  /** Allocates memory for answers; undefined: each answer gets a new buffer. */
  readonly allocate: Allocate | undefined;
  readonly clientId: string;
  readonly softwareVersion: string;
  readonly tls: TlsMaterial | undefined;
  /** Chooses the way to the address; undefined: directly. */
  readonly tunnelTo?: TunnelTo | undefined;
  readonly sasl: SaslOptions | undefined;
  /** What to set if the listener turns out to require SASL; default: a user. */
  readonly howToSignIn?: string | undefined;
  readonly deadline: Deadline;
  /** Addresses whose brokers have served this client: a closed connection there needs no hint about SASL or TLS. */
  readonly served: Set<string>;
  /** Decides whether a connection that ends before any broker has served is worth another attempt. */
  readonly cutJudge?: ((error: CliError) => CliError) | undefined;
  /** Destroys the connection or cancels its dial, with the signal's reason. */
  readonly signal: AbortSignal;
  readonly trace: ((event: RequestTrace) => void) | undefined;
  /** Called before a secret is sent unencrypted to another machine, with what it is. */
  readonly onPlainSecret?: ((host: string, what: string) => void) | undefined;
  /** Called when a step after the dial begins. */
  readonly onStep?: (step: SessionStep) => void;
}

/** A step between the dial and the first request of a caller. */
export type SessionStep = 'API versions' | 'SASL';

/** A connection to one broker, after TLS, SASL and ApiVersions. */
export interface BrokerConnection {
  /** Undefined for a seed broker whose id is not yet known. */
  readonly nodeId: number | undefined;
  /** `host:port`, for messages. */
  readonly address: string;
  /** The version to use for `api`: the highest that both sides support. @throws CliError when there is none */
  version(api: Api<never, unknown>): number;
  /** Sends one request, without retries. Waits exactly as long as the limits allow; a timeout error names the limit. */
  send<Request, Response>(api: Api<Request, Response>, request: Request): Promise<Response>;
  /** Closes the connection at once and rejects the requests in flight. */
  destroy(): void;
}

/** A connection with the state that the client's pool needs. */
export interface OpenConnection extends BrokerConnection {
  /** Whether more requests may be sent over the connection. */
  readonly usable: boolean;
  destroy(reason?: Error): void;
}

/** An address to dial, and the id of the broker there if it is known. */
export interface Candidate {
  readonly address: Address;
  readonly nodeId: number | undefined;
  /** Allocates memory for answers on a dedicated connection; by default each answer gets a new buffer. */
  readonly allocate?: Allocate;
  /** Uses a separate connection, for requests that the broker holds back (long polls). */
  readonly held?: boolean;
}

/** Dials one address once. */
export type Dial = (candidate: Candidate) => Promise<OpenConnection>;

/** The feature by which the brokers of `sandbox start --engine simulated` can be told from others. */
const simulatedFeature = 'weir.simulated';

const byPassword = 'set user, pass and sasl.mechanism: weir profile set user=NAME pass, or WEIR_USER and WEIR_PASS';

function saslHint({ howToSignIn = byPassword }: ConnectionOptions): string {
  return `if the listener requires SASL, ${howToSignIn}`;
}

/** Explains a connection that its broker closes before it has served anything; a third one ends the retries. */
function earlyCut(error: CliError, options: ConnectionOptions, hint: string): CliError {
  const { served, address, cutJudge } = options;
  if (served.has(showHostPort(address))) return error;
  const explained = withHints(error, hint === '' ? [] : [hint]);
  return served.size > 0 || cutJudge === undefined ? explained : cutJudge(explained);
}

/** Names a broker for messages, for example `broker 2 (b2.example:9092)`. */
export function brokerName(address: Address, nodeId: number | undefined): string {
  const hostPort = showHostPort(address);
  return nodeId === undefined || nodeId < 0 ? `broker ${hostPort}` : `broker ${nodeId} (${hostPort})`;
}

/**
 * Opens a connection: dials once, reads the API versions and authenticates.
 * @throws CliError naming the step that failed: DNS, TCP, TLS, API versions or SASL
 */
export async function openConnection(options: ConnectionOptions): Promise<OpenConnection> {
  const { signal, address } = options;
  signal.throwIfAborted();
  const peer: Peer = {
    broker: brokerName(address, options.nodeId),
    host: address.host,
    tls: options.tls !== undefined,
  };
  let wire: Wire | undefined;
  try {
    wire = await dialWire(options, peer).catch(async (error: unknown) => {
      throw await judgedCut(error, options, peer);
    });
    options.onStep?.('API versions');
    const { apiKeys, supportedFeatures = [] } = await askVersions(wire, options, peer);
    const isSimulated = supportedFeatures.some(({ name }) => name === simulatedFeature);
    const versions = negotiate(apiKeys, peer.broker, isSimulated);
    const opened = wire;
    const auth = await startAuthentication(
      { wire, versions, peer },
      {
        sasl: options.sasl,
        clock: options.deadline.clock,
        signal,
        onPlainSecret: options.onPlainSecret,
        onStart: () => options.onStep?.('SASL'),
        onFailure: (error) => opened.destroy(error),
      },
    );
    return connection({ wire, versions, auth, options });
  } catch (error) {
    wire?.destroy(error instanceof Error ? error : new Error(String(error)));
    signal.throwIfAborted();
    throw error;
  }
}

function dialWire(options: ConnectionOptions, peer: Peer): Promise<Wire> {
  const { served, address, sasl } = options;
  return openWire({
    ...options,
    peer,
    earlyCut: (error) => earlyCut(error, options, sasl === undefined ? saslHint(options) : ''),
    onServed: () => void served.add(showHostPort(address)),
  });
}

/** How long a broker may take to answer without TLS, in milliseconds. */
const plainAnswerMs = 2_000;

/**
 * A connection that ends during the handshake may be that of a broker that is starting, which is worth another attempt,
 * or of a listener without TLS, which is not: it answers a request without TLS. That request contains no credentials.
 */
async function judgedCut(error: unknown, options: ConnectionOptions, peer: Peer): Promise<unknown> {
  if (options.tls === undefined || options.served.has(showHostPort(options.address))) return error;
  if (!(error instanceof CliError) || error.code !== 'TLS_FAILED' || !error.retryable) return error;
  if (!(await answersPlainly(options, { ...peer, tls: false }))) return earlyCut(error, options, '');
  const message = `unable to connect to ${peer.broker}: TLS: the broker does not speak TLS on this port`;
  const hints = [withoutTls('tls')];
  return rephrased(error, message, { hints, retryable: false });
}

async function answersPlainly(options: ConnectionOptions, peer: Peer): Promise<boolean> {
  const given = new AbortController();
  const giveUp = (): void => given.abort(new Error('no answer without TLS'));
  const cancelLimit = options.deadline.clock.after(plainAnswerMs, giveUp);
  const signal = AbortSignal.any([options.signal, given.signal]);
  const plain = { ...options, tls: undefined, cutJudge: undefined, signal };
  try {
    const wire = await dialWire(plain, peer);
    try {
      await askVersions(wire, plain, peer);
      return true;
    } finally {
      wire.destroy(new Error('no longer needed'));
    }
  } catch {
    return false;
  } finally {
    cancelLimit();
  }
}

type Answer = ResponseOf<typeof apiVersions>;

/** Weir needs nothing of version 4, and brokers that do not support it would have to be asked twice. */
const firstVersionsVersion = 3;

/** Reads the API versions. A broker that does not support the request version answers with version 0 (KIP-511). */
async function askVersions(wire: Wire, options: ConnectionOptions, peer: Peer): Promise<Answer> {
  const request = { clientSoftwareName: 'weir', clientSoftwareVersion: options.softwareVersion };
  const ask = async (version: number): Promise<Answer> => {
    try {
      return await wire.send(apiVersions, request, version);
    } catch (error) {
      const judged = atVersions(error, peer, options);
      // The command may time out while the next address is as silent: its error should tell of this one.
      if (judged instanceof CliError && judged.code === noAnswer) options.deadline.failed(judged);
      throw judged;
    }
  };
  let answer = await ask(firstVersionsVersion);
  if (answer.errorCode === codes.UNSUPPORTED_VERSION) {
    const theirs = answer.apiKeys.find(({ apiKey }) => apiKey === apiVersions.key);
    answer = await ask(Math.min(firstVersionsVersion, theirs?.maxVersion ?? 0));
  }
  if (answer.errorCode === 0) return answer;
  throw kafkaError(
    answer.errorCode,
    `unable to connect to ${peer.broker}: API versions: ${kafkaErrorText(answer.errorCode)}`,
  );
}

function atVersions(error: unknown, peer: Peer, options: ConnectionOptions): unknown {
  if (!(error instanceof CliError)) return error;
  const hasServed = options.served.has(showHostPort(options.address));
  if (error.code === 'REQUEST_TIMEOUT' && !hasServed) return unanswered(error, peer);
  if (error.code !== 'CONNECTION_LOST') return error;
  const message = `unable to connect to ${peer.broker}: API versions: the broker closed the connection`;
  return earlyCut(rephrased(error, message, { code: 'CONNECTION_CLOSED', hints: [] }), options, portHint(peer));
}

/** The hint for a port that takes connections and speaks no Kafka. */
function portHint({ tls }: Peer): string {
  return `check that it is a Kafka port${tls ? '' : '; if its listener uses TLS, add -X tls.enabled=true'}`;
}

const noAnswer = 'NO_ANSWER';

/**
 * An address that takes the connection and answers nothing. An HTTP server that waits for the rest of a request does that,
 * and so does a TLS port; a broker that hangs cannot be told from them.
 */
function unanswered(error: CliError, peer: Peer): CliError {
  const { broker } = peer;
  const timeout = error.message.replace(` to ${broker}`, '');
  return rephrased(error, `unable to connect to ${broker}: it accepted the connection, but the ${timeout}`, {
    code: noAnswer,
    hints: [portHint(peer)],
  });
}

/** The parts of an established connection. */
interface Parts {
  readonly wire: Wire;
  readonly versions: Versions;
  readonly auth: Authentication;
  readonly options: ConnectionOptions;
}

function connection({ wire, versions, auth, options }: Parts): OpenConnection {
  const { address, nodeId } = options;
  return {
    nodeId,
    address: showHostPort(address),
    version: (api) => versions.choose(api),
    async send(api, request) {
      const renewal = auth.ready();
      if (renewal !== undefined) await renewal;
      return auth.watch(wire.send(api, request, versions.choose(api)));
    },
    get usable() {
      return wire.usable;
    },
    destroy(reason) {
      wire.destroy(
        reason ??
          unreachableError(`the connection to ${brokerName(address, nodeId)} was closed`, {
            code: 'CLOSED',
            retryable: false,
          }),
      );
    },
  };
}

import type { CliError } from '../../errors.ts';
import type { BrokerMetadata, ClusterMetadata } from '../../kafka/protocol/client/client.ts';
import { isRedpandaId } from '../../kafka/protocol/client/redpanda.ts';
import { unreachableListener } from '../../kafka/protocol/client/router.ts';
import type { KafkaOptions, SaslOptions } from '../../kafka/protocol/options.ts';
import { netPeer } from '../../kafka/protocol/transport/connect-error.ts';
import {
  brokerName,
  type OpenConnection,
  openConnection,
  type SessionStep,
} from '../../kafka/protocol/transport/connection.ts';
import { adviceFor } from '../../kafka/protocol/transport/first-contact.ts';
import { dialSocket } from '../../kafka/protocol/transport/socket-link.ts';
import { fetch } from '../../kafka/protocol/wire/apis/fetch.ts';
import { metadata } from '../../kafka/protocol/wire/apis/metadata.ts';
import { produce } from '../../kafka/protocol/wire/apis/produce.ts';
import { type Address, isLocal, showHostPort } from '../../net/address.ts';
import { readTls, type TlsMaterial } from '../../net/tls.ts';
import { brokerTunnels, type TunnelTo } from '../../net/tunnel.ts';
import { type Chain, type StepResult, startChain } from '../chain.ts';
import type { Check } from '../check-rows.ts';
import { checkDial } from '../inspect.ts';
import { checkAuthorization, checkMetadata, isOther, otherCluster } from './cluster.ts';
import { checkTokens } from './tokens.ts';

/** One seed broker after its checks. */
interface Seed {
  readonly name: string;
  readonly chain: Chain;
  readonly connection: OpenConnection | undefined;
  readonly answer: ClusterMetadata | undefined;
}

/** What the checks of the brokers have found. */
interface CheckedKafka {
  readonly checks: readonly Check[];
  /** Undefined if no seed broker answered, or the cluster has no id. */
  readonly isRedpanda: boolean | undefined;
}

/**
 * Checks the brokers: every seed broker step by step, then every listener that they advertise, and what the principal
 * may do. A broker that fails does not keep the others from being checked. Nothing is retried.
 * @throws CliError if the TLS files cannot be used
 */
export async function checkKafka(given: KafkaOptions): Promise<CheckedKafka> {
  const { checks: tokens, options, failure: withoutToken } = await checkTokens(given);
  const tls = options.tls === undefined ? undefined : await readTls(options.tls, options.deadline.signal);
  const tunnelTo = options.proxy && brokerTunnels(options.proxy, options.deadline);
  const parts: KafkaParts = { options, tls, tunnelTo, withoutToken, connections: [] };
  try {
    const seeds = await Promise.all(options.brokers.map((address) => checkSeed(parts, address)));
    const first = seeds.find((seed) => seed.answer !== undefined);
    compare(seeds, first);
    const listeners =
      first?.answer === undefined ? noListeners(options, seeds) : await checkListeners(parts, seeds, first);
    const cluster = startChain({ api: 'kafka', target: null, peer: '' }, options.deadline);
    if (first === undefined) cluster.skip('authorization', 'no seed broker answered');
    else await checkAuthorization(cluster, first.connection, userOf(options));
    return {
      checks: [...tokens, ...seeds.flatMap(({ chain }) => chain.checks), ...listeners, ...cluster.checks],
      isRedpanda: isRedpandaId(first?.answer?.clusterId),
    };
  } finally {
    for (const connection of parts.connections) connection.destroy();
  }
}

function userOf({ sasl }: KafkaOptions): string | undefined {
  return sasl !== undefined && 'username' in sasl ? sasl.username : undefined;
}

async function checkSeed(parts: KafkaParts, address: KafkaOptions['brokers'][number]): Promise<Seed> {
  const name = showHostPort(address);
  const chain = startChain(
    { api: 'kafka', target: name, peer: brokerName(address, undefined) },
    parts.options.deadline,
  );
  const connection = await checkConnection(chain, parts, { address, nodeId: undefined });
  return { name, chain, connection, answer: await checkMetadata(chain, connection) };
}

/** Fails the seed brokers that belong to another cluster than the first. */
function compare(seeds: readonly Seed[], first: Seed | undefined): void {
  if (first?.answer === undefined) return;
  for (const { chain, answer } of seeds) {
    if (answer !== undefined && isOther(answer, first.answer)) {
      chain.fail('metadata', otherCluster(answer, first.answer, first.name), 0);
    }
  }
}

async function checkListeners(parts: KafkaParts, seeds: readonly Seed[], first: Seed): Promise<readonly Check[]> {
  const { answer } = first;
  if (answer === undefined) return [];
  const passed = new Set(seeds.filter(({ chain }) => chain.failure === undefined).map(({ name }) => name));
  const brokers = answer.brokers.toSorted((a, b) => a.id - b.id);
  const checks = brokers.map((broker) => checkListener(parts, broker, { seed: first.name, answer, passed }));
  return (await Promise.all(checks)).flat();
}

/** What the first seed broker that answered has reported. */
interface Reported {
  readonly seed: string;
  readonly answer: ClusterMetadata;
  /** The addresses of the seed brokers that have passed every check. */
  readonly passed: ReadonlySet<string>;
}

/** Checks the listener that a broker advertises: every step from DNS to metadata, as one check. */
async function checkListener(parts: KafkaParts, broker: BrokerMetadata, reported: Reported): Promise<readonly Check[]> {
  const { deadline } = parts.options;
  const address = { host: broker.host, port: broker.port };
  const name = `${broker.id} (${showHostPort(address)})`;
  const target = { api: 'kafka', target: name, peer: brokerName(address, broker.id) } as const;
  const shown = startChain(target, deadline);
  const startedAt = deadline.clock.now();
  const spent = (): number => deadline.clock.now() - startedAt;
  if (shown.isOver) shown.skip('listener', '');
  else if (reported.passed.has(showHostPort(address))) {
    shown.add('listener', { detail: 'the same address as a seed broker' }, 0);
  } else {
    const steps = startChain(target, deadline);
    const connection = await checkConnection(steps, parts, { address, nodeId: broker.id });
    const answer = await checkMetadata(steps, connection);
    if (answer !== undefined && isOther(answer, reported.answer)) {
      steps.fail('metadata', otherCluster(answer, reported.answer, reported.seed), spent());
    }
    if (steps.failure === undefined) sum(shown, steps, spent());
    else shown.fail('listener', errorOf(steps.failure, broker, reported.seed), spent());
  }
  return shown.checks;
}

/** Adds the advice for an advertised address, unless the whole command has timed out. */
function errorOf(failure: CliError, broker: BrokerMetadata, seed: string): unknown {
  if (failure.code === 'COMMAND_TIMEOUT') return failure;
  return unreachableListener(failure, broker, `seed broker ${seed}`);
}

/** Adds the one check for a listener whose steps have all passed, with their warnings. */
function sum(shown: Chain, { checks }: Chain, milliseconds: number): void {
  const doubtful = checks.filter(({ status }) => status === 'warning');
  const detail = doubtful.length === 0 ? 'every step up to metadata' : doubtful.map((one) => one.detail).join('; ');
  const warning = doubtful.flatMap(({ hints }) => hints);
  shown.add('listener', { detail, ...(doubtful.length > 0 && { warning }) }, milliseconds);
}

function noListeners(options: KafkaOptions, seeds: readonly Seed[]): readonly Check[] {
  const { deadline } = options;
  const chain = startChain({ api: 'kafka', target: null, peer: '' }, deadline);
  const reasons = seeds.flatMap((seed) => seed.chain.failure ?? []);
  chain.skip('listener', 'no seed broker answered', adviceFor(options, reasons));
  return chain.checks;
}

/** What the checks of all brokers share. */
interface KafkaParts {
  readonly options: KafkaOptions;
  readonly tls: TlsMaterial | undefined;
  readonly tunnelTo: TunnelTo | undefined;
  /** Why there is no token to sign in with, which is reported elsewhere; undefined if there is one, or if none is needed. */
  readonly withoutToken: CliError | undefined;
  /** The connections that the checks have opened; their creator closes them. */
  readonly connections: OpenConnection[];
}

/** A broker to connect to; the id of a seed broker is not known. */
interface BrokerAddress {
  readonly address: Address;
  readonly nodeId: number | undefined;
}

/** Checks every step to a broker, from DNS to SASL, and returns the connection; undefined if a step has failed. */
async function checkConnection(
  chain: Chain,
  parts: KafkaParts,
  { address, nodeId }: BrokerAddress,
): Promise<OpenConnection | undefined> {
  const { options, tls, tunnelTo } = parts;
  const broker = brokerName(address, nodeId);
  const peer = netPeer({ broker, host: address.host, tls: tls !== undefined });
  const { deadline } = options;
  await checkDial(chain, { address, peer, tls, tunnelTo, withoutTls: 'tls.enabled is false', deadline });
  return await openSession(chain, parts, { address, nodeId });
}

async function openSession(
  chain: Chain,
  parts: KafkaParts,
  { address, nodeId }: BrokerAddress,
): Promise<OpenConnection | undefined> {
  const { options, tls, tunnelTo, connections } = parts;
  if (chain.isOver) {
    chain.skip('api_versions', '');
    chain.skip('sasl', '');
    return undefined;
  }
  const { clock } = options.deadline;
  const times: Times = { dialedAt: clock.now(), began: new Map() };
  try {
    const opened = await openConnection({
      dial: options.dial ?? dialSocket,
      address,
      nodeId,
      allocate: undefined,
      clientId: options.clientId,
      softwareVersion: options.softwareVersion ?? 'unknown',
      tls,
      tunnelTo,
      sasl: options.sasl,
      howToSignIn: options.howToSignIn,
      signal: options.deadline.signal,
      deadline: options.deadline,
      served: new Set<string>(),
      trace: options.trace,
      onStep: (step) => void times.began.set(step, clock.now()),
    });
    connections.push(opened);
    const { sasl, howToSignIn } = options;
    const now = clock.now();
    chain.add('api_versions', versionsOf(opened), spent(times, 'API versions', times.began.get('SASL') ?? now));
    if (sasl !== undefined) chain.add('sasl', saslFound(sasl, address, tls !== undefined), spent(times, 'SASL', now));
    else chain.skip('sasl', howToSignIn === undefined ? 'user is not set' : 'sasl.mechanism is not set');
    return opened;
  } catch (error) {
    addFailure(chain, parts, error, times);
    return undefined;
  }
}

/** When the steps of a session began. */
interface Times {
  readonly dialedAt: number;
  readonly began: Map<SessionStep, number>;
}

function spent({ dialedAt, began }: Times, step: SessionStep, until: number): number {
  return until - (began.get(step) ?? dialedAt);
}

/** Adds a session that could not be opened: its failed step, and those before and after it. */
function addFailure(chain: Chain, { options, withoutToken }: KafkaParts, error: unknown, times: Times): void {
  const authenticatedAt = times.began.get('SASL');
  if (authenticatedAt !== undefined)
    chain.add('api_versions', { detail: 'answered' }, spent(times, 'API versions', authenticatedAt));
  if (error === withoutToken) {
    chain.endAfter('token');
    chain.skip('sasl', '');
    return;
  }
  const isSasl = authenticatedAt !== undefined;
  const duration = spent(times, isSasl ? 'SASL' : 'API versions', options.deadline.clock.now());
  // A broker refuses a client certificate after the handshake, with TLS 1.3.
  const failed = isTls(error) ? 'tls' : isSasl ? 'sasl' : 'api_versions';
  chain.fail(failed, error, duration);
  if (failed === 'tls') chain.skip('api_versions', '');
  if (failed !== 'sasl') chain.skip('sasl', '');
}

function isTls(error: unknown): boolean {
  return error instanceof Error && (error as CliError).code === 'TLS_FAILED';
}

/** The versions that weir uses of the main APIs, or a warning for those that have none in common with it. */
function versionsOf(connection: OpenConnection): Omit<StepResult<unknown>, 'value'> {
  const used: string[] = [];
  const missing: CliError[] = [];
  for (const api of [metadata, produce, fetch]) {
    try {
      used.push(`${api.name} ${connection.version(api)}`);
    } catch (error) {
      missing.push(error as CliError);
    }
  }
  if (missing.length === 0) return { detail: used.join(', ') };
  return {
    detail: [...missing.map(({ message }) => message), used.join(', ')].join('; '),
    warning: [...new Set(missing.flatMap(({ hints }) => hints))],
  };
}

/** What is known of the authentication that has succeeded: a warning if others could read the password. */
export function saslFound(sasl: SaslOptions, address: Address, isTls: boolean): Omit<StepResult<unknown>, 'value'> {
  const { mechanism } = sasl;
  const isToken = mechanism === 'OAUTHBEARER';
  const detail = 'username' in sasl ? `${mechanism} as user "${sasl.username}"` : mechanism;
  if ((mechanism !== 'PLAIN' && !isToken) || isTls || isLocal(address)) return { detail };
  const secret = isToken ? 'token' : 'password';
  return { detail: `${detail}, with the ${secret} unencrypted`, warning: ['turn on TLS: -X tls.enabled=true'] };
}

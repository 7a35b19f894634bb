import type { CliError } from '../../errors.ts';
import { isRedpandaId } from '../../kafka/cluster/brokers/cluster.ts';
import type { BrokerMetadata, ClusterMetadata } from '../../kafka/protocol/client/client.ts';
import { unreachableListener } from '../../kafka/protocol/client/router.ts';
import type { KafkaOptions } from '../../kafka/protocol/options.ts';
import { brokerName, type OpenConnection } from '../../kafka/protocol/transport/connection.ts';
import { adviceFor } from '../../kafka/protocol/transport/first-contact.ts';
import { showHostPort } from '../../net/address.ts';
import { readTls } from '../../net/tls.ts';
import { brokerTunnels } from '../../net/tunnel.ts';
import { type Chain, startChain } from '../chain.ts';
import type { Check } from '../check-rows.ts';
import { checkAuthorization, checkMetadata, isOther, otherCluster } from './cluster.ts';
import { checkConnection, type KafkaParts } from './connect.ts';
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

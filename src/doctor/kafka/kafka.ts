import { isRedpandaId } from '../../kafka/cluster/brokers/cluster.ts';
import type { ClusterMetadata } from '../../kafka/protocol/client/client.ts';
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
import { checkListener } from './listener.ts';
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

function noListeners(options: KafkaOptions, seeds: readonly Seed[]): readonly Check[] {
  const { deadline } = options;
  const chain = startChain({ api: 'kafka', target: null, peer: '' }, deadline);
  const reasons = seeds.flatMap((seed) => seed.chain.failure ?? []);
  chain.skip('listener', 'no seed broker answered', adviceFor(options, reasons));
  return chain.checks;
}

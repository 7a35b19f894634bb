import { unreachableError } from '../../../errors.ts';
import { createRetry } from '../../../net/retry.ts';
import { once } from '../../../once.ts';
import { kafkaError, kafkaErrorKind, kafkaErrorText } from '../errors.ts';
import type { KafkaOptions } from '../options.ts';
import { type Dial, openConnection } from '../transport/connection.ts';
import { createCutJudge } from '../transport/first-contact.ts';
import { openPool } from '../transport/pool.ts';
import { dialSocket } from '../transport/socket-link.ts';
import type { Api } from '../wire/api.ts';
import { codes } from '../wire/error-codes.ts';
import { ask } from './ask.ts';
import type { BrokerMetadata, Client, ClusterMetadata, PartitionMetadata, TopicMetadata } from './client.ts';
import { isRedpandaId } from './redpanda.ts';
import { createRouter, type Router } from './router.ts';
import { type Target, targetOf } from './targets.ts';

/** Opens the broker client. Reads no files and dials no broker before the first request. */
export function openClient(options: KafkaOptions): Client {
  const { deadline } = options;
  const controller = new AbortController();
  const closed = unreachableError('the client was closed', { code: 'CLOSED', retryable: false });
  const material = once(async () => {
    if (options.tls === undefined) return undefined;
    const { readTls } = await import('../../../net/tls.ts');
    return readTls(options.tls, deadline.signal);
  });
  const tunnels = once(async () => {
    if (options.proxy === undefined) return undefined;
    const { brokerTunnels } = await import('../../../net/tunnel.ts');
    return brokerTunnels(options.proxy, deadline);
  });
  const served = new Set<string>();
  const cutJudge = createCutJudge(options.firstContact);
  const onPlainSecret = plainSecretWarning(options);
  const dial: Dial = async ({ address, nodeId, allocate }) =>
    openConnection({
      dial: options.dial ?? dialSocket,
      address,
      nodeId,
      allocate,
      clientId: options.clientId,
      softwareVersion: options.softwareVersion ?? 'unknown',
      tls: await material(),
      tunnelTo: await tunnels(),
      sasl: options.sasl,
      howToSignIn: options.howToSignIn,
      deadline,
      served,
      cutJudge,
      signal: controller.signal,
      trace: options.trace,
      onPlainSecret,
    });
  const pool = openPool(dial, options);
  const router = createRouter(pool, options);
  const retry = createRetry(deadline, deadline.clock, { signal: controller.signal });

  function end(reason: Error): void {
    controller.abort(reason);
    pool.destroy(reason);
  }
  const onDeadline = (): void => end(deadline.signal.reason);
  if (deadline.signal.aborted) onDeadline();
  else deadline.signal.addEventListener('abort', onDeadline, { once: true });

  const metadata: Client['metadata'] = async (topics, tries) => {
    const read = () => router.cache.read(topics === 'all' ? undefined : topics);
    return askedMetadata(await (tries === 'once' ? read() : retry('Metadata', read)), topics);
  };

  return {
    options,
    retry,
    metadata,
    isRedpanda: async () => isRedpandaId((router.cache.cluster ?? (await metadata([]))).clusterId),
    request(api, request, named) {
      const target = targetOf(api, request, named);
      return retry(api.name, () => attempt(router, { api, request, target }));
    },
    requestOnce: (api, request, target) => attempt(router, { api, request, target }),
    ask: (question, items, tries) =>
      ask({ router, deadline, question, isOnce: tries === 'once', closed: controller.signal }, items),
    dedicated: async (target, how) =>
      router.dedicated(typeof target === 'number' ? target : await router.cache.nodeOf(target), how),
    close() {
      deadline.signal.removeEventListener('abort', onDeadline);
      end(closed);
    },
  };
}

/** Warns of each remote host that a password or a token is sent to unencrypted, once. */
function plainSecretWarning({ warn, sasl }: KafkaOptions): (host: string, what: string) => void {
  const warned = new Set<string>();
  const advice = `turn on TLS with -X tls.enabled=true${sasl?.mechanism === 'PLAIN' ? ', or use SCRAM' : ''}`;
  return (host, what) => {
    if (!warned.has(host)) warn?.(`the ${what} is sent unencrypted to broker ${host}: ${advice}`);
    warned.add(host);
  };
}

/** One request to one target. */
interface Attempt<Request, Response> {
  readonly api: Api<Request, Response>;
  readonly request: Request;
  readonly target: Target;
}

/**
 * Makes one attempt. An answer that reports the wrong broker, or a broker that is not ready, becomes an error for the
 * retry rule if the request may be repeated; the caller handles every other answer.
 */
async function attempt<Request, Response>(
  router: Router,
  { api, request, target }: Attempt<Request, Response>,
): Promise<Response> {
  const response = await router.send(api, request, await router.cache.nodeOf(target));
  const code = api.errorCode(response);
  const { remedy, notDone } = kafkaErrorKind(code);
  if (remedy === undefined) return response;
  if (remedy !== 'retry') router.cache.forget(target);
  const error = kafkaError(code, `${api.name} request failed: ${kafkaErrorText(code)}`);
  // The caller reports a permanent error (an unknown topic), and an error of a request that may have been carried out.
  if (!error.retryable || !(api.repeatable || notDone)) return response;
  throw error;
}

/**
 * The part of a Metadata answer that was asked for: topics that nobody asked about are left out, and those that the
 * answer leaves out are unknown (UNKNOWN_TOPIC_OR_PARTITION). Of what an answer says twice, the last counts.
 */
export function askedMetadata(answer: ClusterMetadata, names: readonly string[] | 'all'): ClusterMetadata {
  const byName = byKey(answer.topics, ({ name }) => name);
  const topics =
    names === 'all' ? [...byName.values()] : [...new Set(names)].map((name) => byName.get(name) ?? unknown(name));
  const brokers: readonly BrokerMetadata[] = [...byKey(answer.brokers, ({ id }) => id).values()];
  return { ...answer, brokers, topics: topics.map(withPartitionsOnce) };
}

function unknown(name: string): TopicMetadata {
  return { name, errorCode: codes.UNKNOWN_TOPIC_OR_PARTITION, internal: false, partitions: [] };
}

/** The topic itself if its partitions are as they should be: most are, and there may be many. */
function withPartitionsOnce(topic: TopicMetadata): TopicMetadata {
  if (isComplete(topic.partitions)) return topic;
  const once = [...byKey(topic.partitions, ({ partition }) => partition).values()].filter(isNumbered);
  return once.length === topic.partitions.length ? topic : { ...topic, partitions: once };
}

/** Whether the partitions have the numbers from 0 without a gap, in any order. */
function isComplete(partitions: readonly PartitionMetadata[]): boolean {
  const seen = new Uint8Array(partitions.length);
  return partitions.every(({ partition }) => {
    // An index beyond the end reads as undefined.
    const isNew = seen[partition] === 0;
    seen[partition] = 1;
    return isNew;
  });
}

function isNumbered({ partition }: PartitionMetadata): boolean {
  return partition >= 0;
}

function byKey<Key, Item>(items: readonly Item[], keyOf: (item: Item) => Key): ReadonlyMap<Key, Item> {
  return new Map(items.map((item) => [keyOf(item), item]));
}

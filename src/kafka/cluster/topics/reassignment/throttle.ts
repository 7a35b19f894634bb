import { type CliError, exitCodes, rephrased, usageError } from '../../../../errors.ts';
import type { Client, ClusterMetadata } from '../../../protocol/client/client.ts';
import { isRedpandaId } from '../../../protocol/client/redpanda.ts';
import { untilVisible } from '../../../protocol/client/visibility.ts';
import { groupByTopic } from '../../../protocol/partitions/by-topic.ts';
import { type DescribedResource, resourceTypes } from '../../../protocol/wire/apis/describe-configs.ts';
import type { ConfigChange } from '../topic-rows.ts';
import type { ReplicaMove } from './reassignment-rows.ts';
import {
  alterThrottles,
  changesOf,
  checkThrottles,
  entriesIn,
  everyReplica,
  keyOf,
  ofBroker,
  ofTopic,
  rateKeys,
  ratesIn,
  readThrottles,
  replicaKeys,
  type ThrottleChange,
  type ThrottleSource,
} from './throttle-configs.ts';
import type { ListChange, RateChange, Throttle, ThrottleRecord } from './throttle-memory.ts';

/**
 * Limits the copying of replicas: at their present brokers what is sent, at the new ones what is received. Replicas that
 * are throttled for another reason stay in the lists. What was there before is remembered first.
 * @throws CliError if a limit cannot be set; those that were set are removed again
 */
export async function throttle(
  client: Client,
  moves: readonly ReplicaMove[],
  { rate, memory }: Throttle,
): Promise<void> {
  const metadata = await client.metadata([]);
  refuseOfRedpanda(metadata);
  const present = presentBrokers(metadata, moves);
  await memory.hold(metadata.clusterId, 'set', async (book) => {
    const plan = await planThrottle(client, moves, { present, rate });
    await book.save(mergeRecords(book.record, plan));
    for (const resources of [plan.rates.map(limitOf), plan.lists.map(listOf)].map(joinByResource)) {
      const failed = (await alterThrottles(client, resources)).filter(({ error }) => error !== undefined);
      const [first] = failed;
      if (first?.error === undefined) continue;
      // What a broker has refused is as it was; without an answer, that is not known.
      const refused = new Set(failed.flatMap(({ item, row }) => (row === undefined ? [] : [keyOf(item)])));
      const undone = undoing(plan).filter((resource) => !refused.has(keyOf(resource)));
      const outcomes = await alterThrottles(client, undone, 'once');
      if (outcomes.every(({ error }) => error === undefined)) await book.save(book.record);
      throw refusal(first.error, first.item);
    }
    // A replica is copied at full speed until its brokers know of the limit.
    await untilVisible(client, async () => {
      const answers = await Promise.all(present.map((id) => isKnownBy(client, id, plan)));
      return answers.every(Boolean);
    });
  });
}

/** @throws CliError (exit 2) for Redpanda, whose brokers have no configs of their own */
function refuseOfRedpanda({ clusterId }: ClusterMetadata): void {
  if (isRedpandaId(clusterId) !== true) return;
  throw usageError('--throttle cannot be used with Redpanda', {
    target: '--throttle',
    hints: ['limit the copying with: weir cluster config set raft_learner_recovery_rate BYTES'],
  });
}

/** The brokers that have or get replicas. One that is down sends and receives nothing. */
function presentBrokers({ brokers }: ClusterMetadata, moves: readonly ReplicaMove[]): readonly number[] {
  const involved = new Set(moves.flatMap((move) => [...move.old_replicas, ...move.new_replicas]));
  return brokers.map(({ id }) => id).filter((id) => involved.has(id));
}

/** Lets the brokers check whether the copying of replicas may be limited. @throws CliError if it may not */
export async function checkThrottle(client: Client, moves: readonly ReplicaMove[], rate: number): Promise<void> {
  const metadata = await client.metadata([]);
  refuseOfRedpanda(metadata);
  const present = presentBrokers(metadata, moves);
  const { rates, lists } = await planThrottle(client, moves, { present, rate });
  const outcomes = await checkThrottles(client, joinByResource([...rates.map(limitOf), ...lists.map(listOf)]));
  const failed = outcomes.find(({ error }) => error !== undefined);
  if (failed?.error !== undefined) throw refusal(failed.error, failed.item);
}

/** The changes that return everything to what it was. */
function undoing({ rates, lists }: Plan): readonly ThrottleChange[] {
  return joinByResource([
    ...rates.map(undoneLimit),
    ...lists.map((one) => undoneList(one, [...one.before, ...one.added])),
  ]);
}

/** A list that must change, with its entries before. */
interface PlannedList extends ListChange {
  readonly before: readonly string[];
}

interface Plan extends ThrottleRecord {
  readonly lists: readonly PlannedList[];
}

/** Reads what is there, and returns what must change. */
async function planThrottle(
  client: Client,
  rows: readonly ReplicaMove[],
  { present, rate }: { readonly present: readonly number[]; readonly rate: number },
): Promise<Plan> {
  const topics = groupByTopic(rows);
  const sources = [...present.map(ofBroker), ...topics.map(([topic]) => ofTopic(topic))];
  const outcomes = await readThrottles(client, sources);
  const failed = outcomes.find(({ error }) => error !== undefined);
  if (failed?.error !== undefined) throw refusal(failed.error, failed.item);
  const rowsByKey = new Map(outcomes.map(({ item, row }) => [keyOf(item), row]));
  const rowOf = (source: ThrottleSource): DescribedResource | undefined => rowsByKey.get(keyOf(source));
  const rates = present.flatMap((broker) => {
    const before = ratesIn(rowOf(ofBroker(broker)));
    return rateKeys.map((key): RateChange => ({ broker, key, old: before.get(key) ?? null, set: String(rate) }));
  });
  const lists = topics.flatMap(([topic, partitions]) => {
    const replicas = replicasOf(partitions, present);
    return replicaKeys.map((key, at): PlannedList => {
      const before = entriesIn(rowOf(ofTopic(topic)), key);
      const listed = new Set(before);
      const missing = (replicas[at] ?? []).filter((entry) => !listed.has(entry));
      return { topic, key, added: listed.has(everyReplica) ? [] : missing, before };
    });
  });
  return { rates, lists };
}

/** The replicas of a topic that send and those that receive, in the order of `replicaKeys`. */
function replicasOf(rows: readonly ReplicaMove[], present: readonly number[]): readonly (readonly string[])[] {
  const names = (brokersOf: (row: ReplicaMove) => readonly number[]): readonly string[] =>
    rows.flatMap((row) => {
      const brokers = brokersOf(row).filter((id) => present.includes(id));
      return brokers.map((id) => `${row.partition}:${id}`);
    });
  const receiving = names((row) => row.new_replicas.filter((id) => !row.old_replicas.includes(id)));
  return [names((row) => row.old_replicas), receiving];
}

/** A record with what is about to be set; what weir had set itself is not something to restore. */
function mergeRecords(record: ThrottleRecord, plan: ThrottleRecord): ThrottleRecord {
  const rates = plan.rates.map((change) => {
    const earlier = record.rates.find(({ broker, key }) => broker === change.broker && key === change.key);
    return earlier !== undefined && earlier.set === change.old ? { ...change, old: earlier.old } : change;
  });
  const lists = plan.lists.map(({ topic, key, added: entries }) => {
    const earlier = record.lists.filter((one) => one.topic === topic && one.key === key);
    return { topic, key, added: [...new Set([...earlier.flatMap((one) => one.added), ...entries])] };
  });
  const others = {
    rates: record.rates.filter(({ broker }) => !rates.some((one) => one.broker === broker)),
    lists: record.lists.filter(({ topic }) => !lists.some((one) => one.topic === topic)),
  };
  return { rates: [...others.rates, ...rates], lists: [...others.lists, ...lists] };
}

function limitOf({ broker, key, set }: RateChange): ThrottleChange {
  return changesOf(ofBroker(broker), [{ key, operation: 'set', value: set }]);
}

/** Returns a rate to what it was. */
export function undoneLimit({ broker, key, old }: RateChange): ThrottleChange {
  const change: ConfigChange =
    old === null ? { key, operation: 'delete', value: undefined } : { key, operation: 'set', value: old };
  return changesOf(ofBroker(broker), [change]);
}

function listOf({ topic, key, added: entries }: ListChange): ThrottleChange {
  return changesOf(
    ofTopic(topic),
    entries.length === 0 ? [] : [{ key, operation: 'append', value: entries.join(',') }],
  );
}

/** Removes entries from a list that has the entries `shown`. */
export function undoneList({ topic, key, added: entries }: ListChange, shown: readonly string[]): ThrottleChange {
  const current = new Set(entries);
  const isAll = shown.every((entry) => current.has(entry));
  const change: ConfigChange = isAll
    ? { key, operation: 'delete', value: undefined }
    : { key, operation: 'subtract', value: entries.join(',') };
  return changesOf(ofTopic(topic), entries.length === 0 ? [] : [change]);
}

/** One entry for each resource, with all its changes; none for a resource without changes. */
export function joinByResource(resources: readonly ThrottleChange[]): readonly ThrottleChange[] {
  const groups = Map.groupBy(resources, keyOf);
  return [...groups.values()].flatMap((group) => {
    const changes = group.flatMap((one) => one.changes);
    const [first] = group;
    return first === undefined || changes.length === 0 ? [] : [{ ...first, changes }];
  });
}

/** Whether a broker shows its own limits and the lists of all topics. */
async function isKnownBy(client: Client, id: number, { rates, lists }: ThrottleRecord): Promise<boolean> {
  const topics = [...new Set(lists.map(({ topic }) => topic))];
  const outcomes = await readThrottles(client, [ofBroker(id), ...topics.map((topic) => ofTopic(topic, id))], 'once');
  // What cannot be read cannot be waited for.
  if (outcomes.some(({ error }) => error !== undefined)) return true;
  const [first, ...others] = outcomes;
  const rowsByName = new Map(others.map(({ item, row }) => [item.name, row]));
  const shown = ratesIn(first?.row);
  return (
    rates.every(({ broker, key, set }) => broker !== id || shown.get(key) === set) &&
    lists.every(({ topic, key, added: entries }) => {
      const current = new Set(entriesIn(rowsByName.get(topic), key));
      return entries.every((entry) => current.has(entry));
    })
  );
}

/** The error of a plan whose throttle cannot be set: names the missing permission. */
function refusal(error: CliError, { type, name }: Pick<ThrottleChange, 'type' | 'name'>): CliError {
  const nothing = 'no replica was moved';
  if (error.exitCode !== exitCodes.auth) return rephrased(error, `${error.message}; ${nothing}`);
  const where = type === resourceTypes.broker ? 'the cluster' : `topic "${name}"`;
  return rephrased(
    error,
    `unable to set the throttle, ${nothing}: ${error.code}: the principal lacks alter_configs on ${where}`,
    { hints: ['grant it with weir security acl create, or move the replicas without --throttle'] },
  );
}

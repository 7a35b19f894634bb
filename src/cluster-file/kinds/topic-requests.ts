import type { TopicCreation } from '../../kafka/cluster/topics/topic-rows.ts';
import type { Difference } from '../plan/plan-rows.ts';
import { configChangesIn } from './configs.ts';
import type { Round } from './kind.ts';
import { type Answer, errorsOf, inParts, type Sending } from './sending.ts';
import type { WantedTopic } from './topic-sections.ts';

/** Changes of topics, with what is needed to send them. */
type TopicRound = Round<WantedTopic, { readonly topics: ReadonlyMap<string, { readonly partitions: number }> }>;

function creationsOf({ changes, scope }: TopicRound): TopicCreation[] {
  return changes
    .filter(({ action }) => action === 'create')
    .map(({ name: topic }) => {
      const { partitions = -1, replicas = -1, configs = {} } = scope.wanted.get(topic) ?? {};
      const set = Object.entries(configs).flatMap(([key, value]) => (value === null ? [] : [[key, value] as const]));
      return { topic, partitions, replicas, configs: set };
    });
}

/** Kafka's controller refuses a request that would write more than 10,000 records: topics, partitions and configs. */
const mostRecords = 9000;
/** Partitions of a topic that gets as many as the cluster has as default, for the number of records: clouds have up to 6. */
const guessedPartitions = 10;
/** The most topics in one deletion: Ctrl-C does not wait for more. */
const mostDeleted = 1000;

/** The requests that make changes of topics, or check them. */
interface TopicRequests {
  create(call: { readonly topics: readonly TopicCreation[]; readonly ifNotExists: false }): Answer;
  grow(growths: readonly Growth[]): Answer;
  alter(names: readonly string[], changesOf: (topic: string) => ReturnType<typeof configChangesIn>): Answer;
}

/** Sends all that creates topics and changes their partitions and configs, or checks it. */
export async function sendTopics(round: TopicRound, { send }: Sending, requests: TopicRequests): Promise<void> {
  const recordsOf = ({ partitions, configs }: TopicCreation) =>
    (partitions > 0 ? partitions : guessedPartitions) + configs.length + 1;
  const creations = errorsOf((topics: readonly TopicCreation[]) => requests.create({ topics, ifNotExists: false }));
  for (const part of inParts(creationsOf(round), mostRecords, recordsOf)) await send(part, topicOf, creations);
  const added = (one: Growth) => one.new_partitions - (one.old_partitions ?? 0);
  for (const part of inParts(growthsOf(round), mostRecords, added)) await send(part, topicOf, errorsOf(requests.grow));
  const { names, changesOf } = configChangesOf(round);
  const alterations = errorsOf((topics: readonly string[]) => requests.alter(topics, changesOf));
  for (const part of inParts(names, mostRecords, (name) => changesOf(name).length))
    await send(part, String, alterations);
}

/** Deletes topics. */
export async function deleteTopics(
  { changes }: Pick<TopicRound, 'changes'>,
  { send }: Sending,
  request: (topics: readonly string[]) => Answer,
): Promise<void> {
  const deleted = changes.filter(({ action }) => action === 'delete').map(({ name }) => name);
  for (const part of inParts(deleted, mostDeleted)) await send(part, String, errorsOf(request));
}

function topicOf({ topic }: { readonly topic: string }): string {
  return topic;
}

type Growth = ReturnType<typeof growthsOf>[number];

function growthsOf({ changes, existing }: TopicRound) {
  return changes
    .filter(({ action }) => action === 'update')
    .flatMap(({ name: topic, changes: differences }) => {
      const to = differences.find(({ path }) => path === 'partitions')?.to;
      const old = existing.topics.get(topic)?.partitions ?? null;
      return to == null ? [] : [{ topic, old_partitions: old, new_partitions: Number(to) }];
    });
}

function configChangesOf({ changes }: TopicRound) {
  const byTopic = new Map(
    changes
      .filter(({ action }) => action === 'update')
      .map(({ name, changes: differences }) => [name, configChangesIn(differences.map(replicasAsConfig))] as const)
      .filter(([, configs]) => configs.length > 0),
  );
  return { names: [...byTopic.keys()], changesOf: (topic: string) => byTopic.get(topic) ?? [] };
}

/** Redpanda changes the number of replicas by a config. */
function replicasAsConfig(change: Difference): Difference {
  return change.path === 'replicas' ? { ...change, path: 'configs.replication.factor' } : change;
}

import type { ItemError } from '../../../../errors.ts';
import { partitionName } from '../../../../format/partition-name.ts';
import { commandText, shellWord } from '../../../../format/shell-word.ts';
import type { BrokerMetadata, Client } from '../../../protocol/client/client.ts';
import { itemErrorOf, type Outcome } from '../../../protocol/client/question.ts';
import { untilVisible } from '../../../protocol/client/visibility.ts';
import { type DescribedResource, resourceTypes } from '../../../protocol/wire/apis/describe-configs.ts';
import { codes } from '../../../protocol/wire/error-codes.ts';
import { type OngoingReassignment, readOngoing } from './ongoing.ts';
import type { LeftThrottle, UnthrottleCall, Unthrottled } from './reassignment-rows.ts';
import { joinByResource, undoneLimit, undoneList } from './throttle.ts';
import {
  alterThrottles,
  entriesIn,
  nameOfSource,
  ofBroker,
  ofTopic,
  ratesIn,
  readThrottles,
  replicaKeys,
  type ThrottleChange,
} from './throttle-configs.ts';
import type { ListChange, RateChange, ThrottleRecord } from './throttle-memory.ts';

/** What a removal works with. */
interface Scene {
  readonly client: Client;
  /** The record before. */
  readonly record: ThrottleRecord;
  readonly ongoing: readonly OngoingReassignment[];
}

/** What can be removed, what stays in the record, and what weir does not remove. */
interface Part<Change> {
  readonly due: Due<Change>[];
  readonly kept: Change[];
  readonly left: LeftThrottle[];
}

interface Due<Change> {
  readonly change: Change;
  readonly resource: ThrottleChange;
}

/**
 * Removes the throttles that weir has set for partitions that are not being reassigned any more, and restores what was
 * there before. What weir did not set stays.
 */
export async function unthrottle(client: Client, { topics, memory }: UnthrottleCall): Promise<Unthrottled> {
  const { clusterId, topics: existing, brokers } = await client.metadata(topics ?? 'all');
  return memory.hold(clusterId, 'restore', async (book) => {
    const scene: Scene = { client, record: book.record, ongoing: await readOngoing(client, undefined) };
    const named = topics ?? existing.map(({ name }) => name).sort();
    const lists = await listsOf(scene, { named, isEvery: topics === undefined });
    const rates = await ratesOf(scene);
    const changes = joinByResource([...lists.due, ...rates.due].map(({ resource }) => resource));
    // Asked once: a broker that is down must not delay the others.
    const outcomes = await alterThrottles(client, changes, 'once');
    const failed = outcomes.flatMap((outcome) => {
      const error = itemErrorOf(outcome);
      return error === null ? [] : [{ resource: outcome.item, error }];
    });
    const isFailed = ({ resource: { type, name } }: Due<unknown>): boolean =>
      failed.some(({ resource }) => resource.type === type && resource.name === name);
    await book.save({ rates: remaining(rates, isFailed), lists: remaining(lists, isFailed) });
    const freed = lists.due.filter((one) => !isFailed(one)).map(({ change }) => change);
    const restored = rates.due.filter((one) => !isFailed(one) && one.change.old !== null);
    await untilGone(client, brokers, freed);
    return {
      topics: [...new Set(freed.map(({ topic }) => topic))],
      restored: [...new Set(restored.map(({ change }) => change.broker))],
      left: [...lists.left, ...rates.left, ...failed.map(leftover)],
    };
  });
}

function remaining<Change>({ kept, due }: Part<Change>, isFailed: (one: Due<Change>) => boolean): Change[] {
  return [...kept, ...due.filter(isFailed).map(({ change }) => change)];
}

/** Compares the lists of topics with the record. */
async function listsOf(
  { client, record, ongoing }: Scene,
  { named, isEvery }: { readonly named: readonly string[]; readonly isEvery: boolean },
): Promise<Part<ListChange>> {
  const chosen = record.lists.filter(({ topic }) => isEvery || named.includes(topic));
  const names = [...new Set([...named, ...chosen.map(({ topic }) => topic)])];
  const sources = names.map((name) => ofTopic(name));
  const outcomes = new Map((await readThrottles(client, sources, 'once')).map((one) => [one.item.name, one]));
  const moving = new Set(ongoing.map(partitionName));
  const isMoving = (topic: string, entry: string): boolean => moving.has(`${topic}/${entry.split(':')[0]}`);
  const part: Part<ListChange> = { due: [], kept: record.lists.filter((one) => !chosen.includes(one)), left: [] };
  for (const change of chosen) {
    const { row, error } = outcomes.get(change.topic) ?? {};
    if (row?.errorCode === codes.UNKNOWN_TOPIC_OR_PARTITION) continue;
    const shown = entriesIn(row, change.key);
    const listed = new Set(shown);
    const stays = (entry: string): boolean => error !== undefined || isMoving(change.topic, entry);
    const staying = change.added.filter(stays);
    const going = change.added.filter((entry) => !stays(entry) && listed.has(entry));
    const due = { ...change, added: going };
    if (going.length > 0) part.due.push({ change: due, resource: undoneList(due, shown) });
    // Without entries of its own, the topic still needs the rates of its brokers.
    const isNeeded = change.added.length === 0 && ongoing.some(({ topic }) => topic === change.topic);
    if (staying.length > 0 || isNeeded) part.kept.push({ ...change, added: staying });
  }
  const foreign = names.filter((topic) => {
    const row = outcomes.get(topic)?.row;
    return row !== undefined && hasOthers(row, record, (entry) => isMoving(topic, entry));
  });
  if (foreign.length > 0) part.left.push(notOurs(foreign));
  return part;
}

/** Whether lists name single replicas that weir has not added. A list of all replicas (`*`) is not from a reassignment. */
function hasOthers(row: DescribedResource, { lists }: ThrottleRecord, isMoving: (entry: string) => boolean): boolean {
  return replicaKeys.some((key) => {
    const addedEntries = new Set(
      lists.filter((one) => one.topic === row.resourceName && one.key === key).flatMap(({ added }) => added),
    );
    const entries = entriesIn(row, key).filter((entry) => /^\d+:\d+$/.test(entry));
    return entries.some((entry) => !addedEntries.has(entry) && !isMoving(entry));
  });
}

/** Compares the rates of brokers with the record. */
async function ratesOf({ client, record, ongoing }: Scene): Promise<Part<RateChange>> {
  const listedTopics = new Set(record.lists.map(({ topic }) => topic));
  const busy = new Set(ongoing.filter(({ topic }) => listedTopics.has(topic)).flatMap(({ replicas }) => replicas));
  const chosen = record.rates.filter(({ broker }) => !busy.has(broker));
  const brokers = [...new Set(chosen.map(({ broker }) => broker))].sort((a, b) => a - b);
  const part: Part<RateChange> = { due: [], kept: record.rates.filter((one) => !chosen.includes(one)), left: [] };
  for (const outcome of await readThrottles(client, brokers.map(ofBroker), 'once')) {
    const changes = chosen.filter(({ broker }) => String(broker) === outcome.item.name);
    const error = itemErrorOf(outcome);
    if (error !== null) {
      part.kept.push(...changes);
      part.left.push(...joinByResource(changes.map(undoneLimit)).map((resource) => leftover({ resource, error })));
      continue;
    }
    const shown = ratesIn(outcome.row);
    const unchanged = changes.filter(({ key, set }) => shown.get(key) === set);
    part.due.push(...unchanged.map((change) => ({ change, resource: undoneLimit(change) })));
    const changed = changes.filter(({ key, old, set }) => ![old, set].includes(shown.get(key) ?? null));
    part.left.push(...joinByResource(changed.map(undoneLimit)).map(otherRates));
  }
  return part;
}

/** Waits until no broker shows the entries, so that the next command does not take them for somebody else's. */
async function untilGone(
  client: Client,
  brokers: readonly BrokerMetadata[],
  freed: readonly ListChange[],
): Promise<void> {
  const topics = [...new Set(freed.map(({ topic }) => topic))];
  if (topics.length === 0) return;
  const isGone = ({ item, row }: Outcome<{ readonly name: string }, DescribedResource>): boolean =>
    freed
      .filter(({ topic }) => topic === item.name)
      .every(({ key, added }) => !entriesIn(row, key).some((entry) => added.includes(entry)));
  await untilVisible(client, async () => {
    const sources = brokers.flatMap(({ id }) => topics.map((topic) => ofTopic(topic, id)));
    return (await readThrottles(client, sources, 'once')).every(isGone);
  });
}

/** How many topics a message names. */
const mostNames = 10;

/** A throttle that could not be removed. */
function leftover({ resource, error }: { readonly resource: ThrottleChange; readonly error: ItemError }): LeftThrottle {
  return {
    what: `unable to remove the throttle of ${nameOfSource(resource)}: ${error.code}: ${error.message}`,
    commands: commandsOf(resource),
  };
}

/** The rates of a broker, which somebody has changed since weir set them. */
function otherRates(resource: ThrottleChange): LeftThrottle {
  return {
    what: `the throttled rate of ${nameOfSource(resource)} was changed by somebody else and is kept`,
    commands: commandsOf(resource),
  };
}

/** Topics whose lists name replicas that weir has not added, at least not from here. */
function notOurs(topics: readonly string[]): LeftThrottle {
  const named = topics.slice(0, mostNames);
  const more = topics.length > mostNames ? ` and ${topics.length - mostNames} more` : '';
  return {
    what: `the throttle of ${named.join(', ')}${more} was not set by weir on this machine and is kept`,
    commands: [`weir topic alter-config ${named.map(shellWord).join(' ')} --delete ${replicaKeys.join(',')}`],
  };
}

/** The command for each change. */
function commandsOf({ type, name, changes }: ThrottleChange): readonly string[] {
  return changes.map(({ key, operation, value }) => {
    // Brokers list these keys only while they are set.
    const rate = value === undefined ? '--reset' : `${shellWord(value)} --force`;
    if (type === resourceTypes.broker) return `${commandText`weir cluster config set ${key}`} ${rate} --broker ${name}`;
    const change = value === undefined ? key : `${key}=${value}`;
    return commandText`weir topic alter-config ${name} --${operation} ${change}`;
  });
}

import { CliError, exitCodes, type ItemError, rephrased, usageError } from '../../../errors.ts';
import { grouped } from '../../../format/count.ts';
import { commandText } from '../../../format/shell-word.ts';
import { findGroups, hasMembers } from '../../cluster/groups/found-groups.ts';
import { createConfigReader, readBatchLimits } from '../../cluster/topics/configs.ts';
import type { CreateTopicsCall } from '../../cluster/topics/topic-rows.ts';
import { createTopics } from '../../cluster/topics/topics.ts';
import type { Client, TopicMetadata } from '../../protocol/client/client.ts';
import { forTopics } from '../../protocol/partitions/for-topics.ts';
import { askOffsets } from '../../protocol/partitions/offsets.ts';
import { offsetTimes } from '../../protocol/wire/apis/list-offsets.ts';
import { noUuid } from '../../protocol/wire/primitives.ts';
import { createStickyPartitioner } from '../../records/batches/partitioner.ts';
import { existingTopics, planStarts, withPartitions } from '../../streams/consume/plan.ts';
import type { PartitionStart } from '../../streams/consume/position.ts';
import { rewindPlaces } from '../../streams/consume/truncation.ts';
import { createLane } from '../../streams/produce/lane.ts';
import { openProduceTopic, type ProduceTopic, updateTopic } from '../../streams/produce/topics.ts';
import type { Ahead } from './ahead.ts';
import type { CopyRequest, TopicPair } from './request.ts';
import { warnOfRetention } from './retention.ts';
import { checkRoom } from './room.ts';
import { errorAt, hintAt, placeName } from './sides.ts';
import { carrierOf, decodeProgress, foreignOffsets, occupiedGroup, readStored, sourceName } from './stored-progress.ts';

/** A topic and its destination, as they are now. */
export interface PlannedPair {
  readonly source: TopicMetadata;
  readonly target: ProduceTopic;
  /** The ids of both topics; '' where brokers report none. */
  readonly sourceId: string;
  readonly targetId: string;
  /** The group in the destination that keeps the progress. */
  readonly group: string;
  /** The name of the source and its cluster, if the group has a name that does not say it. */
  readonly origin: string | undefined;
  /** The source offsets up to which earlier copies got, by partition; kept up to date while this one goes on. */
  readonly known: Map<number, bigint>;
  /** The leader epochs of the records before them, as far as they are known. */
  readonly epochs: Map<number, number>;
  /** What an earlier copy has copied behind them before it failed. */
  readonly ahead: Map<number, Ahead>;
  /** How to create the destination; undefined if it exists. */
  readonly creation: CreateTopicsCall | undefined;
  /** Where to begin in each partition; partitions that the source gets later are added. */
  starts: readonly PartitionStart[];
  /** The size in bytes above which the destination takes no batch. */
  readonly maxBatchBytes: number;
}

/** Looks up both topics of every pair, and where the last copy stopped. @throws CliError if the copy must not begin */
export async function planPairs(source: Client, request: CopyRequest): Promise<readonly PlannedPair[]> {
  const { client } = request.target;
  const { topics: pairs, partitions } = request;
  const [from, to] = await Promise.all([source.metadata([]), client === source ? undefined : client.metadata([])]);
  const isOneCluster = client === source || from.clusterId === to?.clusterId;
  const names = pairs.map((pair) => pair.source);
  const [whole, topics] = await existingTopics(source, names, [])
    .then((found) => [found, withPartitions(found, partitions)] as const)
    .catch((error: unknown) => {
      throw errorAt(request.profile, error);
    });
  const targets = await forTopics(pairs, (pair) => openTarget(request, pair, whole));
  const absent = pairs.filter((_, at) => targets[at]?.isMissing);
  const creations = await creationsOf(source, absent, whole, client === source);
  const limitOf = await readBatchLimits(
    client,
    pairs.map((pair) => pair.target),
  );
  const starts = await planStarts(source, {
    topics,
    range: request.range,
    readCommitted: true,
    warn: request.warn,
  });
  const planned = await forTopics(pairs, async (pair, at) => {
    const [found, target] = [topics.find(({ name }) => name === pair.source), targets[at]?.topic];
    if (found === undefined || target === undefined) throw new Error(`no topic ${pair.source}`);
    const planned: PlannedPair = {
      source: found,
      target,
      sourceId: idOf(found.id),
      targetId: idOf(target.identity.id),
      group: request.group ?? progressGroup(pair.source, from.clusterId),
      origin: request.group === undefined ? undefined : sourceName(pair.source, from.clusterId),
      known: new Map(),
      epochs: new Map(),
      ahead: new Map(),
      creation: creations.get(pair),
      starts: starts.filter(({ topic }) => topic === pair.source),
      maxBatchBytes: limitOf(pair.target),
    };
    refuseSelf(planned, isOneCluster);
    if (planned.creation !== undefined) {
      const [missing, like] = [placeName(target.name, request.target.profile), placeName(found.name, request.profile)];
      request.notice(`topic "${missing}" does not exist: --create makes it like "${like}"`);
      return planned;
    }
    checkPartitions(found, target, request);
    // Before it reads any record, a copy in transactions ends the one that a killed process has left open, which may last
    // a minute, and a member of a group waits for it: both read again then.
    const isFinal = !request.isExactlyOnce && request.group === undefined;
    if (!request.restarts) await readKnown(source, planned, request, isFinal);
    if (planned.known.size === 0 && !request.appends && !request.restarts) {
      const refusal = await recordsIn(request, target);
      // Another process may have begun the same copy since.
      if (refusal !== undefined) await readKnown(source, planned, request, isFinal);
      if (refusal !== undefined && planned.known.size === 0) throw refusal;
    }
    if (request.hasStart && planned.starts.some(({ partition }) => planned.known.has(partition)))
      await refuseStart(planned, request);
    if (request.group === undefined)
      await warnOfCircle(source, planned, { request, clusterId: to?.clusterId ?? from.clusterId });
    const continuing = { ...planned, starts: continued(planned) };
    await checkRoom(continuing, request);
    if (request.filter !== undefined && hasCopiedAll(continuing)) request.notice(copiedAll(found.name, request));
    return continuing;
  });
  const open = planned.filter(({ creation }) => creation === undefined);
  await warnOfRetention(source, request, open);
  return planned;
}

/**
 * A copy that is followed goes on, however often its process is started. Another one would copy other records than those that
 * the line names.
 * @throws CliError unless other members of the group have stored the progress
 */
async function refuseStart({ source, target, group }: PlannedPair, request: CopyRequest): Promise<void> {
  if (request.range.end === undefined) {
    request.notice(
      `continuing the earlier copy of topic "${placeName(source.name, request.profile)}": -o does not apply`,
    );
    return;
  }
  const { client, profile } = request.target;
  if (request.group !== undefined && (await findGroups(client, [group])).some(hasMembers)) return;
  const [from, to] = [placeName(source.name, request.profile), placeName(target.name, profile)];
  const message = `unable to copy that range of topic "${from}" to "${to}": an earlier copy has stored how far it got`;
  throw new CliError(exitCodes.conflict, message, {
    code: 'PROGRESS_EXISTS',
    target: target.name,
    hints: [
      'continue the earlier copy: leave out -o, or give only its end',
      'copy the range apart from it: -g NAME --append (a new NAME)',
      ...(request.group === undefined ? ['or start over with the range: --restart'] : []),
    ],
  });
}

/** Warns if the source has records that were copied from the destination, which get back there. */
async function warnOfCircle(
  client: Client,
  { source, target, sourceId }: PlannedPair,
  { request, clusterId }: { readonly request: CopyRequest; readonly clusterId: string | undefined },
): Promise<void> {
  const items = source.partitions.map(({ partition }) => ({ topic: source.name, partition }));
  // Not everyone may read about groups there.
  const stored = await readStored(client, progressGroup(target.name, clusterId), items, false).catch(() => []);
  const isOfCopy = stored.some((one) => {
    const progress = decodeProgress(one);
    return progress !== undefined && isSameId(progress.targetId, sourceId);
  });
  if (!isOfCopy) return;
  const [from, to] = [placeName(source.name, request.profile), placeName(target.name, request.target.profile)];
  request.warn(
    `topic "${from}" has records that were copied from "${to}", and they are copied back: with two copies that follow each ` +
      'other, records go round without end',
  );
}

function idOf(id: string | undefined): string {
  return id === undefined || id === noUuid ? '' : id;
}

/** The group for the progress of copies of a topic; the topics of two clusters may have the same name. */
function progressGroup(topic: string, clusterId: string | undefined): string {
  return ['weir-copy', topic, ...(clusterId ? [clusterId] : [])].join('-');
}

/** Ids of clusters are not unique: that of a cluster may be configured, or copied with its disks. Those of topics are. */
function refuseSelf({ source, target, sourceId, targetId }: PlannedPair, isOneCluster: boolean): void {
  if (!isOneCluster || source.name !== target.name || !isSameId(sourceId, targetId)) return;
  throw usageError(`unable to copy topic "${source.name}": source and destination are the same topic`, {
    target: source.name,
  });
}

/** The destination as it is, or as it will be once it is created. */
async function openTarget(
  { target: { client, profile }, creates }: CopyRequest,
  { source, target }: TopicPair,
  topics: readonly TopicMetadata[],
): Promise<{ readonly topic: ProduceTopic; readonly isMissing: boolean }> {
  try {
    return { topic: await openProduceTopic(client, target, false), isMissing: false };
  } catch (error) {
    if (!(error instanceof CliError) || error.code !== 'UNKNOWN_TOPIC_OR_PARTITION') throw errorAt(profile, error);
    if (!creates) {
      const hints = ['create it like the source with: --create', ...error.hints];
      throw errorAt(profile, rephrased(error, error.message, { hints }));
    }
    const count = topics.find(({ name }) => name === source)?.partitions.length ?? 0;
    return { topic: unmadeTopic(target, count), isMissing: true };
  }
}

function unmadeTopic(name: string, partitions: number): ProduceTopic {
  const lanes = Array.from({ length: partitions }, (_, partition) => createLane(name, partition, -1));
  return {
    name,
    identity: { id: undefined, former: new Set() },
    lanes,
    sticky: createStickyPartitioner(),
    available: [],
    isLeaderless: true,
  };
}

/** Configs that name brokers of the source's cluster. */
const ownConfigs: ReadonlySet<string> = new Set([
  'leader.replication.throttled.replicas',
  'follower.replication.throttled.replicas',
]);

/** How to create missing destinations: with the partitions of their sources, and what was configured for those. */
async function creationsOf(
  source: Client,
  pairs: readonly TopicPair[],
  topics: readonly TopicMetadata[],
  isOneCluster: boolean,
): Promise<ReadonlyMap<TopicPair, CreateTopicsCall>> {
  if (pairs.length === 0) return new Map();
  const read = await createConfigReader(source)(pairs.map((pair) => pair.source));
  return new Map(
    pairs.map((pair) => {
      const { configs = [], error = null } = read.get(pair.source) ?? {};
      if (error !== null) throw configsError(pair, error);
      const found = topics.find(({ name }) => name === pair.source);
      const call: CreateTopicsCall = {
        topics: [pair.target],
        partitions: found?.partitions.length ?? 1,
        // Another cluster may have fewer brokers.
        replicas: isOneCluster ? (found?.partitions[0]?.replicas.length ?? -1) : -1,
        configs: configs.flatMap(({ key, value, source: from }) =>
          from === 'DYNAMIC_TOPIC_CONFIG' && value !== null && !ownConfigs.has(key) ? [[key, value] as const] : [],
        ),
        ifNotExists: true,
        dryRun: false,
      };
      return [pair, call];
    }),
  );
}

function configsError({ source }: TopicPair, { code, message, exit_code: exitCode, retryable }: ItemError): CliError {
  return new CliError(exitCode, `unable to read the configs of topic "${source}": ${message}`, {
    code,
    target: source,
    retryable,
    hints: ['create the destination before, and leave out --create'],
  });
}

/** Creates the destination if it is missing. */
export async function withTarget(source: Client, pair: PlannedPair, request: CopyRequest): Promise<PlannedPair> {
  const { creation } = pair;
  const { client } = request.target;
  if (creation === undefined) return pair;
  const [{ error } = { error: null }] = await createTopics(client, creation);
  if (error !== null) {
    const { code, message, exit_code: exitCode, retryable } = error;
    throw new CliError(
      exitCode,
      `unable to create topic "${pair.target.name}" like "${pair.source.name}": ${message}`,
      {
        code,
        target: pair.target.name,
        retryable,
        hints: ['create the destination with configs of its own, and leave out --create'],
      },
    );
  }
  const target = await openProduceTopic(client, pair.target.name, false);
  const made = { ...pair, target, targetId: idOf(target.identity.id) };
  await warnOfRetention(source, request, [made]);
  return made;
}

/** Every record needs a partition to go to. */
function checkPartitions({ name, partitions }: TopicMetadata, target: ProduceTopic, request: CopyRequest): void {
  if (request.isByKey) return;
  const [have, needed] = [target.lanes.length, Math.max(-1, ...partitions.map(({ partition }) => partition)) + 1];
  if (have >= needed) {
    if (have > partitions.length && request.partitions.length === 0)
      request.notice(morePartitions(name, target, request));
    return;
  }
  const { profile } = request.target;
  const place = placeName(target.name, profile);
  const message = `unable to copy topic "${name}" with its partitions: topic "${place}" has ${have}, not ${needed}`;
  throw new CliError(exitCodes.conflict, message, {
    code: 'TOO_FEW_PARTITIONS',
    target: target.name,
    hints: [
      'write each record to the partition of its key: --partitions-by key',
      hintAt(profile, commandText`or add partitions: weir topic add-partitions ${target.name} -n ${needed - have}`),
    ],
  });
}

function morePartitions(name: string, target: ProduceTopic, request: CopyRequest): string {
  const [to, from] = [placeName(target.name, request.target.profile), placeName(name, request.profile)];
  return (
    `topic "${to}" has more partitions than "${from}": clients will look for keys in other partitions ` +
    'than the copied ones (--partitions-by key moves them there)'
  );
}

/** Whether earlier copies have looked at everything that there is to copy. */
function hasCopiedAll({ known, starts }: PlannedPair): boolean {
  return known.size > 0 && starts.every(({ offset, end }) => end !== undefined && offset >= end);
}

function copiedAll(name: string, { profile }: CopyRequest): string {
  const from = placeName(name, profile);
  return `topic "${from}" has no new records since the last copy: add --restart to apply the conditions to all records`;
}

/** Finds partitions that the source has got since the plan, and adds them to the starts. */
export async function addedStarts(
  source: Client,
  pair: PlannedPair,
  request: CopyRequest,
): Promise<readonly PartitionStart[]> {
  await growTarget(pair, request);
  if (request.partitions.length > 0) return [];
  const { topics } = await source.metadata([pair.source.name]);
  const topic = topics.find(({ name, errorCode }) => name === pair.source.name && errorCode === 0);
  const planned = new Set(pair.starts.map(({ partition }) => partition));
  const added = topic?.partitions.filter(({ partition }) => !planned.has(partition)) ?? [];
  if (topic === undefined || added.length === 0 || !isSameId(pair.sourceId, idOf(topic.id))) return [];
  const { lanes, name } = pair.target;
  const placed = added.filter(({ partition }) => request.isByKey || partition < lanes.length);
  if (placed.length < added.length) request.warn(fewerPartitions(topic, name, lanes.length));
  const starts = await planStarts(source, {
    topics: [{ ...topic, partitions: placed }],
    range: { start: { at: 'start' }, end: undefined },
    readCommitted: true,
    warn: request.warn,
  });
  const all = [...pair.starts, ...starts];
  await checkRoom({ ...pair, starts: all }, request);
  pair.starts = all;
  return starts;
}

function fewerPartitions({ name, partitions }: TopicMetadata, target: string, lanes: number): string {
  return (
    `topic "${name}" has ${partitions.length} partitions now, and "${target}" ${lanes}: the others are copied once ` +
    `"${target}" has them as well`
  );
}

/** Takes up partitions that the destination has got since. @throws CliError if it was deleted and created again */
export async function growTarget({ source, target }: PlannedPair, { target: { client } }: CopyRequest): Promise<void> {
  const { topics } = await client.metadata([target.name]);
  const now = topics.find(({ name, errorCode }) => name === target.name && errorCode === 0);
  if (now === undefined) return;
  // Brokers that are asked by name would write to the new one.
  if (!isSameId(idOf(target.identity.id), idOf(now.id))) throw recreatedTarget(source.name, target.name);
  updateTopic(target, now);
}

/** Moves the starts to where an earlier copy stopped. */
function continued({ starts, known, epochs }: PlannedPair): readonly PartitionStart[] {
  return starts.map((start) => {
    const { partition } = start;
    return { ...start, offset: known.get(partition) ?? start.offset, epoch: epochs.get(partition) ?? -1 };
  });
}

/** Reads the progress again, after others were kept from moving it, and returns where to begin. */
export async function continuedStarts(
  source: Client,
  pair: PlannedPair,
  request: CopyRequest,
): Promise<readonly PartitionStart[]> {
  if (!request.restarts) await readKnown(source, pair, request);
  return continued(pair);
}

/** Reads up to which source offset each partition is copied. */
async function readKnown(from: Client, pair: PlannedPair, request: CopyRequest, isStable = true): Promise<void> {
  const { group, target, sourceId, targetId, known, epochs, ahead } = pair;
  const { client } = request.target;
  const { length } = target.lanes;
  const items = target.lanes.map(({ partition }) => ({ topic: target.name, partition }));
  known.clear();
  epochs.clear();
  ahead.clear();
  for (const stored of await readStored(client, group, items, isStable)) {
    const progress = decodeProgress(stored);
    if (progress === undefined) throw foreignOffsets(group, target.name);
    // Of a destination that was deleted since.
    if (!isSameId(progress.targetId, targetId)) continue;
    if ((progress.origin ?? pair.origin) !== pair.origin) throw otherSource(pair, progress.origin);
    if (!isSameId(progress.sourceId, sourceId)) throw formerSource(pair, request);
    for (const [partition, offset] of progress.offsets) {
      // What another partition stores about it is from before the destination had this one.
      if (carrierOf(partition, length) !== stored.partition && known.has(partition)) continue;
      known.set(partition, offset);
      const epoch = progress.epochs?.get(partition);
      if (epoch === undefined) epochs.delete(partition);
      else epochs.set(partition, epoch);
      const behind = progress.ahead?.get(partition);
      if (behind === undefined) ahead.delete(partition);
      else ahead.set(partition, behind);
    }
  }
  await goBack(from, pair, request);
}

/** Goes back to where the log of the source was cut by an unclean election since the progress was stored. */
async function goBack(client: Client, { source, known, epochs }: PlannedPair, { warn }: CopyRequest): Promise<void> {
  const places = [...epochs].map(([partition, epoch]) => ({ partition, offset: known.get(partition) ?? 0n, epoch }));
  for (const { partition, offset, epoch } of await rewindPlaces(client, source.name, places, warn)) {
    known.set(partition, offset);
    epochs.set(partition, epoch);
  }
}

function isSameId(stored: string, id: string): boolean {
  return stored === '' || id === '' || stored === id;
}

/** The error for a group with which something else is copied to the destination. */
function otherSource({ group, target, source }: PlannedPair, origin = ''): CliError {
  const name = origin.slice(origin.indexOf(':') + 1);
  const place = name === source.name ? ' of another cluster' : '';
  return occupiedGroup(group, `has the progress of a copy of topic "${name}"${place} to "${target.name}"`);
}

/** The error for progress of a topic that had the name of the source; --restart is for a copy without a group only. */
function formerSource({ group, target, source }: PlannedPair, request: CopyRequest): CliError {
  if (request.group === undefined) return recreatedSource(source.name, target.name);
  return occupiedGroup(group, `has the progress of a topic "${source.name}" that was deleted and created again`);
}

/** The error for a source that was deleted and created again. */
export function recreatedSource(source: string, target: string): CliError {
  const message = `unable to continue the copy of topic "${source}" to "${target}": "${source}" was deleted and created again`;
  return new CliError(exitCodes.conflict, message, {
    code: 'TOPIC_RECREATED',
    target: source,
    hints: ['copy the new topic from its beginning, after what was copied of the old one: --restart'],
  });
}

/** The error for a destination that was deleted and created again during the copy. */
export function recreatedTarget(source: string, target: string): CliError {
  const message = `unable to copy topic "${source}" to "${target}": "${target}" was deleted and created again, and what was copied before is gone`;
  return new CliError(exitCodes.conflict, message, {
    code: 'TOPIC_RECREATED',
    target,
    hints: [
      'repeat the command to copy everything to the new topic, with --append if it says that the topic is not empty',
    ],
  });
}

/** The error if the destination has records: a copy after which it has those of others, or some twice, must be asked for. */
async function recordsIn(
  { target: { client, profile } }: CopyRequest,
  { name, lanes }: ProduceTopic,
): Promise<CliError | undefined> {
  const [starts, ends] = await Promise.all(
    [offsetTimes.earliest, offsetTimes.latest].map((time) =>
      askOffsets(client, [{ name, partitions: lanes }], { time, isolation: 'uncommitted' }),
    ),
  );
  let records = 0n;
  for (const { partition } of lanes) {
    const [first, last] = [starts?.get(name)?.get(partition), ends?.get(name)?.get(partition)];
    const cause = first?.cause ?? last?.cause;
    if (cause !== undefined) throw cause;
    if (first !== undefined && last !== undefined) records += last.offset - first.offset;
  }
  if (records === 0n) return undefined;
  const message = `topic "${placeName(name, profile)}" is not empty (${grouped(Number(records), 'record')}), and no earlier copy has stored how far it got`;
  return new CliError(exitCodes.conflict, message, {
    code: 'DESTINATION_NOT_EMPTY',
    target: name,
    hints: [
      'add the copied records to those that are there: --append',
      'brokers keep the progress of a copy for 7 days after its last run (offsets.retention.minutes)',
    ],
  });
}

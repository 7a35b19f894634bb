import { CliError, exitCodes, type ItemError, itemErrorOf, usageError } from '../../../errors.ts';
import { findGroups, hasMembers } from '../../cluster/groups/group-states.ts';
import { readBatchLimits } from '../../cluster/topics/configs.ts';
import type { Client } from '../../protocol/client/client.ts';
import { forTopics } from '../../protocol/partitions/for-topics.ts';
import { existingTopics, planStarts, withPartitions } from '../../streams/consume/plan.ts';
import { progressOfAll, type RunProgress, repeatHint } from '../failures.ts';
import { readStored } from '../stored-offsets.ts';
import type { CopiedTopic } from './copy-rows.ts';
import { copyWording, errorAt, placeName } from './errors.ts';
import { planTranslation } from './group-offsets.ts';
import { idOf, isSameId, type PlannedPair } from './pair.ts';
import { openPairCopy } from './pair-copy.ts';
import type { Copying, CopyRequest } from './request.ts';
import { warnOfRetention } from './retention.ts';
import { checkRoom } from './room.ts';
import { continued, readCopied } from './starts.ts';
import { decodeProgress, sourceName } from './stored-progress.ts';
import { checkPartitions, creationsOf, likeSource, openTarget, refusalOfRecords } from './target.ts';

/** Checks both sides and finds out where to begin; reads no records before `run`. */
export async function copyTopics(client: Client, request: CopyRequest): Promise<Copying> {
  const pairs = await planPairs(client, request);
  const translation = request.groups.length === 0 ? undefined : await planTranslation(client, request, pairs);
  // Topics that are followed are copied at once, others one after the other.
  const atOnce = request.range.end === undefined ? pairs.length : 1;
  let copied = 0;
  let report = (_copied: number): void => undefined;
  const onCopied = (records: number): void => {
    copied += records;
    report(copied);
  };
  const copies = pairs.map((pair) => ({ pair, transfer: openPairCopy(client, { request, pair, atOnce, onCopied }) }));
  const copyOne = async ({ pair, transfer }: (typeof copies)[number]): Promise<CopiedTopic> => {
    let error: ItemError | null = null;
    try {
      await transfer.run();
    } catch (failure) {
      const isOfTopic = pairs.length > 1 && failure instanceof CliError && !client.options.deadline.signal.aborted;
      if (!isOfTopic) throw failure;
      error = rowErrorOf(failure, request, transfer.reached);
    }
    return { ...plannedRow(pair), ...transfer.reached.written, error };
  };
  const openEnded = <Result>(work: () => Promise<Result>): Promise<Result> =>
    client.options.deadline.openEnded(() => request.target.client.options.deadline.openEnded(work));
  return {
    planned: pairs.map(plannedRow),
    get again() {
      return repeatHint(copyWording(request), progressOfAll(copies.map(({ transfer }) => transfer.reached)));
    },
    run(onProgress) {
      report = onProgress;
      return openEnded(async () => {
        if (atOnce > 1) return await Promise.all(copies.map(copyOne));
        const rows: CopiedTopic[] = [];
        for (const copy of copies) rows.push(await copyOne(copy));
        return rows;
      });
    },
    translateOffsets: async (isDry) =>
      translation === undefined ? [] : await openEnded(() => translation.translate(isDry)),
    stop() {
      for (const { transfer } of copies) transfer.stop();
    },
    get pending() {
      return copies.reduce((sum, { transfer }) => sum + transfer.pending, 0);
    },
  };
}

/** The error of one of several topics; a row has no hints, so it says itself what is copied again. */
function rowErrorOf(failure: CliError, request: CopyRequest, reached: RunProgress): ItemError {
  const error = itemErrorOf(failure);
  if (reached.forgotten + reached.inDoubt === 0) return error;
  return { ...error, message: `${error.message}; ${repeatHint(copyWording(request), reached)}` };
}

function plannedRow({ source, target, starts }: PlannedPair): CopiedTopic {
  const offsets = starts.reduce((sum, { offset, end = offset }) => sum + (end > offset ? end - offset : 0n), 0n);
  return {
    topic: source.name,
    destination: target.name,
    partitions: source.partitions.length,
    records: Number(offsets),
    bytes: null,
    error: null,
  };
}

/** The ids of both clusters. */
interface Clusters {
  readonly source: string | undefined;
  readonly target: string | undefined;
}

/** Looks up both topics of every pair, and where the last copy stopped. @throws CliError if the copy must not begin */
async function planPairs(source: Client, request: CopyRequest): Promise<readonly PlannedPair[]> {
  const { client } = request.target;
  const { topics: pairs, partitions } = request;
  const clusters = await clustersOf(source, request);
  const names = pairs.map((pair) => pair.source);
  const [whole, topics] = await existingTopics(source, names, [])
    .then((found) => [found, withPartitions(found, partitions)] as const)
    .catch((error: unknown) => {
      throw errorAt(request.profile, error);
    });
  const targets = await forTopics(pairs, (pair) => openTarget(request, pair, whole));
  const missing = pairs.filter((_, at) => targets[at]?.isMissing);
  const creations = await creationsOf(source, missing, whole, client === source);
  const limitOf = await readBatchLimits(
    client,
    pairs.map((pair) => pair.target),
  );
  const starts = await planStarts(source, { topics, range: request.range, readCommitted: true, warn: request.warn });
  const planned = await forTopics(pairs, async (names, at) => {
    const [topic, target] = [topics.find(({ name }) => name === names.source), targets[at]?.topic];
    if (topic === undefined || target === undefined) throw new Error(`no topic ${names.source}`);
    const pair: PlannedPair = {
      source: topic,
      target,
      sourceId: idOf(topic.id),
      targetId: idOf(target.identity.id),
      group: request.group ?? progressGroup(names.source, clusters.source),
      origin: request.group === undefined ? undefined : sourceName(names.source, clusters.source),
      copied: new Map(),
      creation: creations.get(names),
      starts: starts.filter((start) => start.topic === names.source),
      maxBatchBytes: limitOf(names.target),
    };
    return await planPair(source, pair, { request, clusters });
  });
  const existing = planned.filter(({ creation }) => creation === undefined);
  await warnOfRetention(source, request, existing);
  return planned;
}

async function clustersOf(source: Client, { target: { client } }: CopyRequest): Promise<Clusters> {
  const [from, to] = await Promise.all([source.metadata([]), client === source ? undefined : client.metadata([])]);
  return { source: from.clusterId, target: (to ?? from).clusterId };
}

interface PairContext {
  readonly request: CopyRequest;
  readonly clusters: Clusters;
}

/** Finds out where one copy begins, and whether it may. */
async function planPair(source: Client, pair: PlannedPair, context: PairContext): Promise<PlannedPair> {
  const { request, clusters } = context;
  refuseSelf(pair, request.target.client === source || clusters.source === clusters.target);
  if (pair.creation !== undefined) {
    if (request.isDry) request.notice(`would create ${likeSource(pair, request)}`);
    return pair;
  }
  checkPartitions(pair.source, pair.target, request);
  await readProgress(source, pair, request);
  if (request.hasStart && pair.starts.some(({ partition }) => pair.copied.has(partition))) {
    await refuseStart(pair, request);
  }
  if (request.group === undefined) await warnOfCircle(source, pair, context);
  const continuing = { ...pair, starts: continued(pair) };
  await checkRoom(continuing, request);
  if (request.filter !== undefined && hasCopiedAll(continuing)) {
    request.notice(
      `topic "${placeName(pair.source.name, request.profile)}" has no new records since the last copy: ` +
        'add --restart to apply the conditions to all records',
    );
  }
  return continuing;
}

/** Reads how far earlier copies got. @throws CliError if nothing says so, and the destination has records */
async function readProgress(source: Client, pair: PlannedPair, request: CopyRequest): Promise<void> {
  if (request.restarts) return;
  // Before it reads any record, a copy in transactions ends the one that a killed process has left open, which may last
  // a minute, and a member of a group waits for it: both read again then.
  const isFinal = !request.isExactlyOnce && request.group === undefined;
  await readCopied(source, pair, request, isFinal);
  if (pair.copied.size > 0 || request.appends) return;
  const refusal = await refusalOfRecords(request, pair.target);
  if (refusal === undefined) return;
  // Another process may have begun the same copy since.
  await readCopied(source, pair, request, isFinal);
  if (pair.copied.size === 0) throw refusal;
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
  { request, clusters }: PairContext,
): Promise<void> {
  const items = source.partitions.map(({ partition }) => ({ topic: source.name, partition }));
  // Not everyone may read about groups there.
  const stored = await readStored(client, progressGroup(target.name, clusters.target), items, false).catch(() => []);
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

/** Whether earlier copies have looked at everything that there is to copy. */
function hasCopiedAll({ copied, starts }: PlannedPair): boolean {
  return copied.size > 0 && starts.every(({ offset, end }) => end !== undefined && offset >= end);
}

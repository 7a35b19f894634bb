import type { CliError } from '../../../errors.ts';
import type { Client, TopicMetadata } from '../../protocol/client/client.ts';
import { planStarts } from '../../streams/consume/plan.ts';
import type { PartitionStart } from '../../streams/consume/position.ts';
import { rewindPlaces } from '../../streams/consume/truncation.ts';
import { foreignOffsets, occupiedGroup, readStored } from '../stored-offsets.ts';
import { recreatedSource } from './errors.ts';
import { idOf, isSameId, type PlannedPair } from './pair.ts';
import type { CopyRequest } from './request.ts';
import { checkRoom } from './room.ts';
import { carrierOf, decodeProgress, type Progress } from './stored-progress.ts';
import { growTarget } from './target.ts';

/** Reads how far earlier copies got. */
export async function readCopied(
  source: Client,
  pair: PlannedPair,
  request: CopyRequest,
  isStable = true,
): Promise<void> {
  const { group, target, copied } = pair;
  const items = target.lanes.map(({ partition }) => ({ topic: target.name, partition }));
  copied.clear();
  for (const stored of await readStored(request.target.client, group, items, isStable)) {
    const progress = decodeProgress(stored);
    if (progress === undefined) throw foreignOffsets(group, target.name);
    // Of a destination that was deleted since.
    if (!isSameId(progress.targetId, pair.targetId)) continue;
    checkOrigin(pair, progress, request);
    for (const [partition, one] of progress.partitions) {
      // What another partition stores about it is from before the destination had this one.
      const isFormer = carrierOf(partition, target.lanes.length) !== stored.partition;
      if (!isFormer || !copied.has(partition)) copied.set(partition, one);
    }
  }
  await rewindCopied(source, pair, request);
}

/** @throws CliError for the progress of another topic than the source */
function checkOrigin(pair: PlannedPair, { origin = pair.origin, sourceId }: Progress, request: CopyRequest): void {
  if (origin !== pair.origin) throw otherSource(pair, origin);
  if (!isSameId(sourceId, pair.sourceId)) throw formerSource(pair, request);
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

/** Goes back to where the log of the source was cut by an unclean election since the progress was stored. */
async function rewindCopied(client: Client, { source, copied }: PlannedPair, { warn }: CopyRequest): Promise<void> {
  const withEpoch = [...copied].filter(([, { epoch }]) => epoch >= 0);
  const stored = withEpoch.map(([partition, { offset, epoch }]) => ({ partition, offset, epoch }));
  for (const { partition, offset, epoch } of await rewindPlaces(client, source.name, stored, warn)) {
    copied.set(partition, { offset, epoch, ahead: copied.get(partition)?.ahead });
  }
}

/** Moves the starts to where an earlier copy stopped. */
export function continued({ starts, copied }: PlannedPair): readonly PartitionStart[] {
  return starts.map((start) => {
    const { offset = start.offset, epoch = -1 } = copied.get(start.partition) ?? {};
    return { ...start, offset, epoch };
  });
}

/** Reads the progress again, after others were kept from moving it, and returns where to begin. */
export async function continuedStarts(
  source: Client,
  pair: PlannedPair,
  request: CopyRequest,
): Promise<readonly PartitionStart[]> {
  if (!request.restarts) await readCopied(source, pair, request);
  return continued(pair);
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

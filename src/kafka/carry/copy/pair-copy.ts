import { grouped } from '../../../format/count.ts';
import type { Client } from '../../protocol/client/client.ts';
import type { RecordCursor } from '../../records/batches/cursor.ts';
import { partitionOfKey } from '../../records/batches/partitioner.ts';
import { seemsFramed } from '../../records/filter/framed.ts';
import { printedEpoch } from '../../streams/consume/epochs.ts';
import type { PartitionStart } from '../../streams/consume/position.ts';
import { copyMembers, type GroupMembership } from '../../streams/groups/member.ts';
import { createMembership } from '../../streams/groups/membership.ts';
import { isOwnedBy, type TopicPartitions } from '../../streams/groups/subscription.ts';
import { requestIdentity } from '../../streams/produce/identity.ts';
import { openTransfer, type RunningTransfer } from '../loop.ts';
import { openSifting, type Sifting } from '../record-filter.ts';
import { occupiedGroup, type StoredOffset } from '../stored-offsets.ts';
import { openTransactions, type Transactions } from '../transactions.ts';
import type { SourcePart, Transfer, TransferProgress, TransferRecords, TransferSource } from '../transfer.ts';
import type { Destination, OpenBatch } from '../writing.ts';
import { aheadOf, hasWritten } from './ahead.ts';
import { copyFailure, recreatedSource, recreatedTarget } from './errors.ts';
import type { PlannedPair } from './pair.ts';
import type { CopyRequest } from './request.ts';
import { createRenamer, type Renamer, type SchemaField } from './schemas.ts';
import { addedStarts, continuedStarts } from './starts.ts';
import { carrierOf, encodeProgress } from './stored-progress.ts';
import { growTarget, withTarget } from './target.ts';

/** The timings of a member of a group, in milliseconds: others take over from one that was killed after the first. */
const timings = { sessionTimeoutMs: 15_000, rebalanceTimeoutMs: 60_000, heartbeatMs: 3_000 };

/** The parts of the copy of one topic. */
export interface PairOptions {
  readonly request: CopyRequest;
  readonly pair: PlannedPair;
  /** The number of topics that are copied at the same time. */
  readonly atOnce: number;
  /** Called with the number of records of each acknowledged batch. */
  onCopied(records: number): void;
}

/** The copy of one topic under way. */
interface PairCopy extends PairOptions {
  readonly client: Client;
  readonly transactions: Transactions | undefined;
  readonly filter: Sifting | undefined;
  readonly renamer: Renamer | undefined;
  /** The number of partitions over which keys are spread: those of the destination when the copy began. */
  readonly spread: number;
}

/** Opens the copy of one topic, without a request. */
export function openPairCopy(client: Client, options: PairOptions): RunningTransfer {
  return openTransfer(client, () => prepare(client, options));
}

async function prepare(client: Client, options: PairOptions): Promise<Transfer> {
  const { request } = options;
  const pair = await withTarget(client, options.pair, request);
  const { source, target } = pair;
  const { schemas } = request;
  const copy: PairCopy = {
    ...options,
    pair,
    client,
    // Before the progress is read: from then on no other process moves it.
    transactions: request.isExactlyOnce ? await openProducer(client, request, pair) : undefined,
    filter: openSifting(request.filter),
    renamer: schemas && createRenamer(schemas, { source: source.name, target: target.name }),
    spread: target.lanes.length,
  };
  return {
    source: sourceOf(copy),
    records: recordsOf(copy),
    destination: await destinationOf(copy),
    progress: progressOf(copy),
    warn: request.warn,
    failure: (error, done) => copyFailure(error, { target, request }, done),
    onEnd: () => reportNameless(copy),
  };
}

/** Members of a group have producers of their own; otherwise the last process that copies the topic is the only one. */
function openProducer(client: Client, { target, group }: CopyRequest, pair: PlannedPair): Promise<Transactions> {
  // A topic may be copied to several ones.
  if (group === undefined) return openTransactions(target.client, `${pair.group}-${pair.target.name}`, 'alone');
  const suffix = Math.floor(client.options.deadline.clock.random() * 2 ** 48).toString(36);
  return openTransactions(target.client, `${group}-${suffix}`, 'inGroup');
}

function sourceOf(copy: PairCopy): TransferSource {
  const { client, request, pair, atOnce } = copy;
  const warned = new Set<string>();
  const warnOnce = (line: string): void => {
    if (!warned.has(line)) request.warn(line);
    warned.add(line);
  };
  return {
    topic: pair.source.name,
    atOnce,
    fetchMaxWaitMs: request.fetchMaxWaitMs,
    isEndless: request.range.end === undefined,
    starts: (share) => startsOf(copy, share),
    discover: () => addedStarts(client, pair, { ...request, warn: warnOnce }),
    recreated: () => recreatedSource(pair.source.name, pair.target.name),
  };
}

async function startsOf(
  { client, pair, request, transactions }: PairCopy,
  share: readonly TopicPartitions[] | undefined,
): Promise<readonly PartitionStart[]> {
  if (share === undefined) {
    return transactions === undefined ? pair.starts : await continuedStarts(client, pair, request);
  }
  // All members must find the progress of a partition in the same place.
  await growTarget(pair, request);
  const starts = await continuedStarts(client, pair, request);
  const { name: topic, lanes } = pair.target;
  const isShared = isOwnedBy(share);
  return starts.filter(({ partition }) => isShared({ topic, partition: carrierOf(partition, lanes.length) }));
}

function recordsOf(copy: PairCopy): TransferRecords {
  const { request, pair, filter, renamer, spread } = copy;
  const { onForeignIds } = request;
  return {
    onFirst: onForeignIds && ((cursor) => lookForIds(cursor, (fields) => onForeignIds(pair.source.name, fields))),
    wants: request.isByKey ? (cursor) => !isWritten(copy, cursor) && (filter?.wants(cursor) ?? true) : filter?.wants,
    partitionOf: request.isByKey ? (cursor, partition) => partitionByKey(cursor, partition, spread) : undefined,
    revise: renamer?.revise,
    resolves: async (error) => (await filter?.resolves(error)) || ((await renamer?.resolves(error)) ?? false),
    onPortion() {
      filter?.report();
      return undefined;
    },
  };
}

function lookForIds(cursor: RecordCursor, onFound: (fields: readonly SchemaField[]) => void): void {
  const fields = (['key', 'value'] as const).filter((field) => seemsFramed(cursor, field));
  if (fields.length > 0) onFound(fields);
}

/** Whether the destination has the record, which is behind others that it does not have. */
function isWritten({ pair, spread }: PairCopy, cursor: RecordCursor): boolean {
  const { partition } = cursor.origin;
  const ahead = pair.copied.get(partition)?.ahead;
  return ahead?.lanes === spread && hasWritten(ahead, cursor, partitionByKey(cursor, partition, spread));
}

/** The partition that clients choose for a key; records without one stay where they are, as far as that is possible. */
function partitionByKey({ bytes, keyStart, keyLength }: RecordCursor, partition: number, partitions: number): number {
  return keyLength < 0 ? partition % partitions : partitionOfKey(bytes, keyStart, keyLength, partitions);
}

async function destinationOf({ request, pair, transactions, onCopied }: PairCopy): Promise<Destination> {
  const { target, source, maxBatchBytes } = pair;
  const { client } = request.target;
  return {
    client,
    topics: new Map([[target.name, target]]),
    maxBatchBytes,
    identity: transactions?.identity ?? (await requestIdentity(client)),
    transactions,
    isDry: false,
    laneOf(partition) {
      const lane = target.lanes[partition];
      if (lane === undefined) throw new Error(`no partition ${partition}`);
      return lane;
    },
    onWritten: onCopied,
    recreated: () => recreatedTarget(source.name, target.name),
  };
}

function progressOf(copy: PairCopy): TransferProgress {
  const { client, request, pair, transactions } = copy;
  const { group } = request;
  return {
    group: pair.group,
    openMembership: group === undefined ? undefined : (onChange) => joinGroup(copy, group, onChange),
    async isOver() {
      await continuedStarts(client, pair, request);
      return pair.starts.every(
        ({ partition, offset, end = offset }) => (pair.copied.get(partition)?.offset ?? offset) >= end,
      );
    },
    offsets: (parts) => storedOffsets(pair, parts),
    lastOffsets:
      request.isByKey && transactions === undefined ? (parts, open) => lastOffsets(copy, parts, open) : undefined,
  };
}

function joinGroup({ request, pair }: PairCopy, group: string, onChange: () => void): GroupMembership {
  const { name } = pair.target;
  return createMembership(request.target.client, {
    group,
    instanceId: undefined,
    balancers: ['sticky'],
    kind: {
      type: copyMembers,
      purpose: `${pair.origin}>${name}`,
      occupied: () => occupiedGroup(group, 'has other programs as members, or copies of other topics'),
    },
    ...timings,
    topics: () => [name],
    onChange,
  });
}

/** What to store of partitions that got further. */
function storedOffsets(pair: PlannedPair, parts: readonly SourcePart[]): readonly StoredOffset[] {
  const { copied, target } = pair;
  for (const { position, trail } of parts) {
    const { partition } = position;
    const { reached: offset } = trail;
    const ahead = copied.get(partition)?.ahead;
    copied.set(partition, {
      offset,
      epoch: printedEpoch({ ...position, printed: offset }),
      ahead: ahead !== undefined && ahead.upTo > offset ? ahead : undefined,
    });
  }
  // A partition of the destination may store the progress of others, which are stored again.
  const carriers = new Set(parts.map(({ position }) => carrierOf(position.partition, target.lanes.length)));
  const offsets = encodeProgress(target.name, { ...pair, partitions: copied }, target.lanes.length);
  return offsets.filter(({ partition }) => carriers.has(partition));
}

/** What to store after a failure: with it what the partitions of the destination have besides. */
function lastOffsets(
  { pair, spread }: PairCopy,
  parts: readonly SourcePart[],
  batches: Iterable<OpenBatch>,
): readonly StoredOffset[] {
  const open = [...batches];
  for (const part of parts) {
    const { partition } = part.position;
    const { ahead: before, ...copied } = pair.copied.get(partition) ?? { offset: 0n, epoch: -1 };
    pair.copied.set(partition, { ...copied, ahead: aheadOf(part, spread, { open, before }) });
  }
  return storedOffsets(pair, parts);
}

function reportNameless({ renamer, request, pair }: PairCopy): void {
  const fields = renamer?.nameless ?? 0;
  if (fields === 0) return;
  const what = fields === 1 ? '1 key or value' : `${grouped(fields)} keys and values`;
  const were = fields === 1 ? 'was' : 'were';
  request.notice(`${what} of topic "${pair.source.name}" named no schema and ${were} copied unchanged`);
}

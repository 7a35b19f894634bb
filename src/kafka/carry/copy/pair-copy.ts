import { grouped } from '../../../format/count.ts';
import type { Client } from '../../protocol/client/client.ts';
import type { RecordCursor } from '../../records/batches/cursor.ts';
import { partitionOfKey } from '../../records/batches/partitioner.ts';
import { printedEpoch } from '../../streams/consume/epochs.ts';
import type { PartitionStart } from '../../streams/consume/position.ts';
import { copyMembers } from '../../streams/groups/member.ts';
import { createMembership } from '../../streams/groups/membership.ts';
import { isOwnedBy, type TopicPartitions } from '../../streams/groups/subscription.ts';
import { requestIdentity } from '../../streams/produce/identity.ts';
import { createPorter } from '../portions.ts';
import { openSifting } from '../record-filter.ts';
import { openTransactions, type Transactions } from '../transactions.ts';
import { type Carrying, openCarrying, type Part, type Route } from '../transfer.ts';
import { aheadOf, hasWritten } from './ahead.ts';
import { copyFailure, reachedNothing } from './failures.ts';
import {
  addedStarts,
  continuedStarts,
  growTarget,
  type PlannedPair,
  recreatedSource,
  recreatedTarget,
  withTarget,
} from './plan.ts';
import type { CopyRequest } from './request.ts';
import { createRenamer, type Renamer } from './schemas.ts';
import { carrierOf, encodeProgress, occupiedGroup, type StoredOffset } from './stored-progress.ts';

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

/** Opens the copy of one topic, without a request. */
export function openPairCopy(client: Client, options: PairOptions): Carrying {
  const state: { carrying: Carrying | undefined; isStopped: boolean } = { carrying: undefined, isStopped: false };
  return {
    async run() {
      const pair = await withTarget(client, options.pair, options.request);
      const { schemas, notice } = options.request;
      const renamer = schemas && createRenamer(schemas, { source: pair.source.name, target: pair.target.name });
      state.carrying = openCarrying(client, await openRoute(client, { ...options, pair }, renamer));
      if (state.isStopped) state.carrying.stop();
      await state.carrying.run();
      if (renamer !== undefined && renamer.nameless > 0) notice(namelessNotice(renamer.nameless, pair));
    },
    stop() {
      state.isStopped = true;
      state.carrying?.stop();
    },
    get reached() {
      return state.carrying?.reached ?? reachedNothing;
    },
    get pending() {
      return state.carrying?.pending ?? 0;
    },
  };
}

function namelessNotice(fields: number, { source }: PlannedPair): string {
  const what = fields === 1 ? '1 key or value' : `${grouped(fields)} keys and values`;
  return `${what} of topic "${source.name}" named no schema and ${fields === 1 ? 'was' : 'were'} copied unchanged`;
}

async function openRoute(client: Client, options: PairOptions, renamer: Renamer | undefined): Promise<Route> {
  const { request, pair, atOnce } = options;
  const { target, source, maxBatchBytes } = pair;
  const { client: destination } = request.target;
  const { lanes, name } = target;
  // Before the progress is read: from then on no other process moves it.
  const transactions = request.isExactlyOnce ? await openProducer(client, options) : undefined;
  const sifter = openSifting(request.filter);
  const spread = lanes.length;
  const laneOfKey = byKey(spread);
  /** Whether the destination has the record, which is behind others that it does not have. */
  const isWritten = (cursor: RecordCursor): boolean => {
    const { partition } = cursor.origin;
    const ahead = pair.ahead.size === 0 ? undefined : pair.ahead.get(partition);
    return ahead?.lanes === spread && hasWritten(ahead, cursor, laneOfKey(cursor, partition));
  };
  const told = new Set<string>();
  const warnOnce = (line: string): void => {
    if (!told.has(line)) request.warn(line);
    told.add(line);
  };
  const progressOf = (parts: readonly Part[]): readonly StoredOffset[] => {
    for (const { position, trail } of parts) {
      pair.known.set(position.partition, trail.reached);
      if ((pair.ahead.get(position.partition)?.upTo ?? 0n) <= trail.reached) pair.ahead.delete(position.partition);
      const epoch = printedEpoch({ ...position, printed: trail.reached });
      if (epoch < 0) pair.epochs.delete(position.partition);
      else pair.epochs.set(position.partition, epoch);
    }
    const carriers = new Set(parts.map(({ position }) => carrierOf(position.partition, lanes.length)));
    const offsets = encodeProgress(name, { ...pair, offsets: pair.known }, lanes.length);
    return offsets.filter(({ partition }) => carriers.has(partition));
  };
  return {
    source: source.name,
    target: destination,
    topics: new Map([[name, target]]),
    atOnce,
    fetchMaxWaitMs: request.fetchMaxWaitMs,
    isEndless: request.range.end === undefined,
    maxBatchBytes,
    identity: transactions?.identity ?? (await requestIdentity(destination)),
    transactions,
    group: pair.group,
    openMembership(onChange) {
      const { group } = request;
      if (group === undefined) return undefined;
      return createMembership(destination, {
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
    },
    openPorter: (pool) =>
      createPorter({
        pool,
        maxBatchBytes,
        isTransactional: transactions !== undefined,
        partitionOf: request.isByKey ? laneOfKey : undefined,
        wants: request.isByKey ? (cursor) => !isWritten(cursor) && (sifter?.wants(cursor) ?? true) : sifter?.wants,
        revise: renamer?.revise,
      }),
    laneOf(partition) {
      const lane = lanes[partition];
      if (lane === undefined) throw new Error(`no partition ${partition}`);
      return lane;
    },
    discover: () => addedStarts(client, pair, { ...request, warn: warnOnce }),
    starts: (share) => startsOf(client, options, { share, isExactlyOnce: transactions !== undefined }),
    onPortion({ trail }, { upTo, parcels }) {
      sifter?.report();
      return trail.add(upTo, parcels.length);
    },
    resolves: async (error) => (await sifter?.resolves(error)) || ((await renamer?.resolves(error)) ?? false),
    progressOf,
    lastProgress:
      request.isByKey && transactions === undefined
        ? (parts, open) => {
            const batches = [...open];
            for (const part of parts) {
              const { partition } = part.position;
              const ahead = aheadOf(part, spread, { open: batches, before: pair.ahead.get(partition) });
              if (ahead === undefined) pair.ahead.delete(partition);
              else pair.ahead.set(partition, ahead);
            }
            return progressOf(parts);
          }
        : undefined,
    async isOver() {
      await continuedStarts(client, pair, request);
      return pair.starts.every(({ partition, offset, end = offset }) => (pair.known.get(partition) ?? offset) >= end);
    },
    recreatedSource: () => recreatedSource(source.name, name),
    recreatedTarget: () => recreatedTarget(source.name, name),
    failure: (error, done) => copyFailure(error, { target, request }, done),
    warn: request.warn,
    onCarried: options.onCopied,
  };
}

interface Sharing {
  readonly share: readonly TopicPartitions[] | undefined;
  readonly isExactlyOnce: boolean;
}

async function startsOf(
  client: Client,
  { pair, request }: PairOptions,
  { share, isExactlyOnce }: Sharing,
): Promise<readonly PartitionStart[]> {
  const { name: topic, lanes } = pair.target;
  // All members must find the progress of a partition in the same place.
  if (share !== undefined) await growTarget(pair, request);
  const starts = share === undefined && !isExactlyOnce ? pair.starts : await continuedStarts(client, pair, request);
  if (share === undefined) return starts;
  const isOwn = isOwnedBy(share);
  return starts.filter(({ partition }) => isOwn({ topic, partition: carrierOf(partition, lanes.length) }));
}

/** Members of a group have producers of their own; otherwise the last process that copies the topic is the only one. */
function openProducer(client: Client, { request, pair }: PairOptions): Promise<Transactions> {
  const { target, group } = request;
  // A topic may be copied to several ones.
  if (group === undefined) return openTransactions(target.client, `${pair.group}-${pair.target.name}`, 'alone');
  const suffix = Math.floor(client.options.deadline.clock.random() * 2 ** 48).toString(36);
  return openTransactions(target.client, `${group}-${suffix}`, 'inGroup');
}

/** The partition that clients choose for a key; records without one stay where they are, as far as that is possible. */
function byKey(partitions: number): (cursor: RecordCursor, partition: number) => number {
  return ({ bytes, keyStart, keyLength }, partition) =>
    keyLength < 0 ? partition % partitions : partitionOfKey(bytes, keyStart, keyLength, partitions);
}

import { CliError, unreachableError } from '../../../errors.ts';
import { partitionName } from '../../../format/partition-name.ts';
import { backoffMs } from '../../../net/retry.ts';
import type { Client } from '../../protocol/client/client.ts';
import { groupByTopic } from '../../protocol/partitions/by-topic.ts';
import { askOffsets } from '../../protocol/partitions/offsets.ts';
import { isolationLevels, listOffsets, offsetTimes } from '../../protocol/wire/apis/list-offsets.ts';
import { noUuid } from '../../protocol/wire/primitives.ts';
import { type FailedPosition, hasRecords } from './answer.ts';
import { fetchBy, isolationOf, requestedTopics } from './fetch-request.ts';
import { compareTopic, type PartitionPosition } from './position.ts';

/** The options of a check whether positions are at their end. */
export interface EndCheck {
  readonly maxBytes: number;
  readonly maxPartitionBytes: number;
  readonly readCommitted: boolean;
  warn(line: string): void;
  /** Ends the pauses between requests. */
  readonly signal: AbortSignal;
}

/** The results for positions that may be at their end. */
export interface CheckedEnds {
  /** Positions with no records left before their end. */
  readonly ended: readonly PartitionPosition[];
  /** Positions to continue reading. */
  readonly open: readonly PartitionPosition[];
  /** Positions whose leader could not be asked, or sends none of the records it has. */
  readonly failed: readonly FailedPosition[];
}

/** How many empty answers in a row confirm an end if the broker cannot report which offsets are on its own disks. */
const enough = 3;

/**
 * Decides whether ranges are finished although their last offsets seem to hold no records. An empty answer alone does
 * not prove that, even if the log extends beyond the end: the leader may have redirected reads to another replica
 * (KIP-392), other partitions may have used up the size of the answer, a quota may apply, or the records may be in
 * remote storage, which is slow (KIP-405).
 *
 * So the leader is asked again: without a rack, outside the fetch session, and about these partitions only. From its
 * own disks, a broker always sends the next batch, however far it is from the requested offset and however small the
 * limits. A partition is at its end if that answer is not throttled, holds no records at all and has no error for the
 * partition, the readable log (up to the last stable offset, for a committed read) reaches the end of the range,
 * **and** the offset is on the leader's own disks (ListOffsets with the earliest local time, from version 8). If a
 * broker does not support that version, three such answers in a row suffice, with the pauses of the retry rule between
 * them.
 *
 * A range whose end no longer exists, because an unclean election has truncated the log, is finished as well, with a
 * warning.
 *
 * @returns all positions; a position without records for the whole retry timeout has failed
 */
export async function confirmEnds(
  client: Client,
  positions: readonly PartitionPosition[],
  check: EndCheck,
): Promise<CheckedEnds> {
  const { now } = client.options.deadline.clock;
  for (const position of positions) position.silentSince ??= now();
  const groups = [...Map.groupBy(positions, ({ leader }) => leader)];
  const checked = await Promise.all(groups.map(([leader, items]) => confirmAt({ client, leader, check }, items)));
  const open = checked.flatMap((result) => result.open);
  const { retryMs } = client.options.deadline.limits;
  const isQuiet = ({ silentSince }: PartitionPosition): boolean =>
    silentSince !== undefined && now() - silentSince >= retryMs;
  return {
    ended: checked.flatMap((result) => result.ended),
    open: open.filter((position) => !isQuiet(position)),
    failed: [
      ...checked.flatMap((result) => result.failed),
      ...open.filter(isQuiet).map((position) => ({ position, error: quietError(position) })),
    ],
  };
}

interface Confirming {
  readonly client: Client;
  readonly leader: number;
  readonly check: EndCheck;
}

async function confirmAt(work: Confirming, positions: readonly PartitionPosition[]): Promise<CheckedEnds> {
  const { client, leader, check } = work;
  if (leader < 0) return { ended: [], open: positions, failed: [] };
  let silent = positions;
  const open: PartitionPosition[] = [];
  const ended: PartitionPosition[] = [];
  try {
    for (let answers = 1; ; answers += 1) {
      const { silent: still, short } = await askAlone(work, silent);
      const cut = await cutPositions(work, short);
      open.push(...silent.filter((position) => !still.has(position) && !cut.has(position)));
      ended.push(...cut);
      silent = [...still];
      if (silent.length === 0) return { ended, open, failed: [] };
      const local = answers === 1 ? await localStarts(work, silent) : undefined;
      if (local !== undefined) {
        const byPlace = Map.groupBy(silent, (position) => isWithin(local.get(position), position.offset));
        ended.push(...(byPlace.get(true) ?? []));
        open.push(...(byPlace.get(false) ?? []));
        return { ended, open, failed: [] };
      }
      if (answers >= enough) return { ended: [...ended, ...silent], open, failed: [] };
      const { clock } = client.options.deadline;
      await clock.sleep(backoffMs(answers, clock.random), check.signal);
    }
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    return { ended, open, failed: silent.map((position) => ({ position, error })) };
  }
}

function isWithin(start: bigint | undefined, offset: bigint): boolean {
  return start !== undefined && start >= 0n && start <= offset;
}

/** Positions for which a separate answer holds no records. */
interface Silence {
  /** The readable log reaches their end. */
  readonly silent: ReadonlySet<PartitionPosition>;
  /** The readable log does not reach their end, and they are at the end of the log. */
  readonly short: readonly PartitionPosition[];
}

async function askAlone(
  { client, leader, check }: Confirming,
  positions: readonly PartitionPosition[],
): Promise<Silence> {
  const { maxBytes, maxPartitionBytes, readCommitted } = check;
  const topics = requestedTopics(positions, maxPartitionBytes);
  const request = { maxWaitMs: 0, minBytes: 0, maxBytes, isolationLevel: isolationOf(readCommitted), topics };
  const api = fetchBy(positions.every(({ topicId }) => topicId !== undefined));
  const { errorCode, throttleTimeMs, responses } = await client.requestOnce(api, request, { node: leader });
  const rows = responses.flatMap(({ topic, topicId, partitions }) => {
    const name = topicId === noUuid ? topic : topicId;
    return partitions.map((row) => [`${name}/${row.partitionIndex}`, row] as const);
  });
  if (errorCode !== 0 || throttleTimeMs > 0 || rows.some(([, row]) => hasRecords(row)))
    return { silent: new Set(), short: [] };
  const byPartition = new Map(rows);
  const silent = new Set<PartitionPosition>();
  const short: PartitionPosition[] = [];
  for (const position of positions) {
    const { topic, topicId = topic, partition } = position;
    const row = byPartition.get(`${topicId}/${partition}`) ?? byPartition.get(`${topic}/${partition}`);
    if (row === undefined || row.errorCode !== 0 || row.preferredReadReplica >= 0) continue;
    const readable = readCommitted ? row.lastStableOffset : row.highWatermark;
    if (position.end !== undefined && readable >= position.end) silent.add(position);
    else if (position.offset >= readable) short.push(position);
  }
  return { silent, short };
}

/**
 * Finds the positions whose end no longer exists. Every range ends within the log as it was, so a leader with a shorter
 * log was elected without the rest. A Fetch does not show that, because the high watermark of a new leader lags at
 * first; ListOffsets answers only after that.
 */
async function cutPositions(
  { client, check }: Confirming,
  positions: readonly PartitionPosition[],
): Promise<ReadonlySet<PartitionPosition>> {
  if (positions.length === 0) return new Set();
  const metadata = await client.metadata([...new Set(positions.map(({ topic }) => topic))]);
  const isAsked = new Set(positions.map(partitionName));
  const topics = metadata.topics.map((topic) => ({
    ...topic,
    partitions: topic.partitions.filter(({ partition }) => isAsked.has(`${topic.name}/${partition}`)),
  }));
  const isolation = check.readCommitted ? 'committed' : 'uncommitted';
  const ends = await askOffsets(client, topics, { time: offsetTimes.latest, isolation });
  const idOf = new Map(topics.map(({ name, id }) => [name, id]));
  const cut = positions.filter((position) => {
    const { topic, partition, offset } = position;
    if (compareTopic(position, idOf.get(topic)) !== 'same') return false;
    const answer = ends.get(topic)?.get(partition);
    return answer !== undefined && answer.error === undefined && answer.offset <= offset;
  });
  for (const { topic, partition, offset, end } of cut) {
    check.warn(`topic "${topic}" partition ${partition}: log truncated to ${offset}, offsets before ${end} are lost`);
  }
  return new Set(cut);
}

const localOffsets = { ...listOffsets, min: 8 };

/** Reads the first offset of each partition on the leader's own disks; undefined if the broker does not support it. */
async function localStarts(
  { client, leader }: Confirming,
  positions: readonly PartitionPosition[],
): Promise<ReadonlyMap<PartitionPosition, bigint> | undefined> {
  const topics = groupByTopic(positions).map(([name, topicItems]) => ({
    name,
    partitions: topicItems.map(({ partition, leaderEpoch }) => ({
      partitionIndex: partition,
      currentLeaderEpoch: leaderEpoch,
      timestamp: offsetTimes.earliestLocal,
    })),
  }));
  try {
    const request = { isolationLevel: isolationLevels.uncommitted, topics };
    const answer = await client.requestOnce(localOffsets, request, { node: leader });
    const byPartition = new Map(
      answer.topics.flatMap(({ name, partitions }) =>
        partitions.map(
          (row) =>
            [
              partitionName({ topic: name, partition: row.partitionIndex }),
              row.errorCode === 0 ? row.offset : -1n,
            ] as const,
        ),
      ),
    );
    return new Map(positions.map((position) => [position, byPartition.get(partitionName(position)) ?? -1n]));
  } catch (error) {
    if (error instanceof CliError && error.code === 'UNSUPPORTED_VERSION') return undefined;
    throw error;
  }
}

function quietError({ topic, partition, offset }: PartitionPosition): CliError {
  const message =
    `unable to read topic "${topic}" partition ${partition} at offset ${offset}: ` +
    'the broker sends no records although the log continues';
  return unreachableError(message, {
    code: 'NO_RECORDS',
    target: topic,
    retryable: false,
    hints: ['try again later: the records may be in remote storage that does not respond'],
  });
}

import { hash } from 'node:crypto';
import type { Client } from '../client/client.ts';
import type { PartitionStart } from '../consume/position.ts';
import { exactOffset, exactTimestamp, type RecordCursor } from '../records/cursor.ts';
import { askOffsets } from '../topics/offsets.ts';
import { offsetTimes } from '../wire/apis/list-offsets.ts';
import { type ScanOptions, scanRecords } from './scan.ts';

/** An offset of the source to find in the destination. */
export interface SoughtOffset {
  readonly partition: number;
  readonly offset: bigint;
}

/** Where to look. */
export interface Translation extends ScanOptions {
  readonly source: { readonly client: Client; readonly topic: string };
  readonly target: { readonly client: Client; readonly topic: string };
  /** The source offset up to which each partition is copied. */
  readonly known: ReadonlyMap<number, bigint>;
  /** Whether the destination keeps the times of records. */
  readonly keepsTimes: boolean;
}

/**
 * How many records from an offset on are looked for at first, and at most at once. The first one is found, unless the
 * destination has lost it to compaction or retention.
 */
const fewest = 256;
const most = 1 << 18;
/** Records of up to this size are compared as they are, others by their hash, in bytes. */
const shortBytes = 256;

/** The places of records that are equal in everything that a copy keeps. */
interface Places {
  readonly source: bigint[];
  readonly target: bigint[];
}

interface Search {
  readonly sought: SoughtOffset;
  /** The first records at or after the offset that are in the source. */
  readonly first: { readonly offset: bigint; readonly places: Places }[];
  from: bigint;
}

/** The searches of one partition. */
interface Lot {
  readonly partition: number;
  readonly searches: readonly Search[];
  readonly places: Map<string, Places>;
  /** The times of the records that are looked for, as the cursor has them. */
  readonly times: Set<number>;
  /** The least time of the records that are looked for, in milliseconds since the epoch. */
  since: bigint | undefined;
}

/**
 * Finds the offset in the destination from which a reader gets what it would get from an offset in the source: that of
 * the first record there that the source has at or after the offset, or the end if there is none. Neither difference
 * nor number of offsets tells that: markers of transactions, compaction on either side, retention, conditions and other
 * writers change them. So both logs are read: from the offset to where the copy got, and in the destination from the time of
 * that record on. Of equal records, as many are left behind as in the source; if a killed copy has
 * written some again, the last ones count.
 */
export async function translate(
  translation: Translation,
  sought: readonly SoughtOffset[],
): Promise<ReadonlyMap<SoughtOffset, bigint>> {
  const partitions = [...new Set(sought.map(({ partition }) => partition))];
  const [starts, ends] = await Promise.all([
    offsetsOf(translation.source, partitions, offsetTimes.earliest),
    offsetsOf(translation.target, partitions, offsetTimes.latest),
  ]);
  const found = new Map<SoughtOffset, bigint>();
  let searches = sought.map((one): Search => {
    const start = starts.get(one.partition) ?? 0n;
    return { sought: one, first: [], from: one.offset > start ? one.offset : start };
  });
  for (let limit = fewest; searches.length > 0; limit = Math.min(most, limit * 8)) {
    const lots = [...Map.groupBy(searches, (search) => search.sought.partition)].map(
      ([partition, own]): Lot => ({ partition, searches: own, places: new Map(), times: new Set(), since: undefined }),
    );
    await lookAtSource(translation, lots, limit);
    await lookAtTarget(translation, lots, ends);
    searches = searches.flatMap((search) => {
      const place = placeOf(search) ?? (search.first.length < limit ? ends.get(search.sought.partition) : undefined);
      const last = search.first.at(-1);
      if (place !== undefined || last === undefined) {
        found.set(search.sought, place ?? 0n);
        return [];
      }
      return [{ sought: search.sought, first: [], from: last.offset + 1n }];
    });
  }
  return found;
}

async function lookAtSource(translation: Translation, lots: readonly Lot[], limit: number): Promise<void> {
  const { source, known, keepsTimes } = translation;
  const byRange = new Map<PartitionStart, Lot>();
  for (const lot of lots) {
    const { partition, searches } = lot;
    const offset = searches.reduce((least, { from }) => (from < least ? from : least), searches[0]?.from ?? 0n);
    byRange.set({ topic: source.topic, partition, offset, end: known.get(partition) ?? 0n }, lot);
  }
  await scanRecords(source.client, [...byRange.keys()], translation, (cursor, range) => {
    const lot = byRange.get(range);
    if (lot === undefined) return;
    const offset = exactOffset(cursor);
    const waiting = lot.searches.filter(({ from, first }) => offset >= from && first.length < limit);
    if (waiting.length === 0 && !mayBeSought(lot, cursor, keepsTimes)) return;
    const content = contentOf(cursor, keepsTimes);
    const seen = lot.places.get(content);
    if (seen === undefined && waiting.length === 0) return;
    const places = seen ?? { source: [], target: [] };
    lot.times.add(cursor.timestamp);
    lot.places.set(content, places);
    places.source.push(offset);
    for (const { first } of waiting) first.push({ offset, places });
    const time = exactTimestamp(cursor);
    if (waiting.length > 0 && (lot.since === undefined || time < lot.since)) lot.since = time;
  });
}

async function lookAtTarget(
  translation: Translation,
  lots: readonly Lot[],
  ends: ReadonlyMap<number, bigint>,
): Promise<void> {
  const { target, keepsTimes } = translation;
  const byRange = new Map<PartitionStart, Lot>();
  const ranges = lots.map(async (lot) => {
    const { partition, since } = lot;
    if (since === undefined) return;
    // No record with the time is before the first one that is as late.
    const time = keepsTimes && since >= 0n ? since : offsetTimes.earliest;
    const offset = (await offsetsOf(target, [partition], time)).get(partition) ?? -1n;
    if (offset >= 0n) byRange.set({ topic: target.topic, partition, offset, end: ends.get(partition) ?? 0n }, lot);
  });
  await Promise.all(ranges);
  await scanRecords(target.client, [...byRange.keys()], translation, (cursor, range) => {
    const lot = byRange.get(range);
    if (lot === undefined || !mayBeSought(lot, cursor, keepsTimes)) return;
    lot.places.get(contentOf(cursor, keepsTimes))?.target.push(exactOffset(cursor));
  });
}

/** Whether the record has the time of one that is looked for. */
function mayBeSought({ times }: Lot, { timestamp }: RecordCursor, keepsTimes: boolean): boolean {
  return !keepsTimes || times.has(timestamp);
}

/** The place in the destination of the first record that is there. */
function placeOf({ first }: Search): bigint | undefined {
  for (const { offset, places } of first) {
    const after = places.source.filter((one) => one >= offset).length;
    // Undefined if the destination has lost this one of equal records.
    const place = places.target[places.target.length - after];
    if (place !== undefined) return place;
  }
  return undefined;
}

/** Everything of a record that a copy keeps. */
function contentOf(cursor: RecordCursor, keepsTimes: boolean): string {
  const { bytes, keyStart, keyLength, valueStart, valueLength, headerCount, headersStart, recordEnd } = cursor;
  const time = keepsTimes ? exactTimestamp(cursor) : 0n;
  const parts = [
    bytes.subarray(keyStart, keyStart + Math.max(0, keyLength)),
    bytes.subarray(valueStart, valueStart + Math.max(0, valueLength)),
    headerCount === 0 ? bytes.subarray(0, 0) : bytes.subarray(headersStart, recordEnd),
  ];
  const all = Buffer.concat(parts);
  const body = all.length <= shortBytes ? all.toString('latin1') : hash('sha256', all, 'base64');
  return `${time} ${keyLength} ${valueLength} ${headerCount} ${body}`;
}

async function offsetsOf(
  { client, topic: name }: Translation['source'],
  partitions: readonly number[],
  time: bigint,
): Promise<ReadonlyMap<number, bigint>> {
  const rows = partitions.map((partition) => ({
    partition,
    leader: -1,
    errorCode: 0,
    leaderEpoch: -1,
    replicas: [],
    isr: [],
    offlineReplicas: [],
  }));
  const topics = [{ name, errorCode: 0, internal: false, partitions: rows }];
  const answers = (await askOffsets(client, topics, { time, isolation: 'committed' })).get(name) ?? new Map();
  return new Map(
    [...answers].map(([partition, { offset, cause }]) => {
      if (cause !== undefined) throw cause;
      return [partition, offset];
    }),
  );
}

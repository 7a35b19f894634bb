import { hash } from 'node:crypto';
import { sleepBy } from '../../../clock.ts';
import { isSchemaHeader, prefixBytes, schemaIdAt } from '../../../serde/wire-format.ts';
import type { Client } from '../../protocol/client/client.ts';
import { askOffsets, type OffsetQuery } from '../../protocol/partitions/offsets.ts';
import { offsetTimes } from '../../protocol/wire/apis/list-offsets.ts';
import { nextHeader, openHeaders } from '../../records/batches/batch-reader.ts';
import { exactOffset, exactTimestamp, isLogAppendTime, type RecordCursor } from '../../records/batches/cursor.ts';
import type { PartitionStart } from '../../streams/consume/position.ts';
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
  readonly ends: ReadonlyMap<number, bigint>;
  notice(line: string): void;
}

/** An offset in the destination; or why there is none. */
export type TranslatedPlace = bigint | 'missing' | { readonly openFrom: bigint };

/**
 * How many records from an offset on are looked for at first, and at most at once. The first one is found, unless the
 * destination has lost it to compaction or retention.
 */
const fewest = 256;
const most = 1 << 18;
/**
 * How often the ends of transactions are looked for, after how long the user is told, and how long they are waited for even
 * without retries, in milliseconds.
 */
const stable = { everyMs: 100, tellAfterMs: 1_000, leastMs: 5_000 };
/** Records of up to this size are compared as they are, others by their hash, in bytes. */
const shortBytes = 256;

/** The offsets of records that are equal in everything that a copy keeps. */
interface EqualRecords {
  readonly source: bigint[];
  readonly target: bigint[];
}

/** A record that is looked for; where the destination's broker sets the times of its own, time does not count. */
interface SoughtRecord {
  readonly offset: bigint;
  readonly timed: EqualRecords;
  readonly untimed: EqualRecords;
}

interface Search {
  readonly sought: SoughtOffset;
  /** The first records at or after the offset that are in the source. */
  readonly first: SoughtRecord[];
  readonly from: bigint;
}

/** The searches in the logs of one partition. */
interface LogSearch {
  readonly partition: number;
  readonly searches: readonly Search[];
  readonly equal: Map<string, EqualRecords>;
  /** The least time of the records that are looked for, in milliseconds since the epoch. */
  since: bigint | undefined;
  /** Whether the destination has records that are as late, or whose times say nothing. */
  hasLater: boolean;
}

/**
 * Finds the offset in the destination from which a reader gets what it would get from an offset in the source: that of
 * the first record there that the source has at or after the offset, or the end if there is nothing to read. Neither difference
 * nor number of offsets tells that: markers of transactions, compaction on either side, retention, conditions and other
 * writers change them. So both logs are read: from the offset to where the copy got, and in the destination from the time of
 * that record on. Of equal records, as many are left behind as in the source; if a killed copy has
 * written some again, the last ones count. `missing` where none of the records is found, but others that are as late: the
 * copy is not one of these records, or has changed them. Where a transaction stays open in the destination, the offset from
 * which on it hides records.
 */
export async function translate(
  translation: Translation,
  sought: readonly SoughtOffset[],
): Promise<ReadonlyMap<SoughtOffset, TranslatedPlace>> {
  const partitions = [...new Set(sought.map(({ partition }) => partition))];
  const [starts, { ends, openFrom }] = await Promise.all([
    offsetsOf(translation.source, partitions, { time: offsetTimes.earliest }),
    stableEnds(translation, partitions),
  ]);
  const places = new Map<SoughtOffset, TranslatedPlace>();
  for (const one of sought) {
    const hidden = openFrom.get(one.partition);
    if (hidden !== undefined) places.set(one, { openFrom: hidden });
  }
  let searches = sought
    .filter((one) => !places.has(one))
    .map((one) => searchFrom(one, larger(one.offset, starts.get(one.partition) ?? 0n)));
  for (let limit = fewest; searches.length > 0; limit = Math.min(most, limit * 8)) {
    const logs = await readLogs(translation, searches, { limit, ends });
    const hasLater = new Set(logs.filter((log) => log.hasLater).map(({ partition }) => partition));
    const unfound: Search[] = [];
    for (const search of searches) {
      const place = placeOf(search, { limit, hasLater, ends });
      if (place === undefined) unfound.push(searchBehind(search));
      else places.set(search.sought, place);
    }
    searches = unfound;
  }
  return places;
}

function searchFrom(sought: SoughtOffset, from: bigint): Search {
  return { sought, first: [], from };
}

/** The search for what follows the records of a search. */
function searchBehind({ sought, first, from }: Search): Search {
  return searchFrom(sought, (first.at(-1)?.offset ?? from) + 1n);
}

interface Looked {
  /** How many records of each search were looked for. */
  readonly limit: number;
  /** The partitions whose destination has records that are as late as those looked for. */
  readonly hasLater: ReadonlySet<number>;
  readonly ends: ReadonlyMap<number, bigint>;
}

/** The outcome of a search; undefined if the source has more records to look for. */
function placeOf(search: Search, { limit, hasLater, ends }: Looked): TranslatedPlace | undefined {
  const { sought, first, from } = search;
  const offset = targetOffsetOf(search);
  if (offset !== undefined) return offset;
  if (first.length === limit) return undefined;
  const hasUnread = first.length > 0 || from > sought.offset;
  return hasUnread && hasLater.has(sought.partition) ? 'missing' : (ends.get(sought.partition) ?? 0n);
}

const larger = (one: bigint, other: bigint): bigint => (one > other ? one : other);

/** Reads the first records of each search in the source, and what the destination has of them. */
async function readLogs(
  translation: Translation,
  searches: readonly Search[],
  { limit, ends }: { readonly limit: number; readonly ends: ReadonlyMap<number, bigint> },
): Promise<readonly LogSearch[]> {
  const logs = [...Map.groupBy(searches, ({ sought }) => sought.partition)].map(
    ([partition, inPartition]): LogSearch => ({
      partition,
      searches: inPartition,
      equal: new Map(),
      since: undefined,
      hasLater: false,
    }),
  );
  await lookAtSource(translation, logs, limit);
  await lookAtTarget(translation, logs, { ends, isWhole: false });
  // The times of the destination may be others.
  const isOpen = (search: Search): boolean => targetOffsetOf(search) === undefined && search.first.length < limit;
  const open = logs.filter((log) => log.since !== undefined && log.searches.some(isOpen));
  if (open.length > 0) await lookAtTarget(translation, open, { ends, isWhole: true });
  return logs;
}

/**
 * The ends of the destination's partitions, once every transaction below them has ended. Brokers answer a commit before they
 * have written its markers: until then, what was copied last cannot be read. Those of other producers may stay open for longer
 * than the retry rule waits.
 */
async function stableEnds({ target, notice }: Translation, partitions: readonly number[]) {
  const { clock, limits, signal } = target.client.options.deadline;
  const ends = await offsetsOf(target, partitions, { time: offsetTimes.latest, isolation: 'uncommitted' });
  const patienceMs = Math.max(limits.retryMs, stable.leastMs);
  const since = clock.now();
  for (let isTold = false; ; ) {
    const last = await offsetsOf(target, partitions, { time: offsetTimes.latest });
    const openFrom = new Map([...last].filter(([partition, offset]) => offset < (ends.get(partition) ?? offset)));
    const elapsedMs = clock.now() - since;
    if (openFrom.size === 0 || elapsedMs >= patienceMs) return { ends, openFrom };
    if (!isTold && elapsedMs >= stable.tellAfterMs) {
      notice(`waiting for the open transactions in topic "${target.topic}" to end`);
      isTold = true;
    }
    await sleepBy(clock.after, stable.everyMs, signal);
  }
}

async function lookAtSource(translation: Translation, logs: readonly LogSearch[], limit: number): Promise<void> {
  const { source, ends } = translation;
  const byRange = new Map<PartitionStart, LogSearch>();
  for (const log of logs) {
    const { partition, searches } = log;
    const offset = searches.reduce((least, { from }) => (from < least ? from : least), searches[0]?.from ?? 0n);
    byRange.set({ topic: source.topic, partition, offset, end: ends.get(partition) ?? 0n }, log);
  }
  await scanRecords(source.client, [...byRange.keys()], translation, (cursor, range) => {
    const log = byRange.get(range);
    if (log === undefined) return;
    const offset = exactOffset(cursor);
    const waiting = log.searches.filter(({ from, first }) => offset >= from && first.length < limit);
    const content = contentOf(cursor);
    const time = exactTimestamp(cursor);
    const [timed, untimed] = [`${time} ${content}`, content].map((key) => {
      const equal = log.equal.get(key) ?? (waiting.length === 0 ? undefined : { source: [], target: [] });
      if (equal !== undefined) log.equal.set(key, equal);
      equal?.source.push(offset);
      return equal;
    });
    if (waiting.length === 0 || timed === undefined || untimed === undefined) return;
    for (const { first } of waiting) first.push({ offset, timed, untimed });
    if (log.since === undefined || time < log.since) log.since = time;
  });
}

interface Range {
  readonly ends: ReadonlyMap<number, bigint>;
  /** Whether to look at everything, instead of what is as late as the records that are looked for. */
  readonly isWhole: boolean;
}

async function lookAtTarget(
  translation: Translation,
  logs: readonly LogSearch[],
  { ends, isWhole }: Range,
): Promise<void> {
  const { target } = translation;
  const byRange = new Map<PartitionStart, LogSearch>();
  const ranges = logs.map(async (log) => {
    const { partition, since, equal } = log;
    if (since === undefined) return;
    for (const { target: offsets } of equal.values()) offsets.length = 0;
    // No record with the time is before the first one that is as late.
    const time = isWhole || since < 0n ? offsetTimes.earliest : since;
    const offset = (await offsetsOf(target, [partition], { time })).get(partition) ?? -1n;
    if (offset >= 0n) byRange.set({ topic: target.topic, partition, offset, end: ends.get(partition) ?? 0n }, log);
  });
  await Promise.all(ranges);
  await scanRecords(target.client, [...byRange.keys()], translation, (cursor, range) => {
    const log = byRange.get(range);
    if (log?.since === undefined) return;
    const hasOwnTime = isLogAppendTime(cursor);
    log.hasLater ||= hasOwnTime || exactTimestamp(cursor) >= log.since;
    const content = contentOf(cursor);
    const equal = log.equal.get(content);
    if (equal === undefined) return;
    const offset = exactOffset(cursor);
    equal.target.push(offset);
    if (!hasOwnTime) log.equal.get(`${exactTimestamp(cursor)} ${content}`)?.target.push(offset);
  });
}

/** The place in the destination of the first record that is there. */
function targetOffsetOf({ first }: Search): bigint | undefined {
  for (const { offset, timed, untimed } of first) {
    for (const { source, target } of [timed, untimed]) {
      const after = source.filter((one) => one >= offset).length;
      // Undefined if the destination has lost this one of equal records.
      const place = target[target.length - after];
      if (place !== undefined) return place;
    }
  }
  return undefined;
}

/** Everything of a record that a copy keeps, without its time: `--map-schemas` changes the ids of schemas. */
function contentOf(cursor: RecordCursor): string {
  const { bytes, keyStart, keyLength, valueStart, valueLength, headerCount } = cursor;
  const parts = [payloadOf(cursor, keyStart, keyLength), payloadOf(cursor, valueStart, valueLength)];
  const lengths = [keyLength, valueLength, headerCount];
  if (headerCount > 0) openHeaders(cursor);
  while (headerCount > 0 && nextHeader(cursor)) {
    const { headerKeyStart, headerKeyLength, headerValueStart, headerValueLength } = cursor;
    const name = bytes.subarray(headerKeyStart, headerKeyStart + headerKeyLength);
    const isSchema = schemaFields.some((field) => isSchemaHeader(name.toString('latin1'), field));
    const value = bytes.subarray(headerValueStart, headerValueStart + Math.max(0, isSchema ? 0 : headerValueLength));
    parts.push(name, value);
    lengths.push(headerKeyLength, headerValueLength);
  }
  const all = Buffer.concat(parts);
  const body = all.length <= shortBytes ? all.toString('latin1') : hash('sha256', all, 'base64');
  return `${lengths.join(' ')} ${body}`;
}

const schemaFields = ['key', 'value'] as const;

/** A key or value without the id of its schema. */
function payloadOf({ bytes, view }: RecordCursor, start: number, length: number): Buffer {
  const skipped = schemaIdAt({ bytes, view }, start, length) < 0 ? 0 : prefixBytes;
  return bytes.subarray(start + skipped, start + Math.max(0, length));
}

/** The offsets of partitions, by their numbers. @throws CliError if one cannot be told */
export async function offsetsOf(
  { client, topic: name }: Translation['source'],
  partitions: readonly number[],
  { time, isolation = 'committed' }: Pick<OffsetQuery, 'time'> & Partial<OffsetQuery>,
): Promise<ReadonlyMap<number, bigint>> {
  if (partitions.length === 0) return new Map();
  const topics = [{ name, partitions: partitions.map((partition) => ({ partition })) }];
  const answers = (await askOffsets(client, topics, { time, isolation })).get(name) ?? new Map();
  return new Map(
    [...answers].map(([partition, { offset, cause }]) => {
      if (cause !== undefined) throw cause;
      return [partition, offset];
    }),
  );
}

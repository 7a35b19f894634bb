import { createPace, type Pace, sleepBy } from '../../../clock.ts';
import { CliError } from '../../../errors.ts';
import { topicNameFault } from '../../../format/topic-name-fault.ts';
import { defaultBatchBytes, readBatchLimits } from '../../cluster/topics/configs.ts';
import type { Client } from '../../protocol/client/client.ts';
import { nextHeader, openHeaders } from '../../records/batches/batch-reader.ts';
import type { OutgoingRecord } from '../../records/batches/batch-records.ts';
import { exactOffset, type RecordCursor } from '../../records/batches/cursor.ts';
import { partitionOfKey } from '../../records/batches/partitioner.ts';
import type { Lane } from '../../streams/produce/lane.ts';
import { destinationTopic, openProduceTopic, type ProduceTopic } from '../../streams/produce/topics.ts';
import { openSifting, type Sifting } from '../record-filter.ts';
import { countHeader, type Findings, findOrigins, type NamedHeader, type Origin, originIn } from './origins.ts';
import { reasons } from './reasons.ts';
import type { RedriveRequest } from './request.ts';
import { createTally, type DeadLetterPosition, type Tally } from './tally.ts';

/** How long the longest pause for `--rate` is, in milliseconds: progress is stored in between. */
const longestPauseMs = 500;
/** The number of decisions after which they are taken: what they say must be remembered as a whole. */
const mostDecisions = 4_096;

/** A topic that dead letters go to. */
interface Destination {
  readonly topic: ProduceTopic;
  readonly maxBytes: number;
}

/** What was decided since the last time. */
export interface Decisions {
  /** The records that were left and reported. */
  readonly tally: Tally;
  /** The offsets of records that were left, in order. */
  readonly left: readonly bigint[];
  /** The records that the conditions left out. */
  readonly unwanted: number;
}

/** Decides what becomes of dead letters. */
export interface Judge {
  readonly client: Client;
  readonly options: JudgeOptions;
  readonly filter: Sifting | undefined;
  /** Limits the records a second; undefined for no limit. */
  readonly pace: Pace | undefined;
  /** The records that are sent together, in a tenth of a second. */
  readonly together: number;
  /** The destinations so far, by name, or why there is none. */
  readonly destinations: Map<string, Destination | CliError>;
  readonly topics: Map<string, ProduceTopic>;
  /** The partitions of all destinations, and the index of each. */
  readonly slots: { readonly lane: Lane; readonly maxBytes: number }[];
  readonly slotByLane: Map<Lane, number>;
  /** What was decided since the last `takeDecisions`. */
  decisions: { tally: Tally; left: bigint[]; unwanted: number; count: number };
  /** The slot and the headers of the record that was just wanted. */
  slot: number;
  findings: Findings | undefined;
  sent: number;
  hasLostCount: boolean;
}

/** Tells where the cursor is not to go yet. */
class Obstacle extends Error {
  /** The topic to look up; undefined for a pause. */
  readonly topic: string | undefined;

  constructor(topic?: string) {
    super('the record cannot be judged yet');
    this.topic = topic;
  }
}

/** What a judge needs besides the client. */
export interface JudgeOptions {
  readonly request: RedriveRequest;
  /** Whether nothing is sent. */
  readonly isDry: boolean;
  /** Called when enough records are sent. */
  onEnough(): void;
}

/** Creates a judge. */
export function createJudge(client: Client, options: JudgeOptions): Judge {
  const { request, isDry } = options;
  const perSecond = isDry ? undefined : request.perSecond;
  return {
    client,
    options,
    filter: openSifting(request.filter),
    pace: perSecond === undefined ? undefined : createPace(perSecond, client.options.deadline.clock.now),
    together: Math.max(1, Math.floor((perSecond ?? 0) / 10)),
    destinations: new Map(),
    topics: new Map(),
    slots: [],
    slotByLane: new Map(),
    decisions: noDecisions(),
    slot: 0,
    findings: undefined,
    sent: 0,
    hasLostCount: false,
  };
}

function noDecisions(): Judge['decisions'] {
  return { tally: createTally(), left: [], unwanted: 0, count: 0 };
}

/** Looks up a destination. @throws CliError if there is none with that name */
export async function learnDestination({ client, destinations, topics }: Judge, name: string): Promise<void> {
  const destination = await destinationTopic(client, name);
  if (destination?.internal) throw reasons.internal(name);
  const topic = await openProduceTopic(client, name, false);
  const limitOf = await readBatchLimits(client, [name]);
  destinations.set(name, { topic, maxBytes: limitOf(name) });
  topics.set(name, topic);
}

/**
 * Whether the record under the cursor is sent.
 * @throws an error for `resolveObstacle`, after which the record can be judged again
 */
export function wants(judge: Judge, cursor: RecordCursor): boolean {
  const { options, filter, decisions } = judge;
  const { request } = options;
  if (decisions.count >= mostDecisions) throw new Obstacle();
  if (filter?.wants(cursor) === false) {
    decisions.unwanted += 1;
    return leave(judge, cursor);
  }
  if (hasEnough(judge)) throw new Obstacle();
  const headers = headersOf(cursor);
  const findings = findOrigins(headers);
  const origin = originOf(request, headers, findings);
  const lane = origin instanceof CliError ? origin : laneFor(judge, cursor, origin, findings);
  const position = { partition: cursor.origin.partition, offset: exactOffset(cursor) };
  if (lane instanceof CliError) {
    const destination = origin instanceof CliError ? undefined : origin.topic;
    decisions.tally.add({ destination, reason: lane }, position);
    return leave(judge, cursor);
  }
  if (waitMs(judge) > 0) throw new Obstacle();
  if (findings.isCountLost) warnOfLostCount(judge, position);
  judge.sent += 1;
  decisions.count += 1;
  judge.slot = slotOf(judge, lane);
  judge.findings = findings;
  return true;
}

function leave({ decisions }: Judge, cursor: RecordCursor): false {
  decisions.count += 1;
  decisions.left.push(exactOffset(cursor));
  return false;
}

function hasEnough({ sent, options: { request } }: Judge): boolean {
  return request.most !== undefined && sent >= request.most;
}

function waitMs({ pace, sent, together }: Judge): number {
  return pace?.waitMs(Math.floor(sent / together) * together) ?? 0;
}

/** Where a record goes, or why it is left. */
function laneFor(judge: Judge, cursor: RecordCursor, origin: Origin, findings: Findings): Lane | CliError {
  const { request } = judge.options;
  if (origin.topic === request.topic) return reasons.itself(origin.topic);
  if (request.only.length > 0 && !request.only.includes(origin.topic)) return reasons.excluded(origin.topic);
  if (findings.mayBeEmpty && cursor.keyLength < 0 && cursor.valueLength < 0) return reasons.empty();
  if (findings.count >= request.maxAttempts) return reasons.worn(request.maxAttempts);
  const destination = judge.destinations.get(origin.topic);
  if (destination === undefined) throw new Obstacle(origin.topic);
  if (destination instanceof CliError) return destination;
  const { lanes, name } = destination.topic;
  const partition = choosePartition(request, { cursor, origin, count: lanes.length });
  return lanes[partition] ?? reasons.noPartition(name, lanes.length);
}

function warnOfLostCount(judge: Judge, { partition, offset }: DeadLetterPosition): void {
  if (judge.hasLostCount) return;
  judge.hasLostCount = true;
  judge.options.request.warn(
    `partition ${partition} at offset ${offset}: the header "${countHeader}" is not a number, so the count of this and ` +
      'such records begins at 0',
  );
}

function slotOf({ slotByLane, slots, destinations }: Judge, lane: Lane): number {
  const slot = slotByLane.get(lane);
  if (slot !== undefined) return slot;
  const destination = destinations.get(lane.topic);
  const maxBytes =
    destination === undefined || destination instanceof CliError ? defaultBatchBytes : destination.maxBytes;
  slotByLane.set(lane, slots.length);
  return slots.push({ lane, maxBytes }) - 1;
}

/** The lane of a slot. */
export function laneOf({ slots }: Judge, slot: number): Lane {
  const place = slots[slot];
  if (place === undefined) throw new Error(`no slot ${slot}`);
  return place.lane;
}

/** The size in bytes above which the destination of a slot takes no batch. */
export function maxBytesOf({ slots }: Judge, slot: number): number {
  return slots[slot]?.maxBytes ?? defaultBatchBytes;
}

/** Removes the headers of frameworks from the record that was just wanted, and counts. */
export function reviseHeaders({ options, findings }: Judge, record: OutgoingRecord): void {
  const { keepsHeaders } = options.request;
  const headers = record.headers.filter(({ key }) => {
    const name = Buffer.from(key).toString();
    return name !== countHeader && (keepsHeaders || !findings?.isTheirs(name));
  });
  const count = Buffer.from(String((findings?.count ?? 0) + 1));
  record.headers = [...headers, { key: countHeaderBytes, value: count }];
}

/** Looks up the destination that was missing, or pauses; false for errors of others. */
export async function resolveObstacle(judge: Judge, error: unknown): Promise<boolean> {
  const { client, filter, options } = judge;
  if (!(error instanceof Obstacle)) return (await filter?.resolves(error)) ?? false;
  if (error.topic !== undefined) await learnOrigin(judge, error.topic);
  else if (hasEnough(judge)) options.onEnough();
  else if (waitMs(judge) > 0) {
    const { clock, signal } = client.options.deadline;
    await sleepBy(clock.after, Math.min(Math.ceil(waitMs(judge)), longestPauseMs), signal);
  }
  return true;
}

/** Looks up a destination that a record names; that there is none concerns only the records that name it. */
async function learnOrigin(judge: Judge, name: string): Promise<void> {
  try {
    await learnDestination(judge, name);
  } catch (failure) {
    if (!(failure instanceof CliError) || !codesOfDestinations.has(failure.code)) throw failure;
    judge.destinations.set(name, failure.code === unknownTopic ? reasons.missing(name, failure) : failure);
  }
}

/** Returns what was decided since the last call. */
export function takeDecisions(judge: Judge): Decisions {
  judge.filter?.report();
  const taken = judge.decisions;
  judge.decisions = noDecisions();
  return taken;
}

const countHeaderBytes = Buffer.from(countHeader);

/** Errors that concern one destination; others end the run. */
const unknownTopic = 'UNKNOWN_TOPIC_OR_PARTITION';
const codesOfDestinations: ReadonlySet<string> = new Set([
  unknownTopic,
  'TOPIC_AUTHORIZATION_FAILED',
  'INVALID_TOPIC_EXCEPTION',
  reasons.internal('').code,
]);

function headersOf(cursor: RecordCursor): readonly NamedHeader[] {
  const headers: NamedHeader[] = [];
  openHeaders(cursor);
  while (nextHeader(cursor)) {
    const { bytes, headerKeyStart, headerKeyLength, headerValueStart, headerValueLength } = cursor;
    const name = bytes.toString('utf8', headerKeyStart, headerKeyStart + headerKeyLength);
    const value = headerValueLength < 0 ? null : bytes.subarray(headerValueStart, headerValueStart + headerValueLength);
    headers.push([name, value]);
  }
  return headers;
}

/** The origin of a record, or why it has none that counts. */
function originOf({ to }: RedriveRequest, headers: readonly NamedHeader[], { origins }: Findings): Origin | CliError {
  const [origin, another] = origins;
  if (to === 'origin') {
    if (origins.length === 0) return reasons.noOrigin();
    return another !== undefined || origins.length > 1 ? reasons.ambiguous() : validOrigin(origin);
  }
  if ('header' in to && !headers.some(([name]) => name === to.header)) return reasons.noHeader(to.header);
  const chosen = 'topic' in to ? to.topic : originIn(headers, { topic: to.header, partition: undefined })?.topic;
  const stated = origins.find((one) => one !== undefined && one.topic === chosen);
  return stated ?? validOrigin(chosen === undefined ? undefined : { topic: chosen, partition: undefined });
}

function validOrigin(origin: Origin | undefined): Origin | CliError {
  return origin === undefined || topicNameFault(origin.topic) !== undefined ? reasons.invalid() : origin;
}

interface Choice {
  readonly cursor: RecordCursor;
  readonly origin: Origin;
  /** The number of partitions of the destination. */
  readonly count: number;
}

function choosePartition({ partitionsBy }: RedriveRequest, { cursor, origin, count }: Choice): number {
  const { bytes, keyStart, keyLength, origin: source } = cursor;
  if (partitionsBy === 'same') return source.partition;
  if (partitionsBy === 'origin' && origin.partition !== undefined) return origin.partition;
  return keyLength < 0 ? source.partition % count : partitionOfKey(bytes, keyStart, keyLength, count);
}

import { createPace, sleepBy } from '../../../clock.ts';
import { CliError } from '../../../errors.ts';
import { topicNameFault } from '../../../format/topic-name-fault.ts';
import { defaultBatchBytes, readBatchLimits } from '../../cluster/topics/configs.ts';
import type { Client } from '../../protocol/client/client.ts';
import { nextHeader, openHeaders } from '../../records/batches/batch-reader.ts';
import { exactOffset, type RecordCursor } from '../../records/batches/cursor.ts';
import { partitionOfKey } from '../../records/batches/partitioner.ts';
import { existingTopics } from '../../streams/consume/plan.ts';
import type { Lane } from '../../streams/produce/lane.ts';
import { openProduceTopic, type ProduceTopic } from '../../streams/produce/topics.ts';
import type { Revision } from '../packer.ts';
import { openSifting } from '../record-filter.ts';
import { countHeader, type Findings, findOrigins, type NamedHeader, type Origin, originIn } from './origins.ts';
import { reasons } from './reasons.ts';
import type { RedriveRequest } from './request.ts';
import { createTally, type Place, type Tally } from './tally.ts';

/** How long the longest pause for `--rate` is, in milliseconds: progress is stored in between. */
const longestPauseMs = 500;
/** The number of decisions after which they are taken: what they say must be remembered as a whole. */
const mostDecisions = 4_096;

/** A topic that dead letters go to. */
interface Destination {
  readonly topic: ProduceTopic;
  readonly maxBytes: number;
}

/** Where a record goes. */
interface Sending {
  /** The number of the partition among those of all destinations. */
  readonly slot: number;
  readonly findings: Findings;
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
  /** The destinations so far, by name. */
  readonly topics: ReadonlyMap<string, ProduceTopic>;
  /**
   * Whether the record under the cursor is sent.
   * @throws an error for `resolves`, after which the record can be judged again
   */
  wants(cursor: RecordCursor): boolean;
  /** The place of the record that was just wanted, for `laneOf` and `maxBytesOf`. */
  slot(): number;
  laneOf(slot: number): Lane;
  maxBytesOf(slot: number): number;
  /** Removes the headers of frameworks from that record, and counts. */
  readonly revise: Revision;
  /** Looks up the destination that was missing, or pauses; false for other errors. */
  resolves(error: unknown): Promise<boolean>;
  /** Looks up a destination. @throws CliError if there is none with that name */
  learn(name: string): Promise<void>;
  /** Returns what was decided since the last call. */
  take(): Decisions;
}

/** Tells where the cursor is not to go yet. */
class Obstacle extends Error {
  /** The topic to look up; undefined for a pause. */
  readonly topic: string | undefined;

  constructor(topic: string | undefined) {
    super('the record cannot be judged yet');
    this.topic = topic;
  }
}

/** What a judge needs besides the request. */
export interface JudgeOptions {
  readonly request: RedriveRequest;
  /** Whether nothing is sent. */
  readonly isDry: boolean;
  /** Whether an earlier run has sent the record under the cursor, which has this offset. */
  isSettled(cursor: RecordCursor, offset: bigint): boolean;
  /** Called when enough records are sent. */
  onEnough(): void;
}

/** Creates a judge. */
export function createJudge(client: Client, options: JudgeOptions): Judge {
  const { request } = options;
  const { clock, signal } = client.options.deadline;
  const destinations = new Map<string, Destination | CliError>();
  const topics = new Map<string, ProduceTopic>();
  const slots = new Map<Lane, number>();
  const places: { readonly lane: Lane; readonly maxBytes: number }[] = [];
  const sifting = openSifting(request.filter);
  const perSecond = options.isDry ? undefined : request.perSecond;
  const pace = perSecond === undefined ? undefined : createPace(perSecond, clock.now);
  /** The records that are sent together, in a tenth of a second. */
  const together = Math.max(1, Math.floor((perSecond ?? 0) / 10));
  const waitMs = (): number => pace?.waitMs(Math.floor(sent / together) * together) ?? 0;
  let decided = { tally: createTally(), left: [] as bigint[], unwanted: 0 };
  let current: Sending | undefined;
  let sent = 0;
  let decisions = 0;
  let hasLostCount = false;

  function wants(cursor: RecordCursor): boolean {
    const offset = exactOffset(cursor);
    if (options.isSettled(cursor, offset)) return false;
    if (decisions >= mostDecisions) throw new Obstacle(undefined);
    if (sifting?.wants(cursor) === false) {
      decided.unwanted += 1;
      decisions += 1;
      decided.left.push(offset);
      return false;
    }
    if (request.most !== undefined && sent >= request.most) throw new Obstacle(undefined);
    const place = { partition: cursor.origin.partition, offset };
    const headers = headersOf(cursor);
    const findings = findOrigins(headers);
    const origin = originOf(request, headers, findings);
    const destination = origin instanceof CliError ? undefined : origin.topic;
    const lane = origin instanceof CliError ? origin : laneFor(cursor, origin, findings);
    if (lane instanceof CliError) {
      decided.tally.add({ destination, reason: lane }, place);
      decisions += 1;
      decided.left.push(offset);
      return false;
    }
    if (waitMs() > 0) throw new Obstacle(undefined);
    if (findings.isCountLost) warnOfLostCount(place);
    sent += 1;
    decisions += 1;
    current = { slot: slotOf(lane), findings };
    return true;
  }

  function warnOfLostCount({ partition, offset }: Place): void {
    if (hasLostCount) return;
    hasLostCount = true;
    const where = `partition ${partition} at offset ${offset}`;
    request.warn(
      `${where}: the header "${countHeader}" is not a number, so the count of this and such records begins at 0`,
    );
  }

  function laneFor(cursor: RecordCursor, origin: Origin, findings: Findings): Lane | CliError {
    if (origin.topic === request.topic) return reasons.itself(origin.topic);
    if (request.only.length > 0 && !request.only.includes(origin.topic)) return reasons.excluded(origin.topic);
    if (findings.mayBeEmpty && cursor.keyLength < 0 && cursor.valueLength < 0) return reasons.empty();
    if (findings.count >= request.maxAttempts) return reasons.worn(request.maxAttempts);
    const found = destinations.get(origin.topic);
    if (found === undefined) throw new Obstacle(origin.topic);
    if (found instanceof CliError) return found;
    const { lanes, name } = found.topic;
    return (
      lanes[choosePartition(request, { cursor, origin, count: lanes.length })] ??
      reasons.noPartition(name, lanes.length)
    );
  }

  function slotOf(lane: Lane): number {
    const known = slots.get(lane);
    if (known !== undefined) return known;
    const found = destinations.get(lane.topic);
    const maxBytes = found === undefined || found instanceof CliError ? defaultBatchBytes : found.maxBytes;
    slots.set(lane, places.length);
    return places.push({ lane, maxBytes }) - 1;
  }

  async function learn(name: string): Promise<void> {
    const [found] = await existingTopics(client, [name], []);
    if (found?.internal) throw reasons.internal(name);
    const topic = await openProduceTopic(client, name, false);
    const limitOf = await readBatchLimits(client, [name]);
    destinations.set(name, { topic, maxBytes: limitOf(name) });
    topics.set(name, topic);
  }

  return {
    topics,
    wants,
    slot: () => current?.slot ?? 0,
    laneOf(slot) {
      const place = places[slot];
      if (place === undefined) throw new Error(`no place ${slot}`);
      return place.lane;
    },
    maxBytesOf: (slot) => places[slot]?.maxBytes ?? defaultBatchBytes,
    revise(record) {
      const { findings } = current ?? {};
      const kept = record.headers.filter(({ key }) => {
        const name = Buffer.from(key).toString();
        return name !== countHeader && (request.keepsHeaders || !findings?.isTheirs(name));
      });
      const count = Buffer.from(String((findings?.count ?? 0) + 1));
      record.headers = [...kept, { key: countHeaderBytes, value: count }];
    },
    async resolves(error) {
      if (!(error instanceof Obstacle)) return (await sifting?.resolves(error)) ?? false;
      if (error.topic !== undefined) {
        const name = error.topic;
        await learn(name).catch((failure: unknown) => {
          if (!(failure instanceof CliError) || !isAbout(failure)) throw failure;
          destinations.set(name, failure.code === unknownTopic ? reasons.missing(name, failure) : failure);
        });
      } else if (request.most !== undefined && sent >= request.most) options.onEnough();
      else if (waitMs() > 0) {
        await sleepBy(clock.after, Math.min(Math.ceil(waitMs()), longestPauseMs), signal);
      }
      return true;
    },
    learn,
    take() {
      sifting?.report();
      const taken = decided;
      decided = { tally: createTally(), left: [], unwanted: 0 };
      decisions = 0;
      return taken;
    },
  };
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

function isAbout({ code }: CliError): boolean {
  return codesOfDestinations.has(code);
}

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
    return another !== undefined || origins.length > 1 ? reasons.ambiguous() : named(origin);
  }
  if ('header' in to && !headers.some(([name]) => name === to.header)) return reasons.noHeader(to.header);
  const chosen = 'topic' in to ? to.topic : originIn(headers, { topic: to.header, partition: undefined })?.topic;
  const known = origins.find((one) => one !== undefined && one.topic === chosen);
  return known ?? named(chosen === undefined ? undefined : { topic: chosen, partition: undefined });
}

function named(origin: Origin | undefined): Origin | CliError {
  return origin === undefined || topicNameFault(origin.topic) !== undefined ? reasons.invalid() : origin;
}

interface Choice {
  readonly cursor: RecordCursor;
  readonly origin: Origin;
  /** The number of partitions of the destination. */
  readonly count: number;
}

function choosePartition({ partitionsBy }: RedriveRequest, { cursor, origin, count }: Choice): number {
  const { bytes, keyStart, keyLength, origin: own } = cursor;
  if (partitionsBy === 'same') return own.partition;
  if (partitionsBy === 'origin' && origin.partition !== undefined) return origin.partition;
  return keyLength < 0 ? own.partition % count : partitionOfKey(bytes, keyStart, keyLength, count);
}

import type { Standstill } from './process-clock.ts';

/** A fault at a point in time; one with a duration is repaired after it. All times are in milliseconds. */
export type FaultEvent = { readonly at: number } & (
  | { readonly kind: 'kill' | 'stop' | 'black-hole'; readonly broker: number; readonly forMs: number }
  | { readonly kind: 'cut' | 'evict-sessions' | 'move-controller'; readonly broker: number }
  | { readonly kind: 'cut-next'; readonly broker: number | undefined; readonly when: 'before' | 'after' }
  | { readonly kind: 'slow' | 'stale-metadata'; readonly broker: number; readonly forMs: number; readonly byMs: number }
  | { readonly kind: 'move-leader' | 'lose'; readonly partition: number; readonly broker: number }
  | { readonly kind: 'hold-replication'; readonly partition: number; readonly broker: number; readonly forMs: number }
  | { readonly kind: 'refuse' | 'do-and-refuse'; readonly api: string; readonly code: number; readonly times: number }
  | { readonly kind: 'late'; readonly api: string; readonly byMs: number; readonly times: number }
  | { readonly kind: 'throttle'; readonly api: string; readonly byMs: number; readonly forMs: number }
  | { readonly kind: 'move-log-start'; readonly partition: number }
  /** Records below a point of the log are deleted: at the leader (DeleteRecords), or at one replica (retention). */
  | { readonly kind: 'delete-records'; readonly partition: number; readonly part: number; readonly broker?: number }
  /** The log is compacted below a point, at every replica or at one. */
  | { readonly kind: 'compact'; readonly partition: number; readonly part: number; readonly broker?: number }
  /** The disk with a replica fails, until its broker is started again. */
  | { readonly kind: 'fail-disk'; readonly partition: number; readonly broker: number; readonly forMs: number }
  /** A broker, or the leader, loses its last batches in a power failure; safe: only what other replicas still have. */
  | {
      readonly kind: 'power-cut';
      readonly broker: number | 'leader';
      readonly forMs: number;
      readonly batches: number;
      readonly isSafe: boolean;
    }
  | { readonly kind: 'isolate'; readonly client: number; readonly forMs: number }
  /** The process of a client stands still. */
  | { readonly kind: 'stand-still'; readonly client: string; readonly how: Standstill; readonly forMs: number }
  /** A broker dies for good and refuses connections, or drops every frame; delayed until the others can take over. */
  | { readonly kind: 'die'; readonly broker: number; readonly isSilent: boolean }
  /** A replica leaves the ISR and later becomes leader: what the others have committed in between is lost. */
  | { readonly kind: 'elect-unclean'; readonly partition: number; readonly broker: number; readonly forMs: number }
  /** Another broker becomes the coordinator of all groups and transactions, and stays it. */
  | { readonly kind: 'move-coordinator'; readonly broker: number }
  /** Consecutive requests of an API fail at one broker, on one connection until a step closes it. */
  | { readonly kind: 'in-a-row'; readonly broker: number; readonly api: string; readonly steps: readonly FaultStep[] }
  | { readonly kind: 'add-partitions' }
  /** A broker answers an appended batch as a duplicate (DUPLICATE_SEQUENCE_NUMBER). */
  | { readonly kind: 'tell-duplicate'; readonly times: number }
  /** A broker temporarily does not know topics or their leaders. */
  | { readonly kind: 'vague-metadata'; readonly code: number; readonly times: number }
);

/** What happens to one of several consecutive requests; a number is the error code that refuses it. */
export type FaultStep = number | 'cut' | 'do-and-cut' | 'late' | 'swallow';

/** The error codes with which a broker may refuse an API without having done anything, from the protocol guide. */
const refusals: Readonly<Record<string, readonly number[]>> = {
  Produce: [5, 6, 19, 56, 72, 74],
  Fetch: [5, 6, 9, 56, 70, 71, 74, 75, 78],
  Metadata: [5],
  ListOffsets: [5, 6, 56, 74, 75, 78],
  OffsetForLeaderEpoch: [5, 6, 56, 74, 75],
  FindCoordinator: [15],
  InitProducerId: [14, 15, 51],
  JoinGroup: [14, 15, 16],
  SyncGroup: [14, 15, 16, 27],
  Heartbeat: [14, 15, 16],
  OffsetCommit: [7, 14, 15, 16],
  OffsetFetch: [14, 15, 16, 88],
  ConsumerGroupHeartbeat: [14, 15, 16],
};

/** The error codes that a broker may return after appending the batch. */
const afterAppend = [7, 20];

/** The range of the faults in a run. */
export interface FaultRange {
  readonly brokers: number;
  readonly partitions: number;
  /** The end of the period with faults, in milliseconds. */
  readonly untilMs: number;
  /** The longest duration of a fault, in milliseconds. */
  readonly longestMs: number;
  readonly kinds: readonly FaultEvent['kind'][];
}

/** Draws a random fault. */
export function rollFault(random: () => number, range: FaultRange): FaultEvent {
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
  const at = Math.floor(random() * range.untilMs);
  const broker = 1 + Math.floor(random() * range.brokers);
  const partition = Math.floor(random() * range.partitions);
  const forMs = Math.floor(random() ** 2 * range.longestMs);
  const times = 1 + Math.floor(random() * 4);
  const kind = pick(range.kinds);
  const api = pick(Object.keys(refusals));
  switch (kind) {
    case 'kill':
    case 'stop':
    case 'black-hole':
      return { at, kind, broker, forMs };
    case 'cut':
    case 'evict-sessions':
    case 'move-controller':
      return { at, kind, broker };
    case 'cut-next':
      return { at, kind, broker: random() < 0.5 ? undefined : broker, when: random() < 0.5 ? 'before' : 'after' };
    case 'slow':
    case 'stale-metadata':
      return { at, kind, broker, forMs, byMs: Math.floor(random() * 800) };
    case 'move-leader':
    case 'lose':
      return { at, kind, partition, broker };
    case 'hold-replication':
      return { at, kind, partition, broker, forMs };
    case 'refuse':
      return { at, kind, api, code: pick(refusals[api] ?? [6]), times };
    case 'do-and-refuse':
      return { at, kind, api: 'Produce', code: pick(afterAppend), times };
    case 'late':
      return { at, kind, api, byMs: Math.floor(random() * 3_000), times };
    case 'throttle':
      return { at, kind, api: pick(['Produce', 'Fetch']), byMs: Math.floor(random() * 500), forMs };
    case 'move-log-start':
      return { at, kind, partition };
    case 'delete-records':
    case 'compact':
      return { at, kind, partition, part: random(), ...(random() < 0.5 ? {} : { broker }) };
    case 'fail-disk':
      return { at, kind, partition, broker, forMs };
    case 'power-cut': {
      const batches = 1 + Math.floor(random() * 5);
      return { at, kind, broker: random() < 0.7 ? 'leader' : broker, forMs, batches, isSafe: false };
    }
    case 'isolate':
      return { at, kind, client: Math.floor(random() * 3), forMs };
    case 'stand-still':
      return { at, kind, client: `c${Math.floor(random() * 3)}`, how: pick(['stopped', 'suspended']), forMs };
    case 'vague-metadata':
      return { at, kind, code: pick([3, 5]), times: 1 + Math.floor(random() * 2) };
    case 'tell-duplicate':
      return { at, kind, times };
    case 'add-partitions':
      return { at, kind };
    case 'die':
      return { at, kind, broker, isSilent: random() < 0.5 };
    case 'move-coordinator':
      return { at, kind, broker };
    case 'elect-unclean':
      return { at, kind, partition, broker, forMs: 100 + Math.floor(random() * 2_000) };
    case 'in-a-row': {
      const codes: readonly FaultStep[] = refusals[api] ?? [];
      const steps = Array.from({ length: 2 + Math.floor(random() * 2) }, () =>
        pick<FaultStep>(['cut', 'do-and-cut', 'late', 'swallow', pick(codes)]),
      );
      return { at, kind, broker, api, steps };
    }
  }
}

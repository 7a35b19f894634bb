import type { CompiledFormat } from '../../records/language/format.ts';
import type { Balancer, GroupProtocol } from '../groups/balancer-words.ts';
import type { OffsetRange } from './offset-words.ts';
import type { PrintDecoding, PrintFilter, PrintSink } from './printer.ts';

/** What to read, and how to print it. */
export interface ConsumeRequest {
  /** Topic names, or regular expressions with `regex`. */
  readonly topics: readonly string[];
  readonly regex: boolean;
  /** The partitions to read of every topic; empty: all. */
  readonly partitions: readonly number[];
  /** The range to read; with a group, its start applies to partitions without a commit, and its end to all. */
  readonly range: OffsetRange;
  /** Print only so many of the last records of the range, over all partitions, in the order of their times. */
  readonly tail?: number | undefined;
  /** How long no record may come before reading ends, in milliseconds; undefined for ever. */
  readonly idleMs?: number | undefined;
  /** The number of records to print in total; Infinity for no limit. */
  readonly limit: number;
  readonly group: GroupMembershipRequest | undefined;
  readonly format: CompiledFormat;
  /** How the keys or values are decoded that the format prints. */
  readonly decode?: PrintDecoding | undefined;
  /** Which of the records are printed; undefined: all. */
  readonly filter?: PrintFilter | undefined;
  readonly readCommitted: boolean;
  readonly printControl: boolean;
  readonly fetchMaxBytes: number;
  readonly fetchMaxPartitionBytes: number;
  readonly fetchMaxWaitMs: number;
  /** The client's rack, which lets the leader redirect reads to a nearer replica; '' for none. */
  readonly rack: string;
  warn(line: string): void;
  /** Called after every answer with the number of records printed so far. */
  onPrinted(records: number): void;
}

/** Which group to join, and how. */
export interface GroupMembershipRequest {
  readonly name: string;
  readonly instanceId: string | undefined;
  /** Undefined: the protocol that the group uses now, or classic for a new group. */
  readonly protocol: GroupProtocol | undefined;
  /** For the classic protocol, in order of preference. */
  readonly balancers: readonly Balancer[];
  /** For the consumer protocol: the coordinator's assignor; undefined for its default. */
  readonly assignor: string | undefined;
}

/** A consumption ready to start: its topics exist and its offsets are known. */
export interface Consumption {
  /** Whether a topic to read was found; false if no topic matches a regular expression yet. */
  readonly hasTopics: boolean;
  /** Prints until the end, the limit or `stop`, without the default of the command timeout; resolves to the number of records. */
  pump(sink: PrintSink): Promise<number>;
  /** Stops reading; `pump` then commits the printed records, leaves the group and resolves. */
  stop(): void;
  /** Returns the time of the newest record of the topics, in milliseconds since the epoch; undefined if it is not known. */
  newestTime(): Promise<number | undefined>;
  /** Finds the partitions in which an open transaction holds back committed records. */
  heldBack(): Promise<readonly HeldBack[]>;
}

/** A partition whose last stable offset is before its end. */
export interface HeldBack {
  readonly topic: string;
  readonly partition: number;
  /** The last stable offset, where a committed read stops. */
  readonly offset: bigint;
  readonly end: bigint;
  /** Whose transaction it is; undefined if that is not known. */
  readonly transactionalId: string | undefined;
}

import type { Client } from '../../protocol/client/client.ts';
import type { RecordFilter } from '../../records/filter/filter.ts';
import type { FetchSchema, RecordDecoding } from '../../records/language/decoding.ts';
import type { OffsetRange } from '../../streams/consume/offset-words.ts';
import type { Sifted } from '../../streams/consume/walk-piece.ts';
import type { CopiedTopic, TranslatedOffset } from './copy-rows.ts';
import type { SchemaField, SchemaMapping } from './schemas.ts';

/** What to copy, and how. */
export interface CopyRequest {
  /** The client of the destination; the same as that of the source in a copy within one cluster. */
  readonly target: { readonly client: Client; readonly profile: string | undefined };
  /** The profile of the source, if the line names it; that of the destination is beside its client. */
  readonly profile: string | undefined;
  readonly topics: readonly TopicPair[];
  /** The partitions to copy of every topic; empty: all. */
  readonly partitions: readonly number[];
  /** The range to copy of partitions without progress; the end applies to all. Undefined as its end: follow the source. */
  readonly range: OffsetRange;
  /** Whether the range begins where somebody has said, and a copy that would begin elsewhere is refused. */
  readonly hasStart: boolean;
  /** Whether to ignore the progress of earlier copies. */
  readonly restarts: boolean;
  /** Whether a destination may have records that no copy has written. */
  readonly appends: boolean;
  /** The group in the destination whose members share the partitions; undefined to copy all of them in this process. */
  readonly group: string | undefined;
  /** Whether to write in transactions, which hold the progress as well. */
  readonly isExactlyOnce: boolean;
  /** Whether records go where their keys belong, instead of to the partition with the same number. */
  readonly isByKey: boolean;
  /** Which records to copy; undefined for all. */
  readonly filter: CopyFilter | undefined;
  /** Gives records the schema ids of the destination's registry; undefined to leave them as they are. */
  readonly schemas: SchemaMapping | undefined;
  /** Called if the first record of a topic seems to have schema ids of a registry that the destination does not use. */
  readonly onForeignIds?: ((topic: string, fields: readonly SchemaField[]) => void) | undefined;
  /** Whether to create missing destinations, like their sources. */
  readonly creates: boolean;
  readonly isDry: boolean;
  /** The groups whose committed offsets are translated; `all`: every group that has committed some for the topics. */
  readonly groups: readonly string[] | 'all';
  readonly fetchMaxWaitMs: number;
  warn(line: string): void;
  notice(line: string): void;
}

/** A filter, with a listener for what it has seen. */
export interface CopyFilter {
  readonly filter: RecordFilter;
  /** Decodes the fields that conditions look at, by the schemas of the source's registry; undefined: they are JSON. */
  readonly decode?: { readonly decoding: RecordDecoding; readonly fetchSchema: FetchSchema } | undefined;
  onSifted(sifted: Sifted): void;
}

/** A topic and the name of its copy. */
export interface TopicPair {
  readonly source: string;
  readonly target: string;
}

/** A copy that is ready to start: its topics exist, and where it begins is known. */
export interface Copying {
  /** What a complete run would copy: at most so many records, since some offsets may have none. */
  readonly planned: readonly CopiedTopic[];
  /** The hint for a copy that ended early. */
  readonly again: string;
  /**
   * Copies to the end of the range, or until `stop`; not bounded by the command timeout.
   * @param onCopied called with the number of records acknowledged so far
   */
  run(onCopied: (records: number) => void): Promise<readonly CopiedTopic[]>;
  /** Translates the committed offsets of the groups, and commits them in the destination unless `isDry`. */
  translateOffsets(isDry: boolean): Promise<readonly TranslatedOffset[]>;
  /** Stops reading; `run` then writes what was read, stores the progress and resolves. */
  stop(): void;
  /** Records that are read but not acknowledged. */
  readonly pending: number;
}

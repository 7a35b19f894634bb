import { CliError, rephrased } from '../../../errors.ts';
import {
  headerSchema,
  isSchemaHeader,
  renamedHeader,
  type SchemaName,
  schemaIdAt,
} from '../../../serde/wire-format.ts';
import type { OutgoingRecord, RecordHeader } from '../../records/batches/batch-records.ts';
import { exactOffset, type RecordCursor } from '../../records/batches/cursor.ts';
import type { Revision } from '../packer.ts';

/** The part of a record that names a schema. */
export type SchemaField = 'key' | 'value';

/** Finds the schemas of one registry in another one. */
export interface SchemaMapping {
  /** The fields whose schemas are mapped. */
  readonly fields: readonly SchemaField[];
  /**
   * Returns what the destination's registry calls a schema, which it gets if it does not have it yet.
   * @throws CliError if the source's registry does not have the schema, or that of the destination does not take it
   */
  nameOf(name: SchemaName, use: SchemaUse): Promise<SchemaName>;
}

/** Where a schema is used. */
export interface SchemaUse {
  readonly field: SchemaField;
  readonly source: string;
  readonly target: string;
}

/** Interrupts copying until a schema is found in the destination's registry. */
class UnmappedSchemaError extends Error {
  override readonly name = 'UnmappedSchemaError';
  readonly schema: SchemaName;
  readonly field: SchemaField;
  /** The record: `topic "a" partition 0 at offset 5`. */
  readonly place: string;

  constructor(schema: SchemaName, field: SchemaField, cursor: RecordCursor) {
    super(`schema ${schema} is not mapped yet`);
    const { topic, partition } = cursor.origin;
    this.schema = schema;
    this.field = field;
    this.place = `topic "${topic}" partition ${partition} at offset ${exactOffset(cursor)}`;
  }
}

/** Puts the names of the destination's registry into records. */
export interface Renamer {
  /**
   * Changes a record that was taken from the cursor. Fields that name no schema stay as they are.
   * @throws an error that `resolves` knows if a schema must be mapped first; the record can then be taken again
   */
  revise: Revision;
  /** Maps the schema that has interrupted `revise`; false for other errors. */
  resolves(error: unknown): Promise<boolean>;
  /** The fields without a schema so far, with null left out. */
  readonly nameless: number;
}

interface Field {
  readonly name: SchemaField;
  readonly mapped: Map<SchemaName, SchemaName>;
  /** The memory of a changed field. */
  scratch: Buffer;
}

/** Creates a renamer for the records that are copied from one topic to another. */
export function createRenamer(mapping: SchemaMapping, topics: Omit<SchemaUse, 'field'>): Renamer {
  const fields = mapping.fields.map((name): Field => ({ name, mapped: new Map(), scratch: Buffer.alloc(0) }));
  let nameless = 0;
  return {
    revise(record, cursor) {
      // All are looked up before anything is changed: the record may be taken again.
      const perField = fields.map((field) => findName(field, cursor, record));
      for (const [at, field] of fields.entries()) {
        const names = perField[at];
        if (names === undefined) {
          if (lengthOf(field.name, record) >= 0) nameless += 1;
        } else if (names.header !== undefined) record.headers = renamedIn(record.headers, names.header, names.to);
        else rename(field, record, Number(names.to));
      }
    },
    async resolves(error) {
      if (!(error instanceof UnmappedSchemaError)) return false;
      const { schema, field, place } = error;
      const mapped = fields.find(({ name }) => name === field)?.mapped;
      try {
        mapped?.set(schema, await mapping.nameOf(schema, { ...topics, field }));
      } catch (failure) {
        throw failure instanceof CliError ? unmappable(failure, { field, place, schema }) : failure;
      }
      return true;
    },
    get nameless() {
      return nameless;
    },
  };
}

function unmappable(
  error: CliError,
  { field, place, schema }: { readonly field: SchemaField; readonly place: string; readonly schema: SchemaName },
): CliError {
  const other = field === 'key' ? 'value' : 'key';
  return rephrased(error, `unable to map schema ${schema} of the ${field} of ${place}: ${error.message}`, {
    hints: [...error.hints, `if a ${field} only looks as if it named a schema: --map-schemas=${other}`],
  });
}

interface Names {
  /** The name in the destination. */
  readonly to: SchemaName;
  /** The header that has the name; undefined if it precedes the payload. */
  readonly header: RecordHeader | undefined;
}

/** The name that a field has in the destination; undefined if it has none. */
function findName({ name: field, mapped }: Field, cursor: RecordCursor, record: OutgoingRecord): Names | undefined {
  const length = lengthOf(field, record);
  if (length < 0) return undefined;
  const header = record.headers.findLast(
    ({ key, value }) =>
      value !== null && isSchemaHeader(latin1(key), field) && headerSchema(latin1(key), asBuffer(value)),
  );
  const start = field === 'key' ? cursor.keyStart : cursor.valueStart;
  const id = schemaIdAt(cursor, start, length);
  // A header takes precedence over what looks like a prefix, as for whoever reads the record.
  const name = header?.value ? headerSchema(latin1(header.key), asBuffer(header.value))?.name : id < 0 ? undefined : id;
  if (name === undefined) return undefined;
  const to = mapped.get(name);
  if (to === undefined) throw new UnmappedSchemaError(name, field, cursor);
  return { to, header };
}

function lengthOf(field: SchemaField, record: OutgoingRecord): number {
  return field === 'key' ? record.keyLength : record.valueLength;
}

function latin1(bytes: Uint8Array): string {
  return asBuffer(bytes).toString('latin1');
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}

/** Replaces the id that precedes a payload, in memory of its own. */
function rename(field: Field, record: OutgoingRecord, id: number): void {
  const isKey = field.name === 'key';
  const length = lengthOf(field.name, record);
  const [bytes, start] = isKey ? [record.keyBytes, record.keyStart] : [record.valueBytes, record.valueStart];
  if (field.scratch.length < length) field.scratch = Buffer.allocUnsafe(length * 2);
  const { scratch } = field;
  scratch.set(bytes.subarray(start, start + length));
  scratch.writeUInt32BE(id, 1);
  if (isKey) {
    record.keyBytes = scratch;
    record.keyStart = 0;
  } else {
    record.valueBytes = scratch;
    record.valueStart = 0;
  }
}

function renamedIn(headers: readonly RecordHeader[], named: RecordHeader, to: SchemaName): readonly RecordHeader[] {
  return headers.map((header) => {
    if (header !== named || header.value === null) return header;
    return { key: header.key, value: renamedHeader(latin1(header.key), asBuffer(header.value), to) };
  });
}

import { printable } from '../../format/printable.ts';
import { contextOf, inContextOf } from '../../registry/context-words.ts';
import { type NewSchema, type Reference, SchemaType } from '../../registry/rows.ts';
import { compatibilityLevels, typeOfFile } from '../../registry/schema-words.ts';
import { isObject } from '../../shape/object.ts';
import { described, filled, leftOut, type RowOf, type Shape, word } from '../../shape/shape.ts';
import { byName, checked, emptyIfNull, type Fault, Faults, fields, items } from '../file/fields.ts';
import { removalFault, removalFields } from '../file/removal.ts';
import type { Contradiction, ReadFile, Sections } from './kind.ts';

/** A reference as it is written: `{money.proto: money, version: 2}`. */
type ReferenceEntry = Readonly<Record<string, string | number>>;

const referenceForm = 'write {NAME: SUBJECT, version: latest}, with the name that the schema uses';

const referenceShape: Shape<ReferenceEntry> = {
  take(value) {
    if (!isObject(value)) return new Faults([{ way: [], why: referenceForm }]);
    const { version = 'latest', ...names } = value;
    const [subject, ...others] = Object.values(names);
    if (typeof subject !== 'string' || subject === '' || others.length > 0)
      return new Faults([{ way: [], why: referenceForm }]);
    const isVersion = version === 'latest' || (Number.isInteger(version) && Number(version) > 0);
    if (!isVersion) return new Faults([{ way: ['version'], why: 'expected a number from 1, or latest' }]);
    return value as ReferenceEntry;
  },
  schema: () => ({
    type: 'object',
    properties: {
      version: {
        anyOf: [{ type: 'integer', minimum: 1 }, { const: 'latest' }],
        description: 'the version of the subject; latest follows it (default: latest)',
      },
    },
    additionalProperties: { type: 'string' },
    minProperties: 1,
    maxProperties: 2,
  }),
};

const schemaFields = fields({
  level: leftOut(described(word(...compatibilityLevels), 'the compatibility level of the subject')),
  file: leftOut(described(filled, 'the file with the schema, seen from the folder of this one')),
  schema: leftOut(described(filled, 'the schema itself')),
  type: leftOut(described(SchemaType, 'the type of the schema (default: by the ending of the file)')),
  references: leftOut(described(items(referenceShape), 'what the schema refers to, each as {NAME: SUBJECT}')),
  ...removalFields,
});

type SchemaEntry = RowOf<typeof schemaFields>;

const schemaShape = checked(emptyIfNull(schemaFields), schemaFault);

/** The section `schemas`: subjects, with their schemas and levels. */
export const schemasShape = byName(schemaShape, (name) => {
  if (name === '') return 'it is empty';
  return printable(name) === name ? undefined : 'a subject has no control characters';
});

function schemaFault(entry: SchemaEntry): string | undefined {
  const { absent, level, file, schema, type, references } = entry;
  if (absent === true || entry.because !== undefined) return removalFault(entry);
  if (file !== undefined && schema !== undefined) return 'a subject has a file or a schema, not both';
  const hasSchema = file !== undefined || schema !== undefined;
  if (!hasSchema && level === undefined) return 'name its schema (file or schema) or its level';
  if (!hasSchema && (type ?? references) !== undefined) return 'type and references belong to a file or a schema';
  if (schema !== undefined && type === undefined) return `name the type of the schema: ${typeNames}`;
  return undefined;
}

const typeNames = 'AVRO, PROTOBUF or JSON';

/** A subject that the files name. */
export interface WantedSubject {
  readonly name: string;
  readonly way: readonly string[];
  readonly level: string | undefined;
  /** The version -1 of a reference is the latest one. */
  readonly schema: NewSchema | undefined;
  readonly absent: boolean;
  readonly because: string | undefined;
}

/** The subjects of a section that was read. */
export function wantedSubjects({ schemas = {} }: Sections): readonly WantedSubject[] {
  return Object.entries(schemas as RowOf<typeof schemasShape>).map(([name, entry]) => ({
    name,
    way: ['schemas', name],
    level: entry.level,
    schema: schemaOf(entry),
    absent: entry.absent === true,
    because: entry.because,
  }));
}

function schemaOf({ schema: text, type, references = [] }: SchemaEntry): NewSchema | undefined {
  if (text === undefined || type === undefined) return undefined;
  return { type, text, references: references.map(referenceOf) };
}

function referenceOf({ version = 'latest', ...names }: ReferenceEntry): Reference {
  const [[name, subject] = ['', '']] = Object.entries(names);
  return { name, subject: String(subject), version: version === 'latest' ? -1 : Number(version) };
}

/** A reference as the files have it. */
export function referenceEntry({ name, subject, version }: Reference): ReferenceEntry {
  return { [name]: subject, version: version === -1 ? 'latest' : version };
}

/** Reads the files of schemas, so that the sections have their texts. */
export async function withSchemaTexts({ schemas, ...sections }: Sections, read: ReadFile): Promise<Sections | Faults> {
  if (schemas === undefined) return sections;
  const faults: Fault[] = [];
  const entries: [string, SchemaEntry][] = [];
  for (const [name, entry] of Object.entries(schemas as RowOf<typeof schemasShape>)) {
    const made = await withText(entry, read);
    if ('why' in made) faults.push({ ...made, way: ['schemas', name, ...made.way] });
    else entries.push([name, made]);
  }
  return faults.length > 0 ? new Faults(faults) : { ...sections, schemas: Object.fromEntries(entries) };
}

async function withText(entry: SchemaEntry, read: ReadFile): Promise<SchemaEntry | Fault> {
  const { file, ...others } = entry;
  const field = file === undefined ? 'schema' : 'file';
  const text = file === undefined ? entry.schema : await read(file);
  if (text === undefined) return entry;
  if (typeof text !== 'string') return { way: [field], why: text.fault };
  if (text.trim() === '') return { way: [field], why: 'the schema is empty' };
  const type = entry.type ?? typeOfFile(file ?? '');
  if (type === undefined)
    return { way: [field], why: `it does not end with .avsc, .proto or .json: name its type: ${typeNames}` };
  const why = type === 'PROTOBUF' ? undefined : jsonFault(text);
  return why === undefined
    ? { ...others, type, schema: text }
    : { way: [field], why: `the schema is not JSON: ${why}` };
}

/** Why a text is not JSON; not every registry says it. */
function jsonFault(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    return error instanceof Error ? printable(error.message) : String(error);
  }
}

/** The subjects among others that a schema of a subject refers to. */
export function referredTo({ name, schema }: Pick<WantedSubject, 'name' | 'schema'>): readonly string[] {
  return (schema?.references ?? []).map(({ subject }) => inContextOf(contextOf(name), subject));
}

/** The subjects, each after those that it refers to. What refers to itself in a circle comes somewhere. */
export function inReferenceOrder(subjects: ReadonlyMap<string, WantedSubject>): readonly WantedSubject[] {
  const ordered = new Set<WantedSubject>();
  const open = new Set<string>();
  const visit = (subject: WantedSubject): void => {
    if (open.has(subject.name)) return;
    open.add(subject.name);
    for (const other of referredTo(subject)) {
      const next = subjects.get(other);
      if (next !== undefined) visit(next);
    }
    ordered.add(subject);
  };
  for (const subject of subjects.values()) visit(subject);
  return [...ordered];
}

/** References that go in a circle: a subject, and the one that refers back to it. */
export function circles(sections: Sections): readonly Contradiction[] {
  const subjects = new Map(wantedSubjects(sections).map((one) => [one.name, one]));
  const done = new Set<string>();
  const found: Contradiction[] = [];
  const visit = (subject: WantedSubject, trail: readonly string[]): void => {
    const at = trail.indexOf(subject.name);
    const [from = '', to = ''] = [trail.at(-1), subject.name];
    if (at >= 0) {
      const circle = [...trail.slice(at), subject.name].join(' → ');
      found.push({
        way: ['schemas', from],
        first: ['schemas', to],
        why: `is what it refers to, in a circle: ${circle}`,
      });
    }
    if (at >= 0 || done.has(subject.name)) return;
    for (const other of referredTo(subject)) {
      const next = subjects.get(other);
      if (next !== undefined) visit(next, [...trail, subject.name]);
    }
    done.add(subject.name);
  };
  for (const subject of subjects.values()) visit(subject, []);
  return found;
}

import { fieldsOf, isObject } from '../../shape/object.ts';
import { type Fields, type FieldsOf, listOf, type Row, type Shape } from '../../shape/shape.ts';
import type { Faults } from '../file/fields.ts';
import type { ReadFile } from '../kinds/kind.ts';

/** The names on the way to a value. */
export type Way = readonly (string | number)[];

/** What a resource becomes: an entry of a section, or a reason why a part of it is lost. */
export type Piece = EntryPiece | LostPiece;

/** An entry of a section. Two with the same name are one. */
export interface EntryPiece {
  readonly section: string;
  readonly name: string;
  readonly entry: Readonly<Record<string, unknown>>;
  /** Where it is in the resource (default: the resource). */
  readonly way?: Way;
}

/** What has no counterpart, or cannot be read. */
interface LostPiece {
  readonly lost: string;
  readonly why: string;
  /** Whether it is a kind of field, which is reported once for all resources. */
  readonly isField?: boolean;
  readonly way?: Way;
}

/** A resource of a foreign file. */
export interface Resource {
  /** For example `KafkaTopic`. */
  readonly kind: string;
  /** What its file calls it. */
  readonly name: string;
  readonly value: unknown;
  readonly way: Way;
}

/** A part of a document that may be a resource. */
export type Node = Pick<Resource, 'value' | 'way'>;

/** Finds another resource of the same format by its kind and name. */
export type Find = (kind: string, name: string) => unknown;

/** What a reader may look at besides the resource. */
export interface Surroundings {
  readonly find: Find;
}

/** Reads the resources of one kind. */
export interface Reader {
  /** The fields that it reads; all others are reported as lost. */
  readonly shape: Row<Fields>;
  pieces(fields: never, around: Surroundings): readonly Piece[];
}

/** Declares how a kind is read. */
export function reader<F extends Fields>(
  shape: Row<F>,
  pieces: (fields: FieldsOf<F>, around: Surroundings) => readonly Piece[],
): Reader {
  return { shape, pieces };
}

/** A kind of file that people have. */
export interface Format {
  readonly name: string;
  /** The resources of a node; undefined if it is of another format. */
  resourcesIn(node: Node): readonly Resource[] | undefined;
  readonly readers: Readonly<Record<string, Reader>>;
  /** The annotation by which a resource is left out (default: there is none). */
  withheld?(resource: Resource): string | undefined;
  /** Fields that are neither read nor lost. */
  readonly ignored: readonly string[];
  /** Whether people know its resources by their names, and not by their places in a file (default: by their places). */
  readonly hasAddresses?: boolean;
  /** Puts the text of a file that a resource names in its place (default: it names none). */
  withFile?(resource: Resource, read: ReadFile): Promise<Resource | Faults>;
  /** Why fields are lost, or kinds, if there is more to say. */
  readonly reasons: Readonly<Record<string, string>>;
}

/** A list whose items have declared fields. */
interface RowList<F extends Fields> extends Shape<readonly FieldsOf<F>[]> {
  readonly item: Row<F>;
}

/** A list of objects with fields that are read. */
export function rows<F extends Fields>(item: Row<F>): RowList<F> {
  return { ...listOf(item), item };
}

/** The nodes of a document: itself, or the items of a list such as `kubectl get -o yaml` prints. */
export function nodesIn(value: unknown, way: Way = []): readonly Node[] {
  const { apiVersion, kind, items } = fieldsOf(value);
  if (typeof kind !== 'string' || !kind.endsWith('List') || !Array.isArray(items)) return [{ value, way }];
  return items.flatMap((item, at) =>
    nodesIn({ apiVersion, kind: kind.slice(0, -'List'.length), ...fieldsOf(item) }, [...way, 'items', at]),
  );
}

/** Finds the resources of Kubernetes, and of tools with its form, whose API has a group. */
export function kubernetesResource(group: RegExp): Format['resourcesIn'] {
  return ({ value, way }) => {
    const { apiVersion, kind, metadata } = fieldsOf(value);
    if (typeof apiVersion !== 'string' || typeof kind !== 'string' || !group.test(apiVersion)) return undefined;
    const { name } = fieldsOf(metadata);
    return [{ kind, name: typeof name === 'string' ? name : '', value, way }];
  };
}

/** What Kubernetes itself adds to a resource. */
export const kubernetesFields: readonly string[] = [
  'apiVersion',
  'kind',
  'status',
  ...['creationTimestamp', 'generation', 'managedFields', 'resourceVersion', 'selfLink', 'uid'].map(
    (name) => `metadata.${name}`,
  ),
];

interface Entry {
  readonly way: readonly string[];
  readonly shape: Shape<unknown>;
}

/** The ways to the fields of a resource that its reader does not read. */
export function unreadFields(value: unknown, shape: Row<Fields>, ignored: readonly string[]): readonly Way[] {
  const others = ignored.map((source) => ({ way: source.split('.'), shape: nothingInside }));
  return unreadIn(value, [...entriesOf(shape), ...others], []);
}

const nothingInside: Shape<unknown> = { take: (value) => value, schema: () => ({}) };

function entriesOf({ fields }: Row<Fields>): readonly Entry[] {
  return Object.entries(fields).map(([name, field]) =>
    'source' in field ? { way: field.source.split('.'), shape: field.shape } : { way: [name], shape: field },
  );
}

function unreadIn(value: unknown, entries: readonly Entry[], at: Way): readonly Way[] {
  return Object.entries(fieldsOf(value)).flatMap(([name, inner]) => {
    const below = entries.filter(({ way }) => way[0] === name);
    const way = [...at, name];
    if (below.length === 0) return isEmpty(inner) ? [] : [way];
    const deeper = below.filter((one) => one.way.length > 1).map((one) => ({ ...one, way: one.way.slice(1) }));
    if (deeper.length > 0) return unreadIn(inner, deeper, way);
    const list = below.map(({ shape: one }) => one).find((one) => 'item' in one);
    if (list === undefined || !Array.isArray(inner)) return [];
    const fields = entriesOf(list.item as Row<Fields>);
    return inner.flatMap((item, index) => unreadIn(item, fields, [...way, index]));
  });
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === '' || value === false) return true;
  return Array.isArray(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0;
}

import fc from 'fast-check';
import { seededRandom } from '../../../src/serde/random.ts';

/** JSON of an Avro schema. */
export type SchemaJson = string | readonly SchemaJson[] | { readonly [key: string]: unknown };

const scalars: readonly SchemaJson[] = [
  ...['null', 'boolean', 'int', 'long', 'float', 'double', 'bytes', 'string'],
  { type: 'long', logicalType: 'timestamp-millis' },
  { type: 'string', logicalType: 'uuid' },
];

const words = [
  'id',
  'name',
  'value',
  'toString',
  'constructor',
  '__proto__',
  'a_rather_long_name_for_a_field',
  'x',
  'größe',
  // Names that registries hold, although the specification does not allow them.
  'first-name',
  'a b',
  '"quoted\\"\n',
  '\u2028',
];
const namespaces = ['shop', 'com.example.orders', 'com.my-company.Outer$', '"\\'];

/** Makes one schema out of random numbers from 0 to 1. */
class SchemaMaker {
  private readonly defined: string[] = [];
  private readonly open: string[] = [];
  private count = 0;
  private readonly random: () => number;
  /** Types inside a namespace cannot refer to types without one. */
  private readonly namespaces: readonly string[];

  constructor(random: () => number) {
    this.random = random;
    this.namespaces = this.below(3) === 0 ? [''] : namespaces;
  }

  private below(end: number): number {
    return Math.floor(this.random() * end);
  }

  private one<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }

  private name(): { name: string; namespace: string; full: string } {
    const name = `${this.one(['Order', 'Item', 'T', 'constructor', 'My-"\\\n'])}${this.count++}`;
    const namespace = this.one(this.namespaces);
    return { name, namespace, full: namespace === '' ? name : `${namespace}.${name}` };
  }

  type(depth: number, inUnion = false): SchemaJson {
    const kind = this.below(depth > 3 ? 8 : 16);
    if (kind < 7) return this.one(scalars);
    if (kind === 7) return this.known();
    if (kind === 8) return { type: 'array', items: this.inside(depth + 1) };
    if (kind === 9) return { type: 'map', values: this.inside(depth + 1) };
    if (kind === 10) return this.enum();
    if (kind === 11) return this.fixed();
    if (kind <= 13 && !inUnion) return this.union(depth + 1);
    return this.record(depth + 1);
  }

  /** What an array or map contains: any type, or a record that is around it. */
  private inside(depth: number): SchemaJson {
    return this.open.length > 0 && this.below(5) === 0 ? this.one(this.open) : this.type(depth);
  }

  /** A type that was defined before, or a scalar. */
  private known(): SchemaJson {
    return this.defined.length > 0 ? this.one(this.defined) : this.one(scalars);
  }

  private enum(): SchemaJson {
    const { full, ...names } = this.name();
    const count = this.below(12) === 0 ? 150 : 1 + this.below(5);
    const prefix = this.one([
      'S',
      'A_LONGER_SYMBOL_',
      'A_SYMBOL_THAT_IS_MUCH_LONGER_THAN_FORTY_EIGHT_LETTERS_',
      'ß',
      '"\\\n',
    ]);
    this.defined.push(full);
    return { type: 'enum', ...names, symbols: Array.from({ length: count }, (_, index) => `${prefix}${index}`) };
  }

  private fixed(): SchemaJson {
    const { full, ...names } = this.name();
    this.defined.push(full);
    return { type: 'fixed', ...names, size: this.one([0, 1, 4, 16, 100]) };
  }

  private union(depth: number): SchemaJson {
    const branches = new Map<string, SchemaJson>();
    if (this.below(2) === 0) branches.set('null', 'null');
    const wide = this.below(20) === 0 ? 70 : this.below(5);
    for (let left = wide; left > 0; left--) {
      const before = this.defined.length;
      const branch: SchemaJson = wide === 70 ? this.fixed() : this.type(depth, true);
      const tag = tagOf(branch);
      if (!branches.has(tag)) branches.set(tag, branch);
      else this.defined.length = before;
    }
    if (this.open.length > 0 && this.below(3) === 0) {
      const around = this.one(this.open);
      branches.set('null', branches.get('null') ?? 'null');
      branches.set(around, branches.get(around) ?? around);
    }
    return branches.size === 0 ? ['null', 'string'] : [...branches.values()];
  }

  record(depth: number): SchemaJson {
    const { full, ...names } = this.name();
    this.open.push(full);
    // Never without fields: Java's JSON then lacks the record.
    const count = this.below(15) === 0 ? 40 : 1 + this.below(6);
    const fields = Array.from({ length: count }, (_, index) => ({
      name: `${this.one(words)}${this.below(3) === 0 || count > 6 ? index : ''}`,
      type: this.type(count > 10 ? 4 : depth),
      ...(this.below(4) === 0 && { aliases: ['old', 'old-"name"'] }),
    }));
    this.open.pop();
    this.defined.push(full);
    const seen = new Set<string>();
    for (const field of fields) {
      while (seen.has(field.name)) field.name += '_';
      seen.add(field.name);
    }
    return { type: 'record', ...names, fields };
  }
}

/** The tag of a type in a union. */
function tagOf(type: SchemaJson): string {
  if (typeof type === 'string') return type;
  const { type: kind, name, namespace } = type as { type: string; name?: string; namespace?: string };
  if (name === undefined) return kind;
  return namespace === '' || namespace === undefined ? name : `${namespace}.${name}`;
}

/** The JSON text of a random schema: mostly a record, sometimes any type. */
export function randomSchema(seed: number): string {
  const random = seededRandom(seed);
  const maker = new SchemaMaker(random);
  return JSON.stringify(random() < 0.8 ? maker.record(0) : maker.type(0));
}

/** Random schemas for properties. */
export const schemas = fc.noShrink(fc.integer({ min: 0, max: 2 ** 31 - 1 })).map(randomSchema);

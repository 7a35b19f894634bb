import { type AvroType, type RecordType, tagOf } from './model.ts';

/** What a schema consists of. */
export interface Census {
  /** The number of types, each record counted once. */
  readonly types: number;
  /** How often each record occurs. */
  readonly uses: ReadonlyMap<RecordType, number>;
  /** The texts that JSON has from the schema: names of fields and types, and symbols. */
  readonly words: ReadonlySet<string>;
  /** Whether there are bytes of any kind. */
  readonly hasBytes: boolean;
}

/** Counts the types of a schema. */
export function takeCensus(type: AvroType): Census {
  const uses = new Map<RecordType, number>();
  const words = new Set<string>();
  let [types, hasBytes] = [0, false];
  const queue: AvroType[] = [type];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    types += next.kind === 'enum' ? 1 + next.symbols.length : 1;
    words.add(tagOf(next));
    hasBytes ||= next.kind === 'bytes' || next.kind === 'fixed';
    if (next.kind === 'record') {
      const count = uses.get(next) ?? 0;
      uses.set(next, count + 1);
      if (count > 0) continue;
    }
    for (const word of wordsIn(next)) words.add(word);
    for (const inner of typesIn(next)) queue.push(inner);
  }
  return { types, uses, words, hasBytes };
}

function wordsIn(type: AvroType): readonly string[] {
  if (type.kind === 'enum') return type.symbols;
  return type.kind === 'record' ? type.fields.map(({ name }) => name) : [];
}

function typesIn(type: AvroType): readonly AvroType[] {
  if (type.kind === 'record') return type.fields.map((field) => field.type);
  if (type.kind === 'union') return type.branches;
  if (type.kind === 'array') return [type.items];
  return type.kind === 'map' ? [type.values] : [];
}

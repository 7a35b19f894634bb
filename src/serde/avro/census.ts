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
    types++;
    words.add(tagOf(next));
    hasBytes ||= next.kind === 'bytes' || next.kind === 'fixed';
    if (next.kind === 'array') queue.push(next.items);
    else if (next.kind === 'map') queue.push(next.values);
    else if (next.kind === 'union') for (const branch of next.branches) queue.push(branch);
    else if (next.kind === 'enum') {
      types += next.symbols.length;
      for (const symbol of next.symbols) words.add(symbol);
    } else if (next.kind === 'record') {
      const count = uses.get(next) ?? 0;
      uses.set(next, count + 1);
      if (count > 0) continue;
      for (const { name, type: of } of next.fields) {
        words.add(name);
        queue.push(of);
      }
    }
  }
  return { types, uses, words, hasBytes };
}

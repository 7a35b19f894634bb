import type { AvroType, RecordType } from './model.ts';

/** What a schema consists of. */
export interface Census {
  /** The number of types, each record counted once. */
  readonly types: number;
  /** How often each record occurs. */
  readonly uses: ReadonlyMap<RecordType, number>;
}

/** Counts the types of a schema. */
export function takeCensus(type: AvroType): Census {
  const uses = new Map<RecordType, number>();
  let types = 0;
  const queue: AvroType[] = [type];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    types++;
    if (next.kind === 'array') queue.push(next.items);
    else if (next.kind === 'map') queue.push(next.values);
    else if (next.kind === 'union') for (const branch of next.branches) queue.push(branch);
    else if (next.kind === 'enum') types += next.symbols.length;
    else if (next.kind === 'record') {
      const count = uses.get(next) ?? 0;
      uses.set(next, count + 1);
      if (count === 0) for (const field of next.fields) queue.push(field.type);
    }
  }
  return { types, uses };
}

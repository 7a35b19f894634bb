import type { JsonValue } from '../json/json-value.ts';
import { containerAt, type Natural, noteBranch, type Replace, replaceEach } from '../natural.ts';
import type { AvroType, RecordType, UnionType } from './model.ts';
import { tagOf } from './model.ts';

/** Returns what makes values of unions from the JSON of a type; it is compiled at the first call. */
export function naturalOf(type: AvroType): Natural {
  let replace: Replace | undefined;
  let isCompiled = false;
  return {
    apply(container, name) {
      if (!isCompiled) replace = replacing(type, new Map());
      isCompiled = true;
      replace?.(container, name);
    },
  };
}

type Records = Map<RecordType, Replace>;

/** Returns undefined if nothing is to be replaced. */
function replacing(type: AvroType, records: Records): Replace | undefined {
  switch (type.kind) {
    case 'record':
      return replacingRecord(type, records);
    case 'union':
      return replacingUnion(type, records);
    case 'array':
    case 'map': {
      const inner = replacing(type.kind === 'array' ? type.items : type.values, records);
      return inner && replaceEach(inner);
    }
    default:
      return undefined;
  }
}

/** Its fields are compiled when there is a value: a record may contain itself. */
function replacingRecord(type: RecordType, records: Records): Replace {
  const cached = records.get(type);
  if (cached !== undefined) return cached;
  let fields: readonly (readonly [string, Replace])[] | undefined;
  const replace: Replace = (container, name) => {
    fields ??= type.fields.flatMap((field) => {
      const inner = replacing(field.type, records);
      return inner === undefined ? [] : [[field.name, inner] as const];
    });
    const record = containerAt(container, name);
    if (record !== undefined) for (const [field, inner] of fields) inner(record, field);
  };
  records.set(type, replace);
  return replace;
}

function replacingUnion({ branches }: UnionType, records: Records): Replace {
  const inner = new Map(branches.map((branch) => [tagOf(branch), replacing(branch, records)]));
  return (container, name) => {
    const wrapped = containerAt(container, name);
    if (wrapped === undefined) return;
    const [branch = ''] = Object.keys(wrapped);
    container[name] = wrapped[branch] as JsonValue;
    inner.get(branch)?.(container, name);
    noteBranch(container, name, branch);
  };
}

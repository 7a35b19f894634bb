import type { JsonValue } from '../json/json-value.ts';
import { type Container, containerAt, type Natural, noteBranch, type Replace, replaceEach } from '../natural.ts';
import type { AvroType, FixedType, PrimitiveType, RecordType, UnionType } from './model.ts';
import { tagOf } from './model.ts';

/** Returns what makes values of unions and decimals from the JSON of a type; it is compiled at the first call. */
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
    case 'bytes':
    case 'fixed':
      return replacingDecimal(type);
    default:
      return undefined;
  }
}

/** Its fields are compiled when there is a value: a record may contain itself. */
function replacingRecord(type: RecordType, records: Records): Replace {
  const known = records.get(type);
  if (known !== undefined) return known;
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

/** More bytes than this are no number that anybody writes. */
const mostBytes = 64;

function replacingDecimal(type: PrimitiveType | FixedType): Replace | undefined {
  const { scale = type.kind === 'fixed' ? -1 : 0 } = type;
  const isDecimal = type.kind === 'fixed' || type.logicalType === 'decimal';
  if (!isDecimal || !Number.isInteger(scale) || scale < 0 || scale > mostBytes * 3) return undefined;
  return (container, name) => replaceDecimal(container, name, scale);
}

function replaceDecimal(container: Container, name: string | number, scale: number): void {
  const text = container[name];
  if (typeof text !== 'string' || text.length > mostBytes) return;
  const hex = Buffer.from(text, 'latin1').toString('hex');
  container[name] = decimal(BigInt.asIntN(text.length * 8, BigInt(`0x0${hex}`)), scale);
}

/** An integer is exact; a fraction is the number that its digits are in JSON. */
function decimal(unscaled: bigint, scale: number): number | bigint {
  const one = 10n ** BigInt(scale);
  if (unscaled % one === 0n) {
    const whole = unscaled / one;
    return Number.isSafeInteger(Number(whole)) ? Number(whole) : whole;
  }
  return Number(`${unscaled}e-${scale}`);
}

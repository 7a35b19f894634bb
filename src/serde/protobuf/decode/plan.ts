import type { DescEnum, DescMessage } from '@bufbuild/protobuf';
import { type Arena, appendLiteral, literalOf } from '../../../bytes/arena.ts';
import { appendDecimal } from '../../../bytes/decimal.ts';
import type { Files } from '../files.ts';
import { naturalMessages } from '../natural.ts';
import { isRequired, type Member, planner, traitsOf, wellKnown } from '../plans.ts';
import { writeNested } from './message.ts';
import type { FieldPlan, MessagePlan } from './message-plan.ts';
import { type Payload, readVarint } from './payload.ts';
import { type ScalarReader, scalarReader } from './scalars.ts';
import { wellKnownWriters } from './well-known.ts';

/** Finds or creates plans. */
export type Planner = (type: DescMessage) => MessagePlan;

/** Creates a planner for the message types of a schema. */
export function createPlanner(files: Files): Planner {
  const natural = naturalMessages(files);
  return planner(files, ({ type, members, plan, planOf }) => {
    const oneofs = new Map(type.oneofs.map((oneof, index) => [oneof, index]));
    const fields = members.map((field, index) => {
      const oneof = (field.oneof && oneofs.get(field.oneof)) ?? -1;
      return planField(field, { index, oneof }, plan);
    });
    return {
      type,
      special: wellKnown(files, type, wellKnownWriters),
      fields,
      find: finder(fields),
      natural: natural(type),
      required: fields.filter((_, at) => isRequired(members[at] as Member)),
      planOf,
    };
  });
}

/** The highest number that is looked up in an array. */
const denseNumbers = 1024;

function finder(fields: readonly FieldPlan[]): MessagePlan['find'] {
  const dense: (FieldPlan | undefined)[] = [];
  const sparse = new Map<number, FieldPlan>();
  for (const field of fields) {
    if (field.number > denseNumbers) sparse.set(field.number, field);
    else {
      while (dense.length <= field.number) dense.push(undefined);
      dense[field.number] = field;
    }
  }
  return (number) => (number < dense.length ? dense[number] : sparse.get(number));
}

function planField(field: Member, place: Pick<FieldPlan, 'index' | 'oneof'>, plan: Planner): FieldPlan {
  const name = JSON.stringify(field.jsonName);
  const { number, kind, isImplicit, isGroup } = traitsOf(field);
  const { message } = field;
  const element = elementReader(field);
  const valueWire = element?.wire ?? 2;
  const nested = message && (() => plan(message));
  const group = isGroup ? number : 0;
  return {
    ...place,
    number,
    name: field.name,
    path: /^[A-Za-z_]\w*$/.test(field.jsonName) ? `.${field.jsonName}` : `[${name}]`,
    key: literalOf(`,${name}:`),
    firstKey: literalOf(`${name}:`),
    kind,
    wire: kind === 'map' ? 2 : isGroup ? 3 : valueWire,
    valueWire,
    isPackable: kind === 'list' && valueWire !== 2,
    isImplicit,
    write: element?.write ?? nestedWriter(nested as () => MessagePlan, group),
    message: nested,
    group,
    scalar: field.fieldKind === 'map' ? undefined : field.scalar,
    symbols: field.enum && enumPlan(field.enum).symbols,
    closed: field.enum && enumPlan(field.enum).closed,
    mapKey: field.fieldKind === 'map' ? field.mapKey : undefined,
  };
}

function nestedWriter(message: () => MessagePlan, group: number): ScalarReader['write'] {
  return (payload, arena) => writeNested(payload, arena, message(), group);
}

function elementReader(field: Member): ScalarReader | undefined {
  if (field.enum !== undefined) return enumPlan(field.enum).reader;
  return field.scalar === undefined ? undefined : scalarReader(field.scalar);
}

/** What all fields of an enum share. */
interface EnumPlan extends Pick<FieldPlan, 'symbols' | 'closed'> {
  readonly reader: ScalarReader;
}

/** An enum can have tens of thousands of values, and as many fields. */
const enumPlans = new WeakMap<DescEnum, EnumPlan>();

function enumPlan(type: DescEnum): EnumPlan {
  const plan = enumPlans.get(type);
  if (plan !== undefined) return plan;
  const texts = textsOf(type);
  const made: EnumPlan = {
    reader: enumReader(texts),
    symbols: symbolsOf(texts),
    closed: type.open ? undefined : new Set(type.values.map(({ number }) => number)),
  };
  enumPlans.set(type, made);
  return made;
}

function enumReader(texts: ReadonlyMap<number, string>): ScalarReader {
  const literals = new Map([...texts].map(([number, text]) => [number, literalOf(text)]));
  const write = (payload: Payload, arena: Arena) => {
    readVarint(payload);
    const text = literals.get(payload.low);
    if (text === undefined) appendDecimal(arena, payload.low);
    else appendLiteral(arena, text);
  };
  return { wire: 0, write };
}

/** The JSON of the values by number; of several names for a number the first one counts. */
function textsOf({ typeName, values }: DescEnum): ReadonlyMap<number, string> {
  const isNull = typeName === 'google.protobuf.NullValue';
  return new Map(values.toReversed().map(({ number, name }) => [number, isNull ? 'null' : JSON.stringify(name)]));
}

function symbolsOf(texts: ReadonlyMap<number, string>): readonly Uint8Array[] | undefined {
  const symbols: Uint8Array[] = [];
  for (let number = 0; number < texts.size; number++) {
    const text = texts.get(number);
    if (text === undefined) return undefined;
    symbols.push(Buffer.from(text));
  }
  return symbols;
}

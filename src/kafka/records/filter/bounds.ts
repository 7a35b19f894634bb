import { type Binary, type Comparison, type Expression, isComparison, mirrored } from './syntax.ts';
import { recordNameOf } from './walk-expression.ts';

/** What the places and times of all matches have in common; undefined: nothing. */
export interface Bounds {
  readonly partitions?: ReadonlySet<number> | undefined;
  readonly minOffset?: bigint | undefined;
  /** Inclusive. */
  readonly maxOffset?: bigint | undefined;
  /** In milliseconds since the epoch. */
  readonly minTime?: bigint | undefined;
}

const anywhere: Bounds = {};

/** Returns bounds of the records for which the expression is true. */
export function boundsOf(expression: Expression): Bounds {
  if (expression.kind !== 'binary') return anywhere;
  const { operator, left, right } = expression;
  if (operator === '&&') return allBounds([boundsOf(left), boundsOf(right)]);
  if (operator === '||') return eitherBounds(boundsOf(left), boundsOf(right));
  if (operator === 'in') return listed(expression);
  return compared(expression);
}

/** Bounds of what is within all of them. */
export function allBounds(all: readonly Bounds[]): Bounds {
  return all.reduce(
    (one, other) => ({
      partitions: common(one.partitions, other.partitions),
      minOffset: larger(one.minOffset, other.minOffset),
      maxOffset: smaller(one.maxOffset, other.maxOffset),
      minTime: larger(one.minTime, other.minTime),
    }),
    anywhere,
  );
}

type Numbers = ReadonlySet<number> | undefined;

function common(one: Numbers, other: Numbers): Numbers {
  if (one === undefined || other === undefined) return one ?? other;
  return new Set([...one].filter((number) => other.has(number)));
}

function larger(one: bigint | undefined, other: bigint | undefined): bigint | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return one > other ? one : other;
}

function smaller(one: bigint | undefined, other: bigint | undefined): bigint | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return one < other ? one : other;
}

function eitherBounds(one: Bounds, other: Bounds): Bounds {
  const mergeIfBoth = <T>(first: T | undefined, second: T | undefined, join: (first: T, second: T) => T | undefined) =>
    first === undefined || second === undefined ? undefined : join(first, second);
  return {
    partitions: mergeIfBoth(one.partitions, other.partitions, (first, second) => new Set([...first, ...second])),
    minOffset: mergeIfBoth(one.minOffset, other.minOffset, smaller),
    maxOffset: mergeIfBoth(one.maxOffset, other.maxOffset, larger),
    minTime: mergeIfBoth(one.minTime, other.minTime, smaller),
  };
}

/** `partition in [1, 2]`. */
function listed({ left, right }: Binary): Bounds {
  if (boundedFieldIn(left) !== 'partition' || right.kind !== 'list') return anywhere;
  const numbers = right.items.map(integerIn);
  const areAll = numbers.every((number) => number !== undefined);
  return areAll ? { partitions: new Set(numbers.map(Number)) } : anywhere;
}

function compared({ operator, left, right }: Binary): Bounds {
  if (!isComparison(operator)) return anywhere;
  return within(left, operator, right) ?? within(right, mirrored[operator], left) ?? anywhere;
}

function within(side: Expression, operator: Comparison, other: Expression): Bounds | undefined {
  const [field, number] = [boundedFieldIn(side), integerIn(other)];
  if (field === undefined || number === undefined) return undefined;
  const min = operator === '>' ? number + 1n : operator === '>=' || operator === '==' ? number : undefined;
  const max = operator === '<' ? number - 1n : operator === '<=' || operator === '==' ? number : undefined;
  // Times may go back in a log, so there is no offset after which all are later.
  if (field === 'timestampMs') return { minTime: min };
  if (field === 'offset') return { minOffset: min, maxOffset: max };
  return operator === '==' ? { partitions: new Set([Number(number)]) } : anywhere;
}

type BoundedField = 'partition' | 'offset' | 'timestampMs';

function boundedFieldIn(expression: Expression): BoundedField | undefined {
  const name = recordNameOf(expression);
  return name === 'partition' || name === 'offset' || name === 'timestampMs' ? name : undefined;
}

function integerIn(expression: Expression): bigint | undefined {
  if (expression.kind !== 'constant') return undefined;
  const { value } = expression;
  if (typeof value === 'bigint') return value;
  return typeof value === 'number' && Number.isSafeInteger(value) ? BigInt(value) : undefined;
}

import { isArray, type JsonValue } from '../../../serde/json/json-value.ts';
import { type Compiled, type Evaluate, type Scope, unknown } from './compiled.ts';
import { ExpressionError } from './expression-error.ts';
import type { Type } from './record-names.ts';
import type { RecordView } from './record-view.ts';
import type { Binary, BinaryOperator, Expression } from './syntax.ts';
import {
  areIncomparable,
  equals,
  fieldOf,
  integerOf,
  isMap,
  isNumber,
  kindOf,
  order,
  spend,
  tooManySteps,
} from './values.ts';

/** Compiles `!x` and `-x`. */
export function compileUnary(expression: Extract<Expression, { kind: 'unary' }>, scope: Scope): Compiled {
  const { operator, at, of } = expression;
  const inner = scope.compile(of, scope);
  const { run, shown } = inner;
  if (operator === '!') {
    mustBe(inner, ['bool'], at, 'true or false');
    return {
      type: 'bool',
      shown: `!${shown}`,
      run(view) {
        const value = condition(view, inner);
        return value === undefined ? undefined : !value;
      },
    };
  }
  mustBe(inner, ['int', 'double'], at, 'a number');
  return {
    type: inner.type,
    shown: `-${shown}`,
    run(view) {
      const value = run(view);
      if (value === undefined) return undefined;
      return isNumber(value)
        ? calculate(view, { operator: '-', isExact: false }, 0, value)
        : notA(view, shown, value, 'a number');
    },
  };
}

function mustBe({ type, shown }: Compiled, types: readonly Type[], at: number, expected: string): void {
  if (type === 'any' || types.includes(type)) return;
  throw new ExpressionError(at, `${shown} is not ${expected}`);
}

function notA(view: RecordView, shown: string, value: JsonValue, expected: string): undefined {
  return unknown(view, { reason: `${shown} is ${kindOf(value)}, not ${expected}` });
}

/** Evaluates an operand that is true or false. */
export function condition(view: RecordView, { run, shown }: Compiled): boolean | undefined {
  const value = run(view);
  if (typeof value === 'boolean' || value === undefined) return value;
  return notA(view, shown, value, 'true or false');
}

/** Compiles `test ? yes : no`. */
export function compileChoice(expression: Extract<Expression, { kind: 'choice' }>, scope: Scope): Compiled {
  const [test, yes, no] = [expression.test, expression.yes, expression.no].map((one) => scope.compile(one, scope)) as [
    Compiled,
    Compiled,
    Compiled,
  ];
  mustBe(test, ['bool'], expression.at, 'true or false');
  return {
    type: yes.type === no.type ? yes.type : 'any',
    shown: `${test.shown} ? … : …`,
    run(view) {
      const value = condition(view, test);
      return value === undefined ? undefined : (value ? yes : no).run(view);
    },
  };
}

/** Compiles an operator with two sides. */
export function compileBinary(expression: Binary, scope: Scope): Compiled {
  const { operator, at } = expression;
  mustNotBeDashed(expression, scope);
  const left = scope.compile(expression.left, scope);
  const right = scope.compile(expression.right, scope);
  const shown = `${left.shown} ${operator} ${right.shown}`;
  switch (operator) {
    case '&&':
    case '||':
      mustBe(left, ['bool'], expression.left.at, 'true or false');
      mustBe(right, ['bool'], expression.right.at, 'true or false');
      return { type: 'bool', shown, run: operator === '&&' ? both(left, right) : either(left, right) };
    case '==':
    case '!=':
      mustCompare(left, right, at);
      return { type: 'bool', shown, run: equality(left, right, operator === '==') };
    case 'in':
      mustBe(right, ['list', 'map'], expression.right.at, 'a list or a map');
      return { type: 'bool', shown, run: (view) => isAmong(view, left, right) };
    case '<':
    case '<=':
    case '>':
    case '>=':
      mustCompare(left, right, at);
      return { type: 'bool', shown, run: ordering(left, right, operator) };
    default:
      return arithmetic(expression, { left, right, shown });
  }
}

/** `headers.trace-id` is meant as a name, not as a difference. */
function mustNotBeDashed(expression: Binary, scope: Scope): void {
  const words: Extract<Expression, { kind: 'name' }>[] = [];
  let field: Expression = expression;
  while (field.kind === 'binary' && field.operator === '-' && field.right.kind === 'name') {
    words.unshift(field.right);
    field = field.left;
  }
  const first = words.find((word) => !scope.root.names.has(word.name) && !scope.locals.has(word.name));
  if (first === undefined || field.kind !== 'field') return;
  const { shown } = scope.compile(field.of, scope);
  const name = [field, ...words].map((word) => word.name).join('-');
  throw new ExpressionError(first.at, `unknown name "${first.name}"`, [
    `write a name with a dash in brackets: ${shown}["${name}"]`,
  ]);
}

/** False if one side is false, even if the other one is not known. */
function both(left: Compiled, right: Compiled): Evaluate {
  return (view) => {
    const first = condition(view, left);
    if (first === false) return false;
    const second = condition(view, right);
    return second === false ? false : first && second;
  };
}

function either(left: Compiled, right: Compiled): Evaluate {
  return (view) => {
    const first = condition(view, left);
    if (first === true) return true;
    const second = condition(view, right);
    if (second === true) return true;
    return first === undefined ? undefined : second;
  };
}

/** Refuses to compare what can never be equal, such as a partition and text. */
function mustCompare(left: Compiled, right: Compiled, at: number): void {
  const [one, other] = [comparable(left.type), comparable(right.type)];
  if (one === 'any' || other === 'any' || one === 'null' || other === 'null' || one === other) return;
  const number = one === 'number' ? right : left;
  const isQuoted = /^"-?\d+"$/.test(number.shown);
  const isTime = left.shown.endsWith('timestampMs') || right.shown.endsWith('timestampMs');
  throw new ExpressionError(
    at,
    `${left.shown} is ${kindNames[one]}, but ${right.shown} is ${kindNames[other]}`,
    isQuoted ? [`write the number without quotes: ${number.shown.replaceAll('"', '')}`] : isTime ? [chooseTimes] : [],
  );
}

/** What to do about a date or a duration in an expression. */
export const chooseTimes = 'choose the times of records with -o, for example: -o @2026-11-01:2026-11-02, or -o @-1h';

const kindNames = { number: 'a number', text: 'text', bool: 'true or false', list: 'a list', map: 'a map' } as const;

function comparable(type: Type): keyof typeof kindNames | 'any' | 'null' {
  return type === 'int' || type === 'double' ? 'number' : type;
}

function equality(left: Compiled, right: Compiled, isEqual: boolean): Evaluate {
  const sides = { left, right };
  return (view) => {
    const one = left.run(view);
    const other = one === undefined ? undefined : right.run(view);
    if (one === undefined || other === undefined) return undefined;
    if (areIncomparable(one, other)) return incomparable(view, { ...sides, one, other });
    const same = equals(view, one, other);
    return same === undefined ? unknown(view, tooManySteps) : same === isEqual;
  };
}

interface Incomparable {
  readonly left: Compiled;
  readonly right: Compiled;
  readonly one: JsonValue;
  readonly other: JsonValue;
}

/** Says what both sides are, and how a constant would have to be written. */
function incomparable(view: RecordView, { left, right, one, other }: Incomparable): undefined {
  const reason = `${left.shown} is ${kindOf(one)}, and ${right.shown} is ${kindOf(other)}`;
  const hint = adviceOn(left, one, right, other) ?? adviceOn(right, other, left, one);
  return unknown(view, { reason, ...(hint === undefined ? {} : { hint }) });
}

/** Advice for a field that is compared with a constant of another kind. */
function adviceOn(field: Compiled, its: JsonValue, constant: Compiled, value: JsonValue): string | undefined {
  if (field.type !== 'any' || constant.type === 'any') return undefined;
  const is = `${field.shown} is ${kindOf(its)} in these records`;
  if (typeof its === 'string' && isNumber(value)) {
    // Avro's numbers that JSON has no form for.
    if (/^(?:NaN|-?Infinity)$/.test(its)) return undefined;
    return `${is}: compare it with text (${JSON.stringify(constant.shown)}), or convert it (double(${field.shown}))`;
  }
  if (typeof value !== 'string') return undefined;
  const isSame = isNumber(its) ? /^-?\d+(?:\.\d+)?$/.test(value) : value === 'true' || value === 'false';
  return isSame ? `${is}: compare it with ${value}, without quotes` : undefined;
}

function ordering(left: Compiled, right: Compiled, operator: '<' | '<=' | '>' | '>='): Evaluate {
  const holds = orders[operator];
  return (view) => {
    const one = left.run(view);
    const other = one === undefined ? undefined : right.run(view);
    if (one === undefined || other === undefined) return undefined;
    const areTexts = typeof one === 'string' && typeof other === 'string';
    if (areTexts && !spend(view, Math.min(one.length, other.length) >> 2)) return unknown(view, tooManySteps);
    const ordered = order(one, other);
    if (ordered !== undefined) return holds(ordered);
    return incomparable(view, { left, right, one, other });
  };
}

const orders = {
  '<': (ordered: number) => ordered < 0,
  '<=': (ordered: number) => ordered <= 0,
  '>': (ordered: number) => ordered > 0,
  '>=': (ordered: number) => ordered >= 0,
} as const;

/** Whether one of the elements is equal, as if each were compared with `==`, and these comparisons joined by `||`. */
function isAmong(view: RecordView, left: Compiled, right: Compiled): boolean | undefined {
  const value = left.run(view);
  const container = value === undefined ? undefined : right.run(view);
  if (value === undefined || container === undefined) return undefined;
  if (isMap(container)) return typeof value === 'string' && fieldOf(view, container, value) !== undefined;
  if (!isArray(container)) return notA(view, right.shown, container, 'a list or a map');
  if (!spend(view, container.length)) return unknown(view, tooManySteps);
  let other: JsonValue | undefined;
  let others = 0;
  for (const item of container) {
    if (areIncomparable(item, value)) {
      other ??= item;
      others += 1;
      continue;
    }
    const same = equals(view, item, value);
    if (same === undefined) return unknown(view, tooManySteps);
    if (same) return true;
  }
  if (other === undefined) return false;
  return notAmong(view, { left, right, value, other, areAll: others === container.length });
}

interface Membership {
  readonly left: Compiled;
  readonly right: Compiled;
  readonly value: JsonValue;
  /** An element that the value cannot be compared with. */
  readonly other: JsonValue;
  /** Whether all elements are like it. */
  readonly areAll: boolean;
}

function notAmong(view: RecordView, { left, right, value, other, areAll }: Membership): undefined {
  const elements = areAll ? `the elements of ${right.shown} are` : `an element of ${right.shown} is`;
  return unknown(view, { reason: `${left.shown} is ${kindOf(value)}, and ${elements} ${kindOf(other)}` });
}

interface Sides {
  readonly left: Compiled;
  readonly right: Compiled;
  readonly shown: string;
}

type Arithmetic = Extract<BinaryOperator, '+' | '-' | '*' | '/' | '%'>;

function arithmetic({ operator, at }: Binary, { left, right, shown }: Sides): Compiled {
  const joins = operator === '+';
  const types: readonly Type[] = joins ? ['int', 'double', 'text', 'list'] : ['int', 'double'];
  for (const side of [left, right]) mustBe(side, types, at, joins ? 'a number, text or a list' : 'a number');
  if (joins && left.type !== 'any' && right.type !== 'any' && comparable(left.type) !== comparable(right.type)) {
    throw new ExpressionError(at, `${left.shown} and ${right.shown} cannot be added`, [
      'convert one: string(x), int(x)',
    ]);
  }
  const isExact = left.type === 'int' && right.type === 'int';
  const calculation = { operator: operator as Arithmetic, isExact };
  const run: Evaluate = (view) => {
    const one = left.run(view);
    const other = one === undefined ? undefined : right.run(view);
    if (one === undefined || other === undefined) return undefined;
    if (isNumber(one) && isNumber(other)) return calculate(view, calculation, one, other);
    if (joins) return join(view, one, other, shown);
    return notA(view, shown, isNumber(one) ? other : one, 'a number');
  };
  return { type: isExact ? 'int' : left.type === right.type ? left.type : 'any', shown, run };
}

/** Longer texts and lists are refused. */
const mostJoined = 1 << 24;

function join(view: RecordView, one: JsonValue, other: JsonValue, shown: string): JsonValue | undefined {
  const isText = typeof one === 'string' && typeof other === 'string';
  if (!isText && !(Array.isArray(one) && Array.isArray(other))) {
    return unknown(view, { reason: `${shown} adds ${kindOf(one)} and ${kindOf(other)}` });
  }
  const length = one.length + other.length;
  if (length > mostJoined || !spend(view, isText ? length >> 6 : length)) return unknown(view, tooManySteps);
  return isText ? one + other : [...one, ...(other as readonly JsonValue[])];
}

interface Calculation {
  readonly operator: Arithmetic;
  /** Whether both sides are integers by their type, so that their quotient is one as well. */
  readonly isExact: boolean;
}

function calculate(
  view: RecordView,
  { operator, isExact }: Calculation,
  left: number | bigint,
  right: number | bigint,
): number | bigint | undefined {
  const areWhole = isWhole(left) && isWhole(right);
  if (operator === '%' && !areWhole) return unknown(view, { reason: '% takes integers' });
  const result =
    areWhole && (isExact || operator !== '/') ? wholeResult(operator, left, right) : fraction(operator, left, right);
  return result ?? unknown(view, { reason: `the result of ${operator} is no number of 64 bits` });
}

function isWhole(value: number | bigint): boolean {
  return typeof value === 'bigint' || Number.isSafeInteger(value);
}

function fraction(operator: Arithmetic, left: number | bigint, right: number | bigint): number {
  const [one, other] = [Number(left), Number(right)];
  if (operator === '+') return one + other;
  if (operator === '-') return one - other;
  return operator === '*' ? one * other : one / other;
}

/** Returns undefined beyond 64 bits, and for a division by zero. */
function wholeResult(operator: Arithmetic, left: number | bigint, right: number | bigint): number | bigint | undefined {
  if (operator !== '/' && operator !== '%' && typeof left === 'number' && typeof right === 'number') {
    const quick = fraction(operator, left, right);
    if (Number.isSafeInteger(quick)) return quick;
  }
  const [one, other] = [BigInt(left), BigInt(right)];
  if (other === 0n && (operator === '/' || operator === '%')) return undefined;
  return integerOf(exactResult(operator, one, other));
}

function exactResult(operator: Arithmetic, left: bigint, right: bigint): bigint {
  switch (operator) {
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '*':
      return left * right;
    case '/':
      return left / right;
    default:
      return left % right;
  }
}

import { isArray, type JsonValue } from '../../../serde/json/json-value.ts';
import { type CompileCall, type Compiled, type Evaluate, type Scope, unknown } from './compiled.ts';
import { ExpressionError } from './expression-error.ts';
import { compileHas, loops } from './loops.ts';
import type { Type } from './record-names.ts';
import type { RecordView } from './record-view.ts';
import type { Call, Expression } from './syntax.ts';
import { integerOf, isNumber, kindOf, spend, tooManySteps } from './values.ts';

/** How to compile a call; undefined if there is no such function. */
export function callCompilers({ name, of }: Call): CompileCall | undefined {
  return (of === undefined ? free : ofValues).get(name);
}

const ofValues: ReadonlyMap<string, CompileCall> = new Map<string, CompileCall>([
  ['contains', textTest((text, part) => text.includes(part))],
  ['startsWith', textTest((text, part) => text.startsWith(part))],
  ['endsWith', textTest((text, part) => text.endsWith(part))],
  ['matches', compileMatches],
  ['size', (call, scope) => sized(call, scope, subjectOf(call, 0))],
  ['lowerAscii', textChange((text) => text.replace(/[A-Z]+/g, (part) => part.toLowerCase()))],
  ['upperAscii', textChange((text) => text.replace(/[a-z]+/g, (part) => part.toUpperCase()))],
  ['trim', textChange((text) => text.trim())],
  ...loops,
]);

const free: ReadonlyMap<string, CompileCall> = new Map<string, CompileCall>([
  ['has', compileHas],
  ['size', (call, scope) => sized(call, scope, only(call))],
  ['int', conversion('int', toInteger)],
  ['double', conversion('double', toDouble)],
  ['string', conversion('text', (value) => (isMadeText(value) ? String(value) : value))],
  ['matches', (call, scope) => compileMatches({ ...call, of: call.args[0], args: call.args.slice(1) }, scope)],
]);

/** The names of functions that follow a value. */
export const methods: readonly string[] = [...ofValues.keys()];
/** The names of the other functions. */
export const freeCalls: readonly string[] = [...free.keys()];

function subjectOf(call: Call, args: number): Expression {
  const { name, at, of } = call;
  if (of === undefined || call.args.length !== args) {
    throw new ExpressionError(at, `${name} takes ${args === 0 ? 'nothing' : 'one value'} in parentheses`);
  }
  return of;
}

function only({ name, at, args }: Call): Expression {
  const [first] = args;
  if (first === undefined || args.length > 1) throw new ExpressionError(at, `${name} takes one value`);
  return first;
}

function textOperand(expression: Expression, scope: Scope, name: string): Compiled {
  const compiled = scope.compile(expression, scope);
  if (compiled.type !== 'any' && compiled.type !== 'text') {
    throw new ExpressionError(expression.at, `${name} takes text, but ${compiled.shown} is not text`, [
      `convert it: string(${compiled.shown})`,
    ]);
  }
  return compiled;
}

/** Evaluates text, or null; undefined for anything else. */
function textOf(view: RecordView, { run, shown }: Compiled): string | null | undefined {
  const value = run(view);
  if (typeof value === 'string' || value === undefined || value === null) return value;
  const hint = `${shown} is ${kindOf(value)} in these records: convert it (string(${shown}))`;
  return unknown(view, { reason: `${shown} is ${kindOf(value)}, not text`, ...(isMadeText(value) ? { hint } : {}) });
}

/** Whether `string` makes text of a value. */
function isMadeText(value: JsonValue): boolean {
  return isNumber(value) || typeof value === 'boolean';
}

function textTest(test: (text: string, part: string) => boolean): CompileCall {
  return (call, scope) => {
    const subject = textOperand(subjectOf(call, 1), scope, call.name);
    const part = textOperand(call.args[0] as Expression, scope, call.name);
    const run: Evaluate = (view) => {
      const text = textOf(view, subject);
      const wanted = text === undefined ? undefined : textOf(view, part);
      if (text === undefined || wanted === undefined) return undefined;
      // There is no text in what is not there: a record without a key does not begin with anything.
      if (text === null || wanted === null) return false;
      return spend(view, 1 + (text.length >> 6)) ? test(text, wanted) : unknown(view, tooManySteps);
    };
    return { type: 'bool', shown: `${subject.shown}.${call.name}(…)`, run };
  };
}

function textChange(change: (text: string) => string): CompileCall {
  return (call, scope) => {
    const subject = textOperand(subjectOf(call, 0), scope, call.name);
    const run: Evaluate = (view) => {
      const text = textOf(view, subject);
      if (text === undefined || text === null) return text;
      return spend(view, 1 + (text.length >> 4)) ? change(text) : unknown(view, tooManySteps);
    };
    return { type: 'text', shown: `${subject.shown}.${call.name}()`, run };
  };
}

function compileMatches(call: Call, scope: Scope): Compiled {
  const subject = textOperand(subjectOf(call, 1), scope, 'matches');
  const [argument] = call.args as [Expression];
  if (argument.kind !== 'constant' || typeof argument.value !== 'string') {
    throw new ExpressionError(argument.at, 'matches takes a regular expression between quotes');
  }
  if (scope.patterns === undefined) throw new Error('the expression was compiled without patterns');
  const { stepsPerCharacter, test } = scope.patterns.compile(argument.value, argument.at);
  const run: Evaluate = (view) => {
    const text = textOf(view, subject);
    if (text === undefined) return undefined;
    if (text === null) return false;
    return spend(view, 1 + text.length * stepsPerCharacter) ? test(text) : unknown(view, tooManySteps);
  };
  return { type: 'bool', shown: `${subject.shown}.matches(…)`, run };
}

function sized(call: Call, scope: Scope, of: Expression): Compiled {
  const subject = scope.compile(of, scope);
  const sizes: readonly Type[] = ['any', 'text', 'list', 'map'];
  if (!sizes.includes(subject.type)) throw new ExpressionError(call.at, `${subject.shown} has no size`);
  const run: Evaluate = (view) => {
    const value = subject.run(view);
    if (value === undefined) return undefined;
    if (typeof value === 'string') return characters(view, value);
    if (typeof value !== 'object' || value === null) {
      return unknown(view, { reason: `${subject.shown} is ${kindOf(value)} and has no size` });
    }
    if (isArray(value)) return value.length;
    const { length } = Object.keys(value);
    return spend(view, length) ? length : unknown(view, tooManySteps);
  };
  return { type: 'int', shown: `size(${subject.shown})`, run };
}

/** Counts code points. */
function characters(view: RecordView, text: string): number | undefined {
  if (!spend(view, 1 + (text.length >> 3))) return unknown(view, tooManySteps);
  let count = text.length;
  for (let at = 0; at + 1 < text.length; at++) {
    if ((text.charCodeAt(at) & 0xfc00) === 0xd800 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00) count--;
  }
  return count;
}

function conversion(type: Type, convert: (value: JsonValue) => JsonValue | undefined): CompileCall {
  return (call, scope) => {
    const subject = scope.compile(only(call), scope);
    const shown = `${call.name}(${subject.shown})`;
    const run: Evaluate = (view) => {
      const value = subject.run(view);
      if (value === undefined) return undefined;
      const converted = typeof value === 'object' ? undefined : convert(value);
      return converted ?? unknown(view, { reason: `${subject.shown} cannot be converted: ${kindOf(value)}` });
    };
    return { type, shown, run };
  };
}

function toInteger(value: JsonValue): number | bigint | undefined {
  if (typeof value === 'boolean' || typeof value === 'object') return undefined;
  if (typeof value === 'string' && !/^-?\d{1,20}$/.test(value)) return undefined;
  if (typeof value === 'number' && !Number.isFinite(value)) return undefined;
  return integerOf(BigInt(typeof value === 'number' ? Math.trunc(value) : value));
}

/** Longer texts are no numbers that anybody writes. */
const mostDigits = 400;

function toDouble(value: JsonValue): number | undefined {
  if (typeof value === 'boolean') return undefined;
  if (typeof value !== 'string') return Number(value);
  const text = value.length > mostDigits ? '' : value.trim();
  return /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(text) ? Number(text) : undefined;
}

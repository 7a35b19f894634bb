import { isArray, type JsonValue } from '../../../serde/json/json-value.ts';
import { nearestName } from '../../../serde/json/nearest-name.ts';
import { branchAt, defaultAt } from '../../../serde/natural.ts';
import { callCompilers, freeCalls, methods } from './calls.ts';
import { type Compiled, type Evaluate, type Root, type Scope, unknown } from './compiled.ts';
import { ExpressionError } from './expression-error.ts';
import { textFault } from './framed.ts';
import { chooseTimes, compileBinary, compileChoice, compileUnary, condition } from './operators.ts';
import type { Patterns } from './patterns.ts';
import { isRecordName, type RecordName, recordNames, type Type } from './record-names.ts';
import {
  headersOf,
  keyIn,
  keyTextOf,
  offsetOf,
  type RecordView,
  timestampOf,
  valueIn,
  valueTextOf,
} from './record-view.ts';
import { compileShorthand } from './shorthands.ts';
import type { Call, Expression } from './syntax.ts';
import { fieldOf, isMap, kindOf, spend, tooManySteps } from './values.ts';

/**
 * Compiles a condition.
 * @throws ExpressionError if a name or a function is unknown, or types do not fit
 */
export function compileCondition(
  expression: Expression,
  patterns: Patterns | undefined,
  root: Root = recordRoot,
): Evaluate {
  const compiled = compileValue(expression, root, patterns);
  const { type, shown } = compiled;
  if (type !== 'any' && type !== 'bool') {
    throw new ExpressionError(expression.at, `a condition is true or false, but ${shown} is ${typeNames[type]}`, [
      'compare it with something, for example: value.amount > 100',
    ]);
  }
  return (view) => condition(view, compiled);
}

/** Compiles an expression of any type. @throws ExpressionError as `compileCondition` does */
export function compileValue(expression: Expression, root: Root, patterns: Patterns | undefined): Compiled {
  return compile(expression, { root, locals: new Map(), patterns, compile });
}

/** The names of types in errors. */
const typeNames: Readonly<Record<Type, string>> = {
  any: 'a value',
  bool: 'true or false',
  int: 'a number',
  double: 'a number',
  text: 'text',
  null: 'null',
  list: 'a list',
  map: 'a map',
};

function compile(expression: Expression, scope: Scope): Compiled {
  switch (expression.kind) {
    case 'constant':
      return constant(expression.value, expression.isDouble);
    case 'name':
      return compileName(expression, scope);
    case 'field':
      return compileField(expression, scope);
    case 'index':
      return compileIndex(expression, scope);
    case 'call':
      return compileCall(expression, scope);
    case 'unary':
      return compileUnary(expression, scope);
    case 'binary':
      return compileBinary(expression, scope);
    case 'choice':
      return compileChoice(expression, scope);
    case 'list':
      return compileList(expression.items, scope);
    default:
      return compileShorthand(expression);
  }
}

function constant(value: JsonValue, isDouble: boolean): Compiled {
  const shown = typeof value === 'string' ? JSON.stringify(value) : String(value);
  return { type: typeOf(value, isDouble), run: () => value, shown };
}

function typeOf(value: JsonValue, isDouble: boolean): Type {
  if (value === null) return 'null';
  if (typeof value === 'string') return 'text';
  if (typeof value === 'boolean') return 'bool';
  return isDouble ? 'double' : 'int';
}

const readers: Readonly<Record<RecordName, Evaluate>> = {
  key: keyIn,
  value: valueIn,
  headers: headersOf,
  partition: ({ cursor }) => cursor.origin.partition,
  offset: offsetOf,
  timestampMs: timestampOf,
  keyAsText: keyTextOf,
  valueAsText: valueTextOf,
  topic: ({ cursor }) => cursor.origin.topic,
};

function compileName({ name, at }: Extract<Expression, { kind: 'name' }>, scope: Scope): Compiled {
  const local = scope.locals.get(name);
  if (local !== undefined) return { type: 'any', run: localReader(local), shown: name };
  const compiled = scope.root.names.get(name);
  if (compiled !== undefined) return compiled;
  if (name === 'record' && scope.root.isRecord) {
    throw new ExpressionError(at, 'record is not a value of its own', ['use one of its fields, such as record.value']);
  }
  throw unknownName(at, name, scope);
}

function localReader(local: number): Evaluate {
  return (view) => {
    view.branch = view.localBranches[local];
    return view.locals[local];
  };
}

function recordNamed(name: RecordName): Compiled {
  return { type: recordNames[name].type, run: readers[name], shown: name };
}

const recordRoot: Root = {
  names: new Map(Object.keys(recordNames).map((name) => [name, recordNamed(name as RecordName)] as const)),
  fields: new Map(),
  isRecord: true,
};

function unknownName(at: number, name: string, { locals, root }: Scope): ExpressionError {
  const near = nearestName(name, [...root.names.keys(), ...locals.keys()]);
  const names = [...root.names.keys()].join(', ');
  const other = root.isRecord ? [`a field of the value is value.${name}`] : [];
  const meant = near === undefined ? other : [`did you mean ${near}?`];
  return new ExpressionError(at, `unknown name "${name}"`, [...meant, `names are ${names}`]);
}

/** Whether the expression is the name `record`, of which fields may be taken, and not a variable of that name. */
export function isRecord(expression: Expression, { locals, root }: Scope): boolean {
  return root.isRecord && expression.kind === 'name' && expression.name === 'record' && !locals.has('record');
}

function compileField({ of, name, at }: Extract<Expression, { kind: 'field' }>, scope: Scope): Compiled {
  if (isRecord(of, scope)) {
    if (isRecordName(name)) return recordNamed(name);
    throw unknownName(at, name, scope);
  }
  const inner = scope.compile(of, scope);
  mustHaveFields(inner, at, name);
  mustHaveField(of, name, { at, scope });
  const type = of.kind === 'name' && of.name === 'headers' && !scope.locals.has('headers') ? 'text' : 'any';
  return { type, shown: `${inner.shown}.${name}`, run: fieldReader(inner, name, scope) };
}

/** Refuses a field that what a name stands for never has. */
function mustHaveField(
  of: Expression,
  name: string,
  { at, scope }: { readonly at: number; readonly scope: Scope },
): void {
  const fields = of.kind === 'name' && !scope.locals.has(of.name) ? scope.root.fields.get(of.name) : undefined;
  if (of.kind !== 'name' || fields === undefined || fields.includes(name)) return;
  const near = nearestName(name, fields);
  const meant = near === undefined ? [] : [`did you mean ${of.name}.${near}?`];
  throw new ExpressionError(at, `${of.name} has no field "${name}"`, [...meant, `its fields are ${fields.join(', ')}`]);
}

function mustHaveFields({ type, shown }: Compiled, at: number, name: string): void {
  if (type === 'any' || type === 'map') return;
  const hints = shown.endsWith('AsText') ? [`use ${shown.replace('AsText', '')}.${name}`] : [];
  throw new ExpressionError(at, `${shown} is ${typeNames[type]} and has no fields`, hints);
}

function fieldReader({ run, shown }: Compiled, name: string, { root }: Scope): Evaluate {
  const none = { reason: `${shown} has no field "${name}"`, missing: name };
  return (view) => {
    const value = run(view);
    if (value === undefined) return undefined;
    const field = fieldOf(view, value, name);
    const result = field === undefined ? defaultAt(value, name) : field;
    if (result !== undefined) return result;
    if (!isMap(value)) return noFields(view, shown, value);
    return root.isRecord ? unknown(view, { ...none, in: value }) : null;
  };
}

function noFields(view: RecordView, shown: string, value: JsonValue): undefined {
  return unknown(view, textFault(view, shown, `${shown} is ${kindOf(value)} and has no fields`));
}

function compileIndex({ of, index, at }: Extract<Expression, { kind: 'index' }>, scope: Scope): Compiled {
  if (isRecord(of, scope)) {
    if (index.kind === 'constant' && typeof index.value === 'string' && isRecordName(index.value)) {
      return recordNamed(index.value);
    }
    throw new ExpressionError(index.at, 'unknown field of record');
  }
  const inner = scope.compile(of, scope);
  if (index.kind === 'constant' && typeof index.value === 'string') {
    mustHaveFields(inner, at, index.value);
    mustHaveField(of, index.value, { at, scope });
    const type = of.kind === 'name' && of.name === 'headers' && !scope.locals.has('headers') ? 'text' : 'any';
    return {
      type,
      shown: `${inner.shown}[${JSON.stringify(index.value)}]`,
      run: fieldReader(inner, index.value, scope),
    };
  }
  if (inner.type !== 'any' && inner.type !== 'list' && inner.type !== 'map') {
    throw new ExpressionError(at, `${inner.shown} is ${typeNames[inner.type]} and has no elements`);
  }
  const run = elementReader(inner, scope.compile(index, scope), scope);
  return { type: 'any', shown: `${inner.shown}[…]`, run };
}

function elementReader(inner: Compiled, index: Compiled, scope: Scope): Evaluate {
  return (view) => {
    const value = inner.run(view);
    const { branch } = view;
    const at = value === undefined ? undefined : index.run(view);
    if (value === undefined || at === undefined) return undefined;
    view.branch = branch;
    if (typeof at === 'string' && isMap(value)) return fieldReader({ ...inner, run: () => value }, at, scope)(view);
    if (!isArray(value))
      return unknown(view, textFault(view, inner.shown, `${inner.shown} is ${kindOf(value)}, not a list`));
    return elementAt(view, inner.shown, value, at);
  };
}

function elementAt(view: RecordView, shown: string, list: readonly JsonValue[], at: JsonValue): JsonValue | undefined {
  // An object may have no text.
  if (typeof at === 'object') return unknown(view, { reason: `an index of ${shown} is ${kindOf(at)}, not a number` });
  const element = typeof at === 'number' && at >= 0 ? list[at] : undefined;
  if (element === undefined) return unknown(view, { reason: `${shown} has no element ${String(at)}` });
  view.branch = branchAt(list, Number(at));
  return element;
}

/** Functions of other languages, and those here that do the same. */
const alike: ReadonlyMap<string, string> = new Map([
  ...['any', 'some'].map((name) => [name, 'exists'] as const),
  ['every', 'all'],
  ['includes', 'contains'],
  ...['length', 'len', 'count'].map((name) => [name, 'size'] as const),
  ...['lower', 'lowercase', 'toLowerCase'].map((name) => [name, 'lowerAscii'] as const),
  ...['upper', 'uppercase', 'toUpperCase'].map((name) => [name, 'upperAscii'] as const),
]);

/** Functions that CEL and other languages have for times. */
const ofTimes: ReadonlySet<string> = new Set(['timestamp', 'duration', 'now', 'date', 'datetime']);

function compileCall(call: Call, scope: Scope): Compiled {
  const compileIt = callCompilers(call);
  if (compileIt !== undefined) return compileIt(call, scope);
  const { name, at, of } = call;
  const near = alike.get(name) ?? nearestName(name, of === undefined ? freeCalls : methods);
  const meant = near === undefined ? [] : [`did you mean ${near}?`];
  const others = of === undefined ? methods : freeCalls;
  const misplaced = others.includes(name)
    ? [of === undefined ? `write it after a value: value.${name}(…)` : `write the value in parentheses: ${name}(value)`]
    : meant;
  throw new ExpressionError(at, `unknown function "${name}"`, [
    ...(ofTimes.has(name) ? [chooseTimes] : misplaced),
    `functions are ${[...new Set([...methods, ...freeCalls])].join(', ')}`,
  ]);
}

function compileList(items: readonly Expression[], scope: Scope): Compiled {
  const compiled = items.map((item) => scope.compile(item, scope));
  if (items.every(({ kind }) => kind === 'constant')) {
    const values = items.map((item) => (item.kind === 'constant' ? item.value : null));
    return { type: 'list', run: () => values, shown: '[…]' };
  }
  return {
    type: 'list',
    shown: '[…]',
    run(view) {
      if (!spend(view, compiled.length)) return unknown(view, tooManySteps);
      const values: JsonValue[] = [];
      for (const { run } of compiled) {
        const value = run(view);
        if (value === undefined) return undefined;
        values.push(value);
      }
      return values;
    },
  };
}

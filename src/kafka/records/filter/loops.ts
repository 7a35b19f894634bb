import type { JsonValue } from '../../../serde/json/json-value.ts';
import { branchAt } from '../../../serde/natural.ts';
import { type CompileCall, type Compiled, type Evaluate, type Scope, unknown } from './compiled.ts';
import { ExpressionError } from './expression-error.ts';
import { textFault } from './framed.ts';
import { condition } from './operators.ts';
import type { RecordView } from './record-view.ts';
import type { Call, Expression } from './syntax.ts';
import { fieldOf, isMap, kindOf, spend, tooManySteps } from './values.ts';

/** Loops within loops take as many steps as the product of their lists. */
const deepestLoops = 3;

/** The variables of an expression, by what their place is. */
interface Loop {
  readonly list: Compiled;
  readonly local: number;
  readonly bodies: readonly Compiled[];
}

/** The functions with a variable for each element of a list, or each name of a map. */
export const loops: readonly (readonly [string, CompileCall])[] = [
  ['exists', quantifier((of) => quantified(of, true))],
  ['all', quantifier((of) => quantified(of, false))],
  ['exists_one', quantifier(onlyOne)],
  ['filter', compileFilter],
  ['map', compileMap],
];

function quantifier(make: (loop: Loop) => Evaluate): CompileCall {
  return (call, scope) => {
    const loop = loopOf(call, scope, [2]);
    return { type: 'bool', shown: `${loop.list.shown}.${call.name}(…)`, run: make(loop) };
  };
}

function loopOf(call: Call, scope: Scope, counts: readonly number[]): Loop {
  const { at, name, of, args } = call;
  const [variable, ...rest] = args;
  if (of === undefined || !counts.includes(args.length) || variable?.kind !== 'name') {
    throw new ExpressionError(at, `${name} takes a variable and a condition`, [
      `for example: value.items.${name}(x, x.amount > 1)`,
    ]);
  }
  const local = scope.locals.size;
  if (local >= deepestLoops) throw new ExpressionError(at, `more than ${deepestLoops} loops within each other`);
  const { name: variableName } = variable;
  const { names, isRecord } = scope.root;
  const taken = scope.locals.has(variableName) || names.has(variableName) || (isRecord && variableName === 'record');
  if (taken) throw new ExpressionError(variable.at, `the variable "${variable.name}" is the name of something else`);
  const list = scope.compile(of, scope);
  if (list.type !== 'any' && list.type !== 'list' && list.type !== 'map') {
    throw new ExpressionError(at, `${list.shown} is not a list or a map`);
  }
  const inner: Scope = { ...scope, locals: new Map([...scope.locals, [variable.name, local]]) };
  return { list, local, bodies: rest.map((body: Expression) => scope.compile(body, inner)) };
}

/** Evaluates the list; undefined if it is not known. Of a map, its names. */
function elements(view: RecordView, { list }: Loop): readonly JsonValue[] | undefined {
  const value = list.run(view);
  if (value === undefined) return undefined;
  const items = Array.isArray(value) ? value : isMap(value) ? Object.keys(value) : undefined;
  if (items === undefined)
    return unknown(view, textFault(view, list.shown, `${list.shown} is ${kindOf(value)}, not a list`));
  return spend(view, items.length) ? items : unknown(view, tooManySteps);
}

/** Sets the variable to an element. */
function enter(view: RecordView, { local }: Loop, items: readonly JsonValue[], at: number): void {
  view.locals[local] = items[at] as JsonValue;
  view.localBranches[local] = branchAt(items, at);
}

/** Stops at the first element that is `wanted`; otherwise unknown if an element is. */
function quantified(loop: Loop, decisive: boolean): Evaluate {
  const [body] = loop.bodies as [Compiled];
  return (view) => {
    const items = elements(view, loop);
    if (items === undefined) return undefined;
    let isKnown = true;
    for (let at = 0; at < items.length; at++) {
      if (!spend(view, 4)) return unknown(view, tooManySteps);
      enter(view, loop, items, at);
      const result = condition(view, body);
      if (result === decisive) return decisive;
      isKnown &&= result !== undefined;
    }
    return isKnown ? !decisive : undefined;
  };
}

function onlyOne(loop: Loop): Evaluate {
  const [body] = loop.bodies as [Compiled];
  return (view) => {
    const items = elements(view, loop);
    if (items === undefined) return undefined;
    let matches = 0;
    for (let at = 0; at < items.length; at++) {
      if (!spend(view, 4)) return unknown(view, tooManySteps);
      enter(view, loop, items, at);
      const holds = condition(view, body);
      if (holds === undefined) return undefined;
      if (holds) matches++;
    }
    return matches === 1;
  };
}

function compileFilter(call: Call, scope: Scope): Compiled {
  const loop = loopOf(call, scope, [2]);
  const [test] = loop.bodies;
  return { type: 'list', shown: `${loop.list.shown}.filter(…)`, run: (view) => listOf(view, loop, test, undefined) };
}

/** `map(x, value)` and `map(x, condition, value)`. */
function compileMap(call: Call, scope: Scope): Compiled {
  const loop = loopOf(call, scope, [2, 3]);
  const [value, test] = [...loop.bodies].reverse();
  return { type: 'list', shown: `${loop.list.shown}.map(…)`, run: (view) => listOf(view, loop, test, value) };
}

/** What `make` returns for the elements for which `test` is true; all of them, or the elements themselves, without. */
function listOf(
  view: RecordView,
  loop: Loop,
  test: Compiled | undefined,
  make: Compiled | undefined,
): readonly JsonValue[] | undefined {
  const items = elements(view, loop);
  if (items === undefined) return undefined;
  const made: JsonValue[] = [];
  for (const [at, item] of items.entries()) {
    if (!spend(view, 4)) return unknown(view, tooManySteps);
    enter(view, loop, items, at);
    const holds = test === undefined ? true : condition(view, test);
    if (holds === undefined) return undefined;
    if (!holds) continue;
    const value = make === undefined ? item : make.run(view);
    if (value === undefined) return undefined;
    made.push(value);
  }
  return made;
}

/** Compiles `has(x.y)`: whether a field exists, where what should have it exists. */
export function compileHas({ at, args }: Call, scope: Scope): Compiled {
  const [argument] = args;
  if (argument === undefined || args.length > 1 || (argument.kind !== 'field' && !isNamed(argument))) {
    throw new ExpressionError(at, 'has takes a field, for example: has(value.status)');
  }
  const { of } = argument;
  const name =
    argument.kind === 'field' ? argument.name : String((argument.index as { readonly value?: unknown }).value);
  if (scope.root.isRecord && of.kind === 'name' && of.name === 'record' && !scope.locals.has('record')) {
    const field = scope.compile(argument, scope);
    return { type: 'bool', shown: `has(${field.shown})`, run: (view) => field.run(view) !== null };
  }
  if (!scope.root.isRecord) scope.compile(argument, scope); // which refuses a field that never exists
  const inner = scope.compile(of, scope);
  const shown = `has(${inner.shown}.${name})`;
  const run: Evaluate = (view) => {
    const value = inner.run(view);
    if (value === undefined) return undefined;
    const isBranched = view.branch !== undefined;
    if (fieldOf(view, value, name) !== undefined) return true;
    if (isMap(value) || isBranched) return false;
    return unknown(view, textFault(view, inner.shown, `${inner.shown} is ${kindOf(value)} and has no fields`));
  };
  return { type: 'bool', shown, run };
}

function isNamed(argument: Expression): argument is Extract<Expression, { kind: 'index' }> {
  return argument.kind === 'index' && argument.index.kind === 'constant' && typeof argument.index.value === 'string';
}

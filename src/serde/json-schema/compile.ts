import { isObject } from '../../shape/object.ts';
import { describeValue as describe } from '../json/excerpt.ts';
import { isArray, type JsonValue } from '../json/json-value.ts';
import { showPath } from '../json/value-path.ts';
import { type ReferencedSchema, SchemaError, type SchemaSource } from '../schema.ts';
import { addArrayChecks } from './check-arrays.ts';
import { addCombinedChecks } from './check-combined.ts';
import { addObjectChecks } from './check-objects.ts';
import { addScalarChecks } from './check-scalars.ts';
import { keyOf } from './equality.ts';
import { effective } from './keywords.ts';
import { createLibrary, type Library, type Resource, type Subschema } from './library.ts';
import type { Part } from './part.ts';
import { createPatterns } from './patterns.ts';
import {
  anyKind,
  apply,
  type Check,
  fail,
  type Node,
  ofArray,
  ofBoolean,
  ofNull,
  ofNumber,
  ofObject,
  ofString,
  type Run,
} from './run.ts';

/**
 * The steps for one value: alternatives within a recursive schema double them with each level of the value, so a few
 * hundred bytes could take forever. A million steps take some 10 ms.
 */
const mostSteps = 1_000_000;
/** The further steps for each byte of a value, several times what a schema for data takes. */
const mostStepsPerByte = 32;

/** Why a value is not valid. */
export interface Fault {
  readonly path: string;
  readonly expected: string;
  readonly found: string;
}

/** A compiled schema. */
export interface Validation {
  readonly library: Library;
  /**
   * Returns why a value, whose JSON has that many bytes, is not valid; undefined for a valid one.
   * @throws TooManySteps if it takes too long
   * @throws Undecided if that depends on a pattern that cannot be matched in a bounded time
   * @throws RangeError if the value is too deep
   */
  check(value: JsonValue, size: number): Fault | undefined;
}

/**
 * Compiles a schema and its references to closures: none of their text gets into generated code. Nothing is ever
 * fetched.
 * @throws SchemaError if one is not valid, or refers to something that is not there
 */
export function compile(source: SchemaSource): Validation {
  const schema = parse(source.text);
  const references = source.references.map((one) => ({ name: one.name, schema: parse(one.text, one) }));
  const library = createLibrary(schema, references);
  const texts = [source.text, ...source.references.map(({ text }) => text)];
  const node = compiler(library, texts.some(isDynamic))(library.root);
  return { library, check: (value, size) => check(node, value, size) };
}

function isDynamic(text: string): boolean {
  return text.includes('$dynamic') || text.includes('$recursive');
}

function check(node: Node, value: JsonValue, size: number): Fault | undefined {
  const run: Run = { left: mostSteps + size * mostStepsPerByte, failure: undefined, path: [], scope: [] };
  if (apply(node, value, run, undefined)) return undefined;
  const { value: at, expected, found = describe(at) } = run.failure ?? { value, expected: 'a valid value' };
  const text = typeof expected === 'string' ? expected : expected();
  return { path: showPath(run.path.reverse()), expected: text, found };
}

type Compiler = (subschema: Subschema) => Node;

/** Compiles schemas one after the other, each once: deep and recursive ones need no stack. */
function compiler(library: Library, areDynamic: boolean): Compiler {
  const nodes = new Map<JsonValue, Node>();
  const open: { readonly subschema: Subschema; readonly node: Node }[] = [];
  const sameValue: Edge[] = [];
  const patterns = createPatterns();
  const nodeOf = (subschema: Subschema): Node => {
    const existing = nodes.get(subschema.schema);
    if (existing !== undefined) return existing;
    const checks: Check[][] = Array.from({ length: ofObject + 1 }, () => []);
    const node: Node = { checks, last: [], entered: areDynamic ? subschema.resource : undefined };
    nodes.set(subschema.schema, node);
    open.push({ subschema, node });
    return node;
  };
  const partOf = ({ subschema, node }: { readonly subschema: Subschema; readonly node: Node }): Part => {
    const { resource } = subschema;
    const find = (reference: string) => library.find(reference, resource);
    const add = (kinds: readonly number[], check: Check<never>) => {
      for (const kind of kinds) node.checks[kind]?.push(check as Check);
    };
    return {
      schema: effective(isObject(subschema.schema) ? subschema.schema : {}, resource.draft),
      draft: resource.draft,
      patterns,
      add,
      addLast: (check) => node.last.push(check),
      addSame: (same) => {
        sameValue.push([node, same]);
        add(anyKind, (value: JsonValue, run, seen) => apply(same, value, run, seen));
      },
      inner: (schema) => nodeOf(library.subschemaOf(schema, resource)),
      find,
      nodeOf,
      dynamic: (anchor) => dynamicTarget(library, anchor, nodeOf),
    };
  };
  return (subschema) => {
    const root = nodeOf(subschema);
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (next.subschema.schema === false) partOf(next).add(anyKind, (value, run) => fail(run, value, 'nothing'));
      else if (next.subschema.schema !== true) for (const addChecks of groups) addChecks(partOf(next));
    }
    refuseLoops(sameValue);
    return root;
  };
}

/** In the order in which a value is checked: what says most about it comes first. */
const groups = [addValueChecks, addScalarChecks, addArrayChecks, addObjectChecks, addCombinedChecks];

/** The resources that were entered may have the anchor, the outermost one first. */
function dynamicTarget(library: Library, anchor: string, nodeOf: Compiler): (run: Run) => Node | undefined {
  const targets = new Map<Resource, Node>();
  for (const resource of library.resources) {
    const schema = resource.dynamicAnchors.get(anchor);
    if (schema !== undefined) targets.set(resource, nodeOf({ schema, resource }));
  }
  return ({ scope }) => {
    const entered = scope.find((resource) => targets.has(resource));
    return entered && targets.get(entered);
  };
}

type Edge = readonly [from: Node, to: Node];

/** Refuses schemas that apply themselves to the same value, whatever it is. @throws SchemaError */
function refuseLoops(edges: readonly Edge[]): void {
  const next = Map.groupBy(edges, ([from]) => from);
  const incoming = new Map<Node, number>();
  for (const [, to] of edges) incoming.set(to, (incoming.get(to) ?? 0) + 1);
  const free = [...next.keys()].filter((node) => !incoming.has(node));
  let left = edges.length;
  for (let node = free.pop(); node !== undefined; node = free.pop()) {
    for (const [, to] of next.get(node) ?? []) {
      left--;
      const others = (incoming.get(to) ?? 0) - 1;
      incoming.set(to, others);
      if (others === 0) free.push(to);
    }
  }
  if (left > 0) throw new SchemaError('the schema refers to itself without end');
}

function parse(text: string, reference?: ReferencedSchema): JsonValue {
  const what = reference === undefined ? 'the schema' : `the reference ${JSON.stringify(reference.name)}`;
  let schema: JsonValue;
  try {
    schema = JSON.parse(text);
  } catch (error) {
    throw new SchemaError(`${what} is not JSON: ${error instanceof Error ? error.message : error}`);
  }
  if (typeof schema === 'boolean' || isObject(schema)) return schema;
  throw new SchemaError(`${what} is neither an object nor a boolean`);
}

const kinds: Readonly<Record<string, number>> = {
  null: ofNull,
  boolean: ofBoolean,
  number: ofNumber,
  integer: ofNumber,
  string: ofString,
  array: ofArray,
  object: ofObject,
};

/** Adds the checks for any kind of value: `type`, `const` and `enum`. */
function addValueChecks(part: Part): void {
  const { type, const: constant, enum: values } = part.schema;
  if (type !== undefined) addType(part, isArray(type) ? type.map(String) : [String(type)]);
  if (part.draft >= 6 && constant !== undefined) {
    addOneOf(part, [constant], () => JSON.stringify(constant));
  }
  if (isArray(values)) addOneOf(part, values, () => listed(values));
}

function addType(part: Part, types: readonly string[]): void {
  const allowed = new Set(types.map((type) => kinds[type]));
  const expected = types.join(' or ');
  const others = anyKind.filter((kind) => !allowed.has(kind));
  part.add(others, (value, run) => fail(run, value, expected));
  if (!types.includes('integer') || types.includes('number')) return;
  // A number such as 1e400 is infinite for JavaScript only.
  const isInteger = (value: number) => Number.isInteger(value) || !Number.isFinite(value);
  part.add([ofNumber], (value: number, run) => isInteger(value) || fail(run, value, expected));
}

function addOneOf(part: Part, values: readonly JsonValue[], expected: () => string): void {
  const keys = new Set(values.map((value) => keyOf(value)));
  const check: Check = (value, run: Run) => keys.has(keyOf(value, run)) || fail(run, value, expected);
  part.add(anyKind, check);
}

function listed(values: readonly JsonValue[]): string {
  const shown = values.slice(0, 10).map((value) => JSON.stringify(value));
  return `one of ${shown.join(', ')}${values.length > 10 ? ' and others' : ''}`;
}

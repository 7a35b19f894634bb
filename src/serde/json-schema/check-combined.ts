import { isObject } from '../../shape/object.ts';
import { isArray, type JsonValue } from '../json/json-value.ts';
import { MissingReferenceError } from '../schema.ts';
import { type Draft, draftNamed } from './drafts.ts';
import { innerSchemas, Misshapen } from './keywords.ts';
import type { Part } from './part.ts';
import { anyKind, apply, type Check, fail, merge, type Node, type Run, type Seen, spend, unseen } from './run.ts';
import { splitFragment } from './uri.ts';

/** Adds what applies other schemas to the same value: references, alternatives and conditions. */
export function addCombinedChecks(part: Part): void {
  const { $ref, $recursiveRef, $dynamicRef, allOf, anyOf, oneOf, not } = part.schema;
  if (typeof $ref === 'string') addReference(part, $ref);
  if (part.draft === 2019 && typeof $recursiveRef === 'string') addDynamic(part, $recursiveRef, '');
  if (part.draft === 2020 && typeof $dynamicRef === 'string') {
    addDynamic(part, $dynamicRef, splitFragment($dynamicRef)[1] ?? '');
  }
  if (isArray(allOf)) for (const one of allOf) part.addSame(part.inner(one));
  if (isArray(anyOf)) part.add(anyKind, anyOfThese(anyOf.map(part.inner)));
  if (isArray(oneOf)) part.add(anyKind, oneOfThese(oneOf.map(part.inner)));
  if (not !== undefined) {
    const node = part.inner(not);
    part.add(
      anyKind,
      (value: JsonValue, run) =>
        !apply(node, value, run, undefined) || fail(run, value, 'a value that does not fit "not"'),
    );
  }
  if (part.draft >= 7) addCondition(part);
}

function addReference(part: Part, reference: string): void {
  const subschema = part.find(reference);
  if (subschema !== undefined) {
    part.addSame(part.nodeOf(subschema));
    return;
  }
  const [uri, fragment = ''] = splitFragment(reference);
  const draft = draftNamed(uri);
  if (draft === undefined || fragment !== '') {
    const message = `the schema refers to ${JSON.stringify(reference)}, which is not one of its references`;
    throw new MissingReferenceError(message, reference);
  }
  part.add(anyKind, (value: JsonValue, run) => {
    spend(run, JSON.stringify(value).length);
    return isSchemaOf(draft, value) || fail(run, value, 'a JSON Schema');
  });
}

/** Adds a reference whose target depends on how its schema was reached, if it leads to such an anchor at all. */
function addDynamic(part: Part, reference: string, anchor: string): void {
  const subschema = part.find(reference);
  if (subschema === undefined || subschema.resource.dynamicAnchors.get(anchor) !== subschema.schema) {
    addReference(part, reference);
    return;
  }
  const fallback = part.nodeOf(subschema);
  const target = part.dynamic(anchor);
  part.add(anyKind, (value: JsonValue, run, seen) => apply(target(run) ?? fallback, value, run, seen));
}

function anyOfThese(nodes: readonly Node[]): Check {
  return (value, run, seen) => {
    let isValid = false;
    for (const node of nodes) {
      if (!applied(node, value, run, seen)) continue;
      isValid = true;
      // The others may still have seen something.
      if (seen === undefined) return true;
    }
    return isValid || fail(run, value, 'a value that fits one of the alternatives');
  };
}

function oneOfThese(nodes: readonly Node[]): Check {
  return (value, run, seen) => {
    let fitting = 0;
    for (const node of nodes) {
      if (applied(node, value, run, seen)) fitting++;
      if (fitting > 1) break;
    }
    return fitting === 1 || fail(run, value, 'a value that fits exactly one of the alternatives');
  };
}

function addCondition({ schema, add, inner }: Part): void {
  if (schema.if === undefined) return;
  const condition = inner(schema.if);
  const then = schema.then === undefined ? undefined : inner(schema.then);
  const otherwise = schema.else === undefined ? undefined : inner(schema.else);
  add(anyKind, (value: JsonValue, run, seen) => {
    const branch = applied(condition, value, run, seen) ? then : otherwise;
    return branch === undefined || apply(branch, value, run, seen);
  });
}

/** Applies a schema that need not fit; what it has seen counts only if it does. */
function applied(node: Node, value: JsonValue, run: Run, seen: Seen | undefined): boolean {
  if (seen === undefined) return apply(node, value, run, undefined);
  const marks = unseen();
  if (!apply(node, value, run, marks)) return false;
  merge(seen, marks, run);
  return true;
}

/** Checks whether a value is a schema of a draft; this stands for the draft's own description of its schemas. */
function isSchemaOf(draft: Draft, value: JsonValue): boolean {
  const open = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next === 'boolean') continue;
    if (!isObject(next)) return false;
    try {
      for (const { schema } of innerSchemas(next, draft)) open.push(schema);
    } catch (error) {
      if (error instanceof Misshapen) return false;
      throw error;
    }
  }
  return true;
}

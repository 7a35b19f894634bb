import { isObject } from '../../shape/object.ts';
import { isArray, type JsonObject, type JsonValue } from '../json/json-value.ts';
import type { Part } from './part.ts';
import { apply, applyTo, type Check, fail, type Node, ofObject, type Run, spend } from './run.ts';

/** Names of properties that count as one step. */
const namesPerStep = 8;

/** The steps for a property that is looked at. */
const stepsPerKey = 4;

/** Adds the checks for objects. */
export function addObjectChecks(part: Part): void {
  const { minProperties, maxProperties, required, propertyNames } = part.schema;
  const addCheck = (check: Check<JsonObject>) => part.add([ofObject], check);
  if (typeof minProperties === 'number') {
    const expected = `at least ${minProperties} properties`;
    addCheck((object, run) => keysOf(object, run).length >= minProperties || fail(run, object, expected));
  }
  if (typeof maxProperties === 'number') {
    const expected = `at most ${maxProperties} properties`;
    addCheck((object, run) => keysOf(object, run).length <= maxProperties || fail(run, object, expected));
  }
  if (isArray(required) && required.length > 0) addCheck(requires(required.map(String)));
  addDependencies(part);
  if (part.draft >= 6 && propertyNames !== undefined) {
    const names = part.inner(propertyNames);
    addCheck((object, run) => keysOf(object, run).every((name) => isRightName(names, name, run)));
  }
  addProperties(part);
  addUnevaluated(part);
}

function keysOf(object: JsonObject, run: Run): readonly string[] {
  const keys = Object.keys(object);
  spend(run, keys.length * stepsPerKey);
  return keys;
}

function requires(names: readonly string[]): Check<JsonObject> {
  const steps = Math.floor(names.length / namesPerStep);
  return (object, run) => {
    spend(run, steps);
    for (const name of names) {
      if (!Object.hasOwn(object, name)) return fail(run, object, `the property "${name}"`, 'an object without it');
    }
    return true;
  };
}

function isRightName(names: Node, name: string, run: Run): boolean {
  if (apply(names, name, run, undefined)) return true;
  fail(run, name, 'a valid property name', 'the property');
  run.path.push(name);
  return false;
}

/** What depends on whether an object has a property: other properties, or a schema for the object. */
function addDependencies(part: Part): void {
  const { dependencies, dependentRequired, dependentSchemas } = part.schema;
  const later = part.draft >= 2019 ? [dependentRequired, dependentSchemas] : [];
  for (const byName of [dependencies, ...later]) {
    if (!isObject(byName)) continue;
    for (const [name, dependent] of Object.entries(byName)) {
      const check = isArray(dependent) ? requires(dependent.map(String)) : applies(part.inner(dependent));
      part.add([ofObject], (object: JsonObject, run, seen) => {
        spend(run, 1);
        return !Object.hasOwn(object, name) || check(object, run, seen);
      });
    }
  }
}

function applies(node: Node): Check<JsonObject> {
  return (object, run, seen) => apply(node, object, run, seen);
}

/** Adds the checks of properties by name, of those by pattern, and of the others. */
function addProperties({ schema, add, inner, patterns }: Part): void {
  const { properties, patternProperties, additionalProperties } = schema;
  const byName = new Map(entriesOf(properties).map(([name, one]) => [name, [inner(one)]]));
  const byPattern = entriesOf(patternProperties).map(([pattern, one]) => ({
    matches: patterns.compile(pattern),
    node: inner(one),
  }));
  const others = additionalProperties === undefined ? [] : [inner(additionalProperties)];
  if (byName.size === 0 && byPattern.length === 0 && others.length === 0) return;
  const nodesFor = (key: string, run: Run): readonly Node[] => {
    const named = byName.get(key) ?? [];
    const matching = byPattern.filter(({ matches }) => matches(key, run));
    return matching.length === 0 ? named : [...named, ...matching.map(({ node }) => node)];
  };
  add([ofObject], (object: JsonObject, run, seen) => {
    for (const key of keysOf(object, run)) {
      const declared = nodesFor(key, run);
      if (declared.length === 0 && additionalProperties === false) return unwanted(run, key);
      const nodes = declared.length === 0 ? others : declared;
      if (!nodes.every((node) => applyTo(node, object[key] as JsonValue, key, run))) return false;
      if (nodes.length > 0) seen?.keys.add(key);
    }
    return true;
  });
}

function unwanted(run: Run, key: string): false {
  fail(run, undefined, 'no other properties', 'the property');
  run.path.push(key);
  return false;
}

function addUnevaluated({ schema, draft, inner, addLast }: Part): void {
  const { unevaluatedProperties } = schema;
  if (draft < 2019 || unevaluatedProperties === undefined) return;
  const others = inner(unevaluatedProperties);
  addLast((object, run, seen) => {
    if (!isObject(object) || seen === undefined) return true;
    for (const key of keysOf(object, run)) {
      if (seen.keys.has(key)) continue;
      if (unevaluatedProperties === false) return unwanted(run, key);
      if (!applyTo(others, object[key] as JsonValue, key, run)) return false;
      seen.keys.add(key);
    }
    return true;
  });
}

function entriesOf(value: JsonValue | undefined): readonly (readonly [string, JsonValue])[] {
  return isObject(value) ? Object.entries(value) : [];
}

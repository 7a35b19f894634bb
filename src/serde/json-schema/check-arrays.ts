import { isArray, type JsonValue } from '../json/json-value.ts';
import { keyOf } from './equality.ts';
import type { Part } from './part.ts';
import { apply, applyTo, type Check, fail, type Node, ofArray, type Run, type Seen, spend } from './run.ts';

type Items = readonly JsonValue[];

/** Adds the checks for arrays. */
export function addArrayChecks(part: Part): void {
  const { minItems, maxItems, uniqueItems, unevaluatedItems } = part.schema;
  const addCheck = (check: Check<Items>) => part.add([ofArray], check);
  if (typeof minItems === 'number') {
    addCheck((items, run) => items.length >= minItems || fail(run, items, `at least ${minItems} items`));
  }
  if (typeof maxItems === 'number') {
    addCheck((items, run) => items.length <= maxItems || fail(run, items, `at most ${maxItems} items`));
  }
  if (uniqueItems === true) {
    addCheck((items, run) => areUnique(items, run) || fail(run, items, 'items that differ'));
  }
  addItems(part);
  addContains(part);
  if (part.draft >= 2019 && unevaluatedItems !== undefined) {
    const rest = part.inner(unevaluatedItems);
    part.addLast((value, run, seen) => !isArray(value) || seen === undefined || areRestRight(rest, value, run, seen));
  }
}

/** The steps for an item that is put into a set. */
const stepsPerItem = 4;

function areUnique(items: Items, run: Run): boolean {
  spend(run, items.length * stepsPerItem);
  return new Set(items.map((item) => keyOf(item, run))).size === items.length;
}

/** Adds the checks of the first items, one by one, and of those after them. */
function addItems({ schema, draft, add, inner }: Part): void {
  const { prefixItems, items, additionalItems } = schema;
  const tuple = draft === 2020 ? prefixItems : items;
  const first = isArray(tuple) ? tuple.map(inner) : [];
  const others = draft === 2020 || !isArray(items) ? items : additionalItems;
  const rest = others === undefined ? undefined : inner(others);
  if (first.length === 0 && rest === undefined) return;
  add([ofArray], (values: Items, run, seen) => {
    const end = rest === undefined ? Math.min(first.length, values.length) : values.length;
    for (let at = 0; at < end; at++) {
      if (!applyTo((first[at] ?? rest) as Node, values[at] as JsonValue, at, run)) return false;
    }
    if (seen !== undefined) seen.items = Math.max(seen.items, end);
    return true;
  });
}

function addContains({ schema, draft, add, inner }: Part): void {
  const { contains, minContains = 1, maxContains = Number.POSITIVE_INFINITY } = schema;
  if (draft < 6 || contains === undefined) return;
  const node = inner(contains);
  const least = draft >= 2019 ? Number(minContains) : 1;
  const most = draft >= 2019 ? Number(maxContains) : Number.POSITIVE_INFINITY;
  add([ofArray], (items: Items, run, seen) => {
    let count = 0;
    for (const [at, item] of items.entries()) {
      if (!apply(node, item, run, undefined)) continue;
      count++;
      // In 2019-09 the items that fit are still not evaluated.
      if (draft === 2020) seen?.others.add(at);
    }
    if (count >= least && count <= most) return true;
    return fail(run, items, count < least ? 'an item that fits "contains"' : 'fewer items that fit "contains"');
  });
}

function areRestRight(rest: Node, items: Items, run: Run, seen: Seen): boolean {
  for (let at = seen.items; at < items.length; at++) {
    if (!seen.others.has(at) && !applyTo(rest, items[at] as JsonValue, at, run)) return false;
  }
  seen.items = items.length;
  return true;
}

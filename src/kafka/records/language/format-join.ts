import { copyInto, reserve } from '../../../bytes/arena.ts';
import { writeRaw } from './format-text.ts';
import { literalStep, type PrintStep, textStep } from './format-verbs.ts';

/** A piece of a layout before it is joined with adjacent pieces. */
export type Part =
  | { readonly literal: Buffer }
  /** The unmodified key or value; most layouts consist of these. */
  | { readonly raw: 'key' | 'value' }
  | { readonly step: PrintStep };

/**
 * Joins parts into one function: adjacent literals are merged, and a raw key or value includes the literal after it, so
 * that `%v\n` is a single step with one check for room.
 */
export function joinSteps(parts: readonly Part[]): PrintStep {
  const steps: PrintStep[] = [];
  let index = 0;
  while (index < parts.length) {
    const part = parts[index++];
    if (part === undefined) break;
    if ('step' in part) {
      steps.push(part.step);
      continue;
    }
    const literals = 'literal' in part ? [part.literal] : [];
    for (let next = parts[index]; next !== undefined && 'literal' in next; next = parts[++index])
      literals.push(next.literal);
    const literal = Buffer.concat(literals);
    steps.push('raw' in part ? rawStep(part.raw, literal) : literalStep(literal));
  }
  return chain(steps);
}

function rawStep(field: 'key' | 'value', literal: Buffer): PrintStep {
  if (literal.length === 0) return textStep(field === 'key' ? 'k' : 'v', 'record', writeRaw);
  const after = literalWriter(literal);
  if (field === 'key') {
    return (cursor, arena) => {
      const length = Math.max(cursor.keyLength, 0);
      reserve(arena, length + literal.length);
      copyInto(arena, cursor.view, cursor.keyStart, length);
      after(arena);
    };
  }
  return (cursor, arena) => {
    const length = Math.max(cursor.valueLength, 0);
    reserve(arena, length + literal.length);
    copyInto(arena, cursor.view, cursor.valueStart, length);
    after(arena);
  };
}

/** Returns a function that writes a literal without a check for room. */
function literalWriter(literal: Buffer): (arena: { bytes: Buffer; length: number }) => void {
  const only = literal[0] ?? 0;
  if (literal.length === 1) {
    return (arena) => {
      arena.bytes[arena.length++] = only;
    };
  }
  return (arena) => {
    for (let index = 0; index < literal.length; index++) arena.bytes[arena.length++] = literal[index] as number;
  };
}

/** Calls the steps in order; short chains do without a loop, so that V8 inlines them. */
function chain(steps: readonly PrintStep[]): PrintStep {
  const [first, second, third] = steps;
  if (first === undefined) return () => undefined;
  if (second === undefined) return first;
  if (third === undefined) {
    return (cursor, arena) => {
      first(cursor, arena);
      second(cursor, arena);
    };
  }
  return (cursor, arena) => {
    for (const step of steps) step(cursor, arena);
  };
}

import type { JsonObject, JsonValue } from '../json/json-value.ts';
import type { Draft } from './drafts.ts';
import type { Subschema } from './library.ts';
import type { Patterns } from './patterns.ts';
import type { Check, Node, Run } from './run.ts';

/** A schema that is being compiled. */
export interface Part {
  readonly schema: JsonObject;
  readonly draft: Draft;
  readonly patterns: Patterns;
  /** Adds a check for values of the kinds that are given. */
  add<Value extends JsonValue>(kinds: readonly number[], check: Check<Value>): void;
  /** Adds a check that comes after all others. */
  addLast(check: Check): void;
  /** Applies another schema to every value. */
  addSame(node: Node): void;
  /** Returns the node of a schema within this one. */
  inner(schema: JsonValue): Node;
  /** Returns where a reference leads to; undefined if it is not there. */
  find(reference: string): Subschema | undefined;
  /** Returns the node of what a reference leads to. */
  nodeOf(subschema: Subschema): Node;
  /** Returns the node of an anchor in the outermost resource that was entered and has it; undefined for none. */
  dynamic(anchor: string): (run: Run) => Node | undefined;
}

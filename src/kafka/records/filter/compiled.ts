import type { JsonValue } from '../../../serde/json/json-value.ts';
import type { Patterns } from './patterns.ts';
import type { Type } from './record-names.ts';
import type { Fault, RecordView } from './record-view.ts';
import type { Call, Expression } from './syntax.ts';

/** Evaluates a part of an expression; undefined if its value is not known, with the reason in `fault` of the view. */
export type Evaluate = (view: RecordView) => JsonValue | undefined;

/** A part of an expression that is ready to be evaluated. */
export interface Compiled {
  readonly type: Type;
  readonly run: Evaluate;
  /** How it is named in reasons, such as `value.status`. */
  readonly shown: string;
}

/** What the names of an expression stand for. */
export interface Root {
  readonly names: ReadonlyMap<string, Compiled>;
  /** The fields of the names that have no others. */
  readonly fields: ReadonlyMap<string, readonly string[]>;
  /**
   * Whether they are those of a record: `record.` may stand before them, and a field that is missing leaves a condition
   * undecided. Otherwise it is null.
   */
  readonly isRecord: boolean;
}

/** Where a part of an expression is. */
export interface Scope {
  readonly root: Root;
  /** The variables of the loops around it, with their places in `locals`. */
  readonly locals: ReadonlyMap<string, number>;
  readonly patterns: Patterns | undefined;
  compile(expression: Expression, scope: Scope): Compiled;
}

/** Compiles a call whose arguments may be conditions with variables of their own. */
export type CompileCall = (call: Call, scope: Scope) => Compiled;

/** Records why a value is not known. */
export function unknown(view: RecordView, fault: Fault): undefined {
  view.fault = fault;
  return undefined;
}

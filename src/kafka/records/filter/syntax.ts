import type { JsonValue } from '../../../serde/json/json-value.ts';

/** Operators with two sides. */
export type BinaryOperator = '||' | '&&' | '==' | '!=' | '<' | '<=' | '>' | '>=' | 'in' | '+' | '-' | '*' | '/' | '%';

/** Operators that compare. */
export type Comparison = Extract<BinaryOperator, '==' | '!=' | '<' | '<=' | '>' | '>='>;

/** The comparison that means the same with its sides exchanged. */
export const mirrored: Readonly<Record<Comparison, Comparison>> = {
  '==': '==',
  '!=': '!=',
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
};

/** Checks whether an operator compares. */
export function isComparison(operator: BinaryOperator): operator is Comparison {
  return Object.hasOwn(mirrored, operator);
}

/** An expression; `at` is its position in the text, for errors. */
export type Expression =
  | { readonly kind: 'constant'; readonly at: number; readonly value: JsonValue; readonly isDouble: boolean }
  | { readonly kind: 'name'; readonly at: number; readonly name: string }
  | { readonly kind: 'field'; readonly at: number; readonly of: Expression; readonly name: string }
  | { readonly kind: 'index'; readonly at: number; readonly of: Expression; readonly index: Expression }
  | Call
  | { readonly kind: 'unary'; readonly at: number; readonly operator: '!' | '-'; readonly of: Expression }
  | Binary
  | {
      readonly kind: 'choice';
      readonly at: number;
      readonly test: Expression;
      readonly yes: Expression;
      readonly no: Expression;
    }
  | { readonly kind: 'list'; readonly at: number; readonly items: readonly Expression[] }
  | Shorthand;

/** A call of a function, or of a method if it has a subject. */
export interface Call {
  readonly kind: 'call';
  readonly at: number;
  readonly name: string;
  readonly of: Expression | undefined;
  readonly args: readonly Expression[];
}

/** Two operands and what is between them. */
export interface Binary {
  readonly kind: 'binary';
  readonly at: number;
  readonly operator: BinaryOperator;
  readonly left: Expression;
  readonly right: Expression;
}

/** A condition that a flag of its own stands for. */
export type Shorthand =
  /** The key is one of these texts. */
  | { readonly kind: 'keys'; readonly at: number; readonly texts: readonly string[] }
  /** A header of this name exists, with this value if there is one. */
  | { readonly kind: 'header'; readonly at: number; readonly name: string; readonly value: string | undefined }
  /** The key, the value or a header contains this text. */
  | { readonly kind: 'contains'; readonly at: number; readonly text: string };

import { isArray, type JsonObject, type JsonValue } from '../../../serde/json/json-value.ts';
import { createCursor } from '../batches/cursor.ts';
import { compileCondition, compileValue } from './compile.ts';
import type { Compiled, Root } from './compiled.ts';
import { ExpressionError } from './expression-error.ts';
import { parseExpression } from './parse.ts';
import { createView, lookAt } from './record-view.ts';
import type { Expression } from './syntax.ts';
import { fieldNameOf, partsOf } from './walk-expression.ts';

/** The fields of a thing. */
export type Facts = JsonObject;

/** A condition about one thing with fields, such as a topic that a file describes. */
export interface Rule {
  /** The name that it is about; undefined if it names nothing. */
  readonly about: string | undefined;
  /** Whether it holds for a thing; undefined if that cannot be decided, for the reason that `why` returns. */
  holds(thing: Facts): boolean | undefined;
  /** Why the last thing could not be decided. */
  why(): string;
  /** The fields that it looks at, as they are in a thing: `topic.replicas is 1`. */
  seen(thing: Facts): readonly string[];
}

/** What is wrong with a rule, with the position in its text. */
export interface RuleFault {
  readonly at: number;
  readonly why: string;
}

/**
 * Reads a rule, in the language of `--where`. A field that a thing lacks is null.
 * @param subjects the names that it may use, with all their fields
 */
export async function readRule(
  text: string,
  subjects: ReadonlyMap<string, readonly string[]>,
): Promise<Rule | RuleFault> {
  const patterns = text.includes('matches') ? (await import('./patterns.ts')).createPatterns() : undefined;
  let thing: JsonObject = {};
  const names = [...subjects.keys()].map((name): readonly [string, Compiled] => {
    return [name, { type: 'map', shown: name, run: () => thing }];
  });
  const root: Root = { names: new Map(names), fields: subjects, isRecord: false };
  const cursor = createCursor();
  const view = createView(cursor, {});
  try {
    const expression = parseExpression(text);
    const holds = compileCondition(expression, patterns, root);
    const fields = fieldsIn(expression, subjects).map((one) => compileValue(one, root, undefined));
    const about = new Set(subjectsIn(expression, subjects));
    const [only, other] = about;
    if (other !== undefined) throw new ExpressionError(0, `it is about ${only} and ${other}: write a rule for each`);
    const look = (at: JsonObject) => {
      thing = at;
      lookAt(view, cursor);
    };
    return {
      about: only,
      holds(at) {
        look(at);
        const result = holds(view);
        return typeof result === 'boolean' ? result : undefined;
      },
      why: () => view.fault?.reason ?? 'it is not true or false',
      seen(at) {
        look(at);
        const shown = new Map(fields.map((field) => [field.shown, field.run(view)] as const));
        return [...shown].flatMap(([field, value]) =>
          value === undefined ? [] : [`${field} is ${shownValue(value)}`],
        );
      },
    };
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    return { at: error.at, why: [error.message, ...error.hints].join('; ') };
  }
}

function subjectsIn(expression: Expression, subjects: ReadonlyMap<string, unknown>): readonly string[] {
  if (expression.kind === 'name') return subjects.has(expression.name) ? [expression.name] : [];
  return partsOf(expression).flatMap((one) => subjectsIn(one, subjects));
}

/** The fields of subjects that an expression takes, and fields of these: `topic.configs["retention.ms"]`. */
function fieldsIn(expression: Expression, subjects: ReadonlyMap<string, unknown>): readonly Expression[] {
  if (isField(expression, subjects)) return [expression];
  return partsOf(expression).flatMap((one) => fieldsIn(one, subjects));
}

function isField(expression: Expression, subjects: ReadonlyMap<string, unknown>): boolean {
  if (expression.kind !== 'field' && expression.kind !== 'index') return false;
  const { of } = expression;
  if (fieldNameOf(expression) === undefined) return false;
  return of.kind === 'name' ? subjects.has(of.name) : isField(of, subjects);
}

function shownValue(value: JsonValue): string {
  if (isArray(value)) return `[${value.map(shownValue).join(', ')}]`;
  return typeof value === 'object' && value !== null
    ? 'a map'
    : typeof value === 'string'
      ? JSON.stringify(value)
      : String(value);
}

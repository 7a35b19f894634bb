import { invalidError } from '../../../errors.ts';
import { pointedAt } from '../../../format/caret.ts';
import { nearestName } from '../../../serde/json/nearest-name.ts';
import type { Natural } from '../../../serde/natural.ts';
import type { RecordCursor } from '../batches/cursor.ts';
import type { DecodedFields } from '../language/decoding.ts';
import { allBounds, type Bounds, boundsOf } from './bounds.ts';
import { compileCondition } from './compile.ts';
import type { Evaluate } from './compiled.ts';
import { ExpressionError } from './expression-error.ts';
import { containsOne } from './finder.ts';
import { type Need, needOf, rarer, type SearchedForms, textsOf } from './needs.ts';
import { parseExpression } from './parse.ts';
import { createView, type Fault, lookAt, type RecordView } from './record-view.ts';
import { hasEscapes, type Refuter, refutersOf } from './refute.ts';
import type { Expression } from './syntax.ts';
import { namesIn } from './walk-expression.ts';

/** Which records to take; all conditions must hold. */
export interface FilterSource {
  /** Expressions, as `--where` takes them. */
  readonly where: readonly string[];
  /** The key as text; several mean any of them. */
  readonly keys?: readonly string[];
  /** Headers, as NAME=VALUE, or NAME for any value. */
  readonly headers?: readonly string[];
  /** Texts that the key, the value or a header contains. */
  readonly contains?: readonly string[];
}

/** Decides which records match. */
export interface RecordFilter {
  /**
   * Tests the record under the cursor; undefined if it cannot be decided, for example because a field is missing. Such
   * a record does not match.
   */
  test(cursor: RecordCursor): boolean | undefined;
  /**
   * Whether the bytes of the record show that it does not match, so that it need not be tested; false if they do not
   * show it.
   * @param mayHaveEscapes whether there may be escapes of JSON (`hasEscapes`) in the record
   */
  isRefuted(cursor: RecordCursor, mayHaveEscapes: boolean): boolean;
  /** The names of fields that `isRefuted` looks for. */
  readonly peeksAt: readonly string[];
  /** Why the record that was tested last cannot be decided. */
  fault(): Pick<Fault, 'reason' | 'hint'>;
  /** The steps that the last test took; one takes some nanoseconds. */
  steps(): number;
  /** Whether the test looks at a field that is decoded, so that the record must be opened before. */
  readonly needsDecoding: boolean;
  /** The fields that the test looks at as they are stored. */
  readonly storedFields: readonly ('key' | 'value')[];
  /** Where and when all matches are. */
  readonly bounds: Bounds;
  /** Bytes that every match contains at least one of, as it is stored; undefined if there are none. */
  readonly need: Need | undefined;
  /**
   * The texts that decoded fields must keep (`RecordDecoding.keeps`), for `need` to be true of a record; empty if it is true
   * of all.
   */
  readonly ifKept: readonly string[];
}

/**
 * Compiles the conditions. A key or value in `fields` is that of the record that was decoded last; the others are the
 * bytes of the record.
 * @throws CliError (usage) with a caret under the error in an expression
 */
export async function openFilter(source: FilterSource, fields: Partial<DecodedFields> = {}): Promise<RecordFilter> {
  const needsPatterns = source.where.some((text) => text.includes('matches'));
  const patterns = needsPatterns ? (await import('./patterns.ts')).createPatterns() : undefined;
  const conditions = source.where.map((text) => {
    const expression = orExplained(text, () => parseExpression(text));
    return { expression, run: orExplained(text, () => compileCondition(expression, patterns)) };
  });
  const short = shorthandsOf(source).map((expression) => ({
    expression,
    run: compileCondition(expression, undefined),
  }));
  // The cheap ones first.
  return filterOf([...short, ...conditions], fields);
}

interface Condition {
  readonly expression: Expression;
  readonly run: Evaluate;
}

function shorthandsOf({ keys = [], headers = [], contains = [] }: FilterSource): readonly Expression[] {
  return [
    ...(keys.length === 0 ? [] : [{ kind: 'keys' as const, at: 0, texts: keys }]),
    ...headers.map((header) => {
      const [name = '', value] = splitAtFirst(header, '=');
      return { kind: 'header' as const, at: 0, name, value };
    }),
    ...contains.map((text) => ({ kind: 'contains' as const, at: 0, text })),
  ];
}

function splitAtFirst(text: string, separator: string): readonly [string, string | undefined] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + separator.length)];
}

/** Turns an error in the expression into one that shows it. */
function orExplained<T>(text: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    throw invalidError(`invalid --where: ${error.message}${excerptAt(text, error.at)}`, {
      code: 'INVALID_EXPRESSION',
      target: 'where',
      hints: error.hints,
    });
  }
}

/** The characters that are shown before and after an error. */
const [before, after] = [50, 40];

function excerptAt(text: string, at: number): string {
  const start = at > before + 10 ? at - before : 0;
  const end = text.length > at + after + 10 ? at + after : text.length;
  const [left, right] = [start > 0 ? '…' : '', end < text.length ? '…' : ''];
  return pointedAt(`${left}${text.slice(start, end)}${right}`, at - start + left.length);
}

function filterOf(conditions: readonly Condition[], fields: Partial<DecodedFields>): RecordFilter {
  let view: RecordView | undefined;
  const names = new Set(conditions.flatMap(({ expression }) => namesIn(expression)));
  const runs = conditions.map(({ run }) => run);
  const refuters = conditions.flatMap(({ expression }) => refutersOf(expression)).slice(0, mostRefuters);
  const decodedNeed = needIn({
    key: fields.key && 'decoded',
    value: fields.value && 'decoded',
    headers: false,
  });
  const storedNeed = needIn({
    key: fields.key === undefined ? 'stored' : undefined,
    value: fields.value === undefined ? 'stored' : undefined,
    headers: true,
  });
  const encodedNeed = needIn({
    key: fields.key === undefined ? 'stored' : 'encoded',
    value: fields.value === undefined ? 'stored' : 'encoded',
    headers: true,
  });
  const seemsToMatch = decodedNeed === undefined ? undefined : decodedTest(decodedNeed, fields);

  function looksAt(field: 'key' | 'value'): boolean {
    return names.has(field) || names.has(`${field}AsText`);
  }

  function needIn(forms: SearchedForms): Need | undefined {
    return conditions.map(({ expression }) => needOf(expression, forms)).reduce(rarer, undefined);
  }

  return {
    bounds: allBounds(conditions.map(({ expression }) => boundsOf(expression))),
    need: storedNeed ?? encodedNeed,
    ifKept: storedNeed === undefined && encodedNeed !== undefined ? textsOf(encodedNeed) : [],
    needsDecoding: (fields.key !== undefined && looksAt('key')) || (fields.value !== undefined && looksAt('value')),
    storedFields: (['value', 'key'] as const).filter((field) => fields[field] === undefined && looksAt(field)),
    peeksAt: refuters.map(({ name }) => name),
    isRefuted: (cursor, mayHaveEscapes) =>
      seemsToMatch?.() === false ||
      refuters.some((refuter) => refutesRecord(refuter, cursor, { fields, mayHaveEscapes })),
    test(cursor) {
      view ??= createView(cursor, fields);
      lookAt(view, cursor);
      let isKnown = true;
      for (const run of runs) {
        const holds = run(view);
        if (holds === false) return false;
        isKnown &&= holds === true;
      }
      return isKnown ? true : undefined;
    },
    fault: () => shownFault(view?.fault),
    steps: () => view?.steps ?? 0,
  };
}

/** Each takes a tenth of the time that reading JSON takes. */
const mostRefuters = 3;

interface Look {
  readonly fields: Partial<DecodedFields>;
  readonly mayHaveEscapes: boolean;
}

function refutesRecord(refuter: Refuter, cursor: RecordCursor, { fields, mayHaveEscapes }: Look): boolean {
  const { field, takesDefaults, refutes } = refuter;
  const isValue = field === 'value';
  const { bytes } = fields[field] ?? cursor;
  const start = fields[field]?.start ?? (isValue ? cursor.valueStart : cursor.keyStart);
  const end = start + (fields[field]?.length ?? (isValue ? cursor.valueLength : cursor.keyLength));
  const natural = fields[field]?.natural;
  // A field of this name may be there, and another one left out.
  if (takesDefaults && natural?.leftOut !== undefined) return false;
  const hasUnions = natural !== undefined;
  return !(mayHaveEscapes && hasEscapes(bytes, start, end)) && refutes(bytes, { start, end, hasUnions });
}

/** Looks for bytes in the decoded fields of the open record; those that were not decoded are to be tested. */
function decodedTest(need: Need, fields: Partial<DecodedFields>): () => boolean {
  const decoded = [fields.key, fields.value].filter((field) => field !== undefined);
  const mayBeLeftOut = leftOutTest(need);
  return () =>
    decoded.some(
      ({ schema, natural, bytes, start, length }) =>
        (schema === undefined && length >= 0) ||
        (length > 0 && (containsOne(need, bytes, start, start + length) || mayBeLeftOut(natural))),
    );
}

/** Whether a field that is left out may have the text; the answer for a schema is remembered. */
function leftOutTest(need: Need): (natural: Natural | undefined) => boolean {
  const cache = new WeakMap<() => string, boolean>();
  return (natural) => {
    const leftOut = natural?.leftOut;
    if (leftOut === undefined) return false;
    const before = cache.get(leftOut);
    if (before !== undefined) return before;
    const texts = Buffer.from(leftOut());
    const may = containsOne(need, texts, 0, texts.length);
    cache.set(leftOut, may);
    return may;
  };
}

const unclear: Fault = { reason: 'a condition is not true or false' };

function shownFault(fault: Fault = unclear): Fault {
  const { reason, missing, in: container } = fault;
  if (missing === undefined || typeof container !== 'object' || container === null) return fault;
  const near = nearestName(missing, Object.keys(container));
  return near === undefined ? fault : { reason: `${reason} (did you mean ${JSON.stringify(near)}?)` };
}

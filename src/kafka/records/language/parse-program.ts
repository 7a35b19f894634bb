import {
  type Layout,
  layoutError,
  readBraced,
  readDelimited,
  readEscape,
  readNested,
  takeWord,
} from './format-layout.ts';
import { type JsonFields, noJsonFields } from './json-fields.ts';
import { jsonStep } from './parse-json.ts';
import {
  inputNumberModifiers,
  numberReader,
  numberStep,
  timestampOf,
  timestampReader,
  timestampStep,
} from './parse-number.ts';
import { compileInputRegex, type InputRegex, regexStep } from './parse-regex.ts';
import { createFields, type FieldBytes, type Program, type ReadStep, type Run } from './parse-run.ts';
import { type Extent, type FieldName, literalStep, textStep } from './parse-text.ts';
import { lineEnd, lineLayout, type Scope, type ScopeOptions, type Token } from './parse-tokens.ts';

const fieldNames: ReadonlyMap<string, FieldName> = new Map([
  ['t', 'topic'],
  ['k', 'key'],
  ['v', 'value'],
]);
const sizeVerbs: ReadonlyMap<string, string> = new Map([
  ['t', 'T'],
  ['k', 'K'],
  ['v', 'V'],
]);
/** The maximum of each number. */
const numberLimits: ReadonlyMap<string, number> = new Map([
  ['T', 0x7fff],
  ['K', 0x7fffffff],
  ['V', 0x7fffffff],
  ['H', 0xffff],
  ['p', 0x7fffffff],
  ['o', Number.POSITIVE_INFINITY],
  ['e', 0xffffffff],
  ['d', Number.POSITIVE_INFINITY],
  ['x', Number.POSITIVE_INFINITY],
  ['y', 0xffff],
]);

/** Every verb of an input layout, for help. */
export const inputVerbs: ReadonlySet<string> = new Set([...fieldNames.keys(), ...numberLimits.keys(), 'h']);

/** Compiles an input layout into a program. @throws CliError (usage) with a caret under the error */
export function readProgram(text: string, json: JsonFields = noJsonFields): Program {
  const layout: Layout = { text, what: 'input layout', at: 0 };
  if (text === '') throw layoutError(layout, 0, 'it is empty');
  const scope = readScope(layout, text.length, { isHeader: false, json });
  const steps = buildSteps(layout, scope);
  if (steps.length === 0) throw layoutError(layout, 0, 'it reads nothing');
  const verbs = new Set([...scope.seen, ...scope.tokens.flatMap((token) => ('verb' in token ? [token.verb] : []))]);
  return {
    steps,
    constants: scope.constants,
    timestamp: scope.timestamp,
    verbs,
    hasTopic: verbs.has('t'),
    hasPartition: verbs.has('p'),
    hasKey: verbs.has('k'),
    skipsSpace: scope.tokens[0]?.kind === 'json',
    isExact: false,
    lineEnd: lineEnd(scope),
    lines: lineLayout(scope),
  };
}

function readScope(layout: Layout, end: number, options: ScopeOptions): Scope {
  const scope: Scope = { ...options, tokens: [], constants: {}, timestamp: undefined, seen: new Set() };
  while (layout.at < end) {
    const character = layout.text[layout.at];
    if (character === '\\') addLiteral(scope, Buffer.of(readEscape(layout)));
    else if (character === '%') readPercent(layout, end, scope);
    else {
      const from = layout.at;
      while (layout.at < end && layout.text[layout.at] !== '\\' && layout.text[layout.at] !== '%') layout.at++;
      addLiteral(scope, Buffer.from(layout.text.slice(from, layout.at)));
    }
  }
  return scope;
}

/** Merges adjacent literals, since a field ends at the first occurrence of the whole. */
function addLiteral({ tokens }: Scope, bytes: Buffer): void {
  const last = tokens.at(-1);
  if (last?.kind !== 'literal') tokens.push({ kind: 'literal', bytes });
  else tokens[tokens.length - 1] = { kind: 'literal', bytes: Buffer.concat([last.bytes, bytes]) };
}

function readPercent(layout: Layout, end: number, scope: Scope): void {
  const { at } = layout;
  const code = layout.text.codePointAt(at + 1);
  // A percent sign at the very end is literal.
  const verb = code === undefined ? '%' : String.fromCodePoint(code);
  layout.at = Math.min(at + 1 + verb.length, end);
  if (verb === '%' || verb === '{' || verb === '}') {
    addLiteral(scope, Buffer.from(verb));
    return;
  }
  const isBraced = layout.text[layout.at] === '{' && layout.at + 1 < end;
  if (isBraced) layout.at++;
  const name = fieldNames.get(verb);
  const limit = numberLimits.get(verb);
  if (scope.isHeader && (verb === 't' || verb === 'T' || verb === 'h' || verb === 'H')) {
    throw layoutError(layout, at, `%${verb} has no meaning within headers`);
  }
  if (name !== undefined)
    scope.tokens.push(readText(layout, at, { verb, name, isBraced, isJson: name !== 'topic' && scope.json[name] }));
  else if (limit !== undefined) readNumber(layout, at, { verb, limit, isBraced }, scope);
  else if (verb === 'h') scope.tokens.push(readHeaders(layout, at, isBraced, scope));
  else throw layoutError(layout, at, `unknown verb "%${verb}" (write %% for a percent sign)`);
}

interface TextVerb {
  readonly verb: string;
  readonly name: FieldName;
  readonly isBraced: boolean;
  /** Whether the plain verb reads JSON. */
  readonly isJson: boolean;
}

function readText(layout: Layout, at: number, { verb, name, isBraced, isJson }: TextVerb): Token {
  if (!isBraced && isJson) return { kind: 'json', verb, step: jsonStep(name), at };
  if (!isBraced) return { kind: 'text', verb, encoding: 'raw', at };
  const wordAt = layout.at;
  if (takeWord(layout, 'json}')) return { kind: 'json', verb, step: jsonStep(name), at };
  if (takeWord(layout, 're')) {
    const { body, at: bodyAt } = readDelimited(layout, 're');
    return { kind: 'regex', verb, step: regexStep(name, compileRegex(layout, body, bodyAt)), at };
  }
  const word = readBraced(layout, verb);
  if (word === '') return { kind: 'text', verb, encoding: 'raw', at };
  if (word === 'hex' || word === 'base64') return { kind: 'text', verb, encoding: word, at };
  throw layoutError(layout, wordAt, `unknown text format "${word}" (use hex, base64, json or re[…])`);
}

function compileRegex(layout: Layout, body: string, at: number): InputRegex {
  try {
    return compileInputRegex(body);
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^Invalid regular expression: /, '') : '';
    throw layoutError(layout, at, `invalid regular expression: ${reason}`);
  }
}

interface NumberVerb {
  readonly verb: string;
  readonly limit: number;
  readonly isBraced: boolean;
}

function readNumber(layout: Layout, at: number, { verb, limit, isBraced }: NumberVerb, scope: Scope): void {
  if (scope.seen.has(verb) && verb === verb.toUpperCase()) throw layoutError(layout, at, `%${verb} is given twice`);
  const wordAt = layout.at;
  const word = isBraced ? readBraced(layout, verb) : 'ascii';
  scope.seen.add(verb);
  const refuse = (reason: string): never => {
    throw layoutError(layout, wordAt, reason);
  };
  if (verb === 'd' && /^-?\d+$/.test(word)) {
    scope.timestamp = givenTimestamp(word, refuse);
    return;
  }
  if (/^\d+$/.test(word)) {
    scope.constants[verb] = givenNumber(word, verb, limit, refuse);
    return;
  }
  const step = verb === 'd' ? timeStep(word, scope) : sizeStep(word, verb, limit);
  if (step !== undefined) scope.tokens.push({ kind: 'number', verb, step, at });
  else refuse(`unknown number format "${word}" (use ${inputNumberModifiers().join(', ')} or digits)`);
}

type Refuse = (reason: string) => never;

/** The timestamp of all records, which the layout gives itself. */
function givenTimestamp(word: string, refuse: Refuse): number | bigint {
  const timestamp = timestampOf(word);
  if (timestamp === 0) return refuse('%d{0} reads nothing');
  return timestamp ?? refuse('%d exceeds 64 bits');
}

/** The number of all records, which the layout gives itself. */
function givenNumber(word: string, verb: string, limit: number, refuse: Refuse): number {
  const number = Number(word);
  if (number === 0 && verb !== 'p') refuse(`%${verb}{0} reads nothing`);
  if (number > limit) refuse(`%${verb} exceeds the maximum of ${limit}`);
  return number;
}

function sizeStep(word: string, verb: string, limit: number): ReadStep | undefined {
  const read = numberReader(word);
  return read === undefined ? undefined : numberStep(verb, read, limit);
}

function timeStep(word: string, { isHeader }: Scope): ReadStep | undefined {
  const read = timestampReader(word);
  return read === undefined ? undefined : timestampStep(read, isHeader);
}

function readHeaders(layout: Layout, at: number, isBraced: boolean, scope: Scope): Token {
  if (!scope.seen.has('H')) throw layoutError(layout, at, '%H must give the number of headers before %h reads them');
  if (!isBraced) throw layoutError(layout, layout.at, '%h needs a layout in braces: %h{%k=%v,}');
  const { at: bodyAt, body } = readNested(layout);
  const after = layout.at;
  layout.at = bodyAt;
  const nested = readScope(layout, bodyAt + body.length, { isHeader: true, json: noJsonFields });
  const steps = buildSteps(layout, nested);
  if (steps.length === 0) throw layoutError(layout, bodyAt, 'the header layout reads nothing');
  layout.at = after;
  return { kind: 'headers', step: headersStep(steps, nested.constants), at };
}

/** Turns tokens into steps, now that the neighbors of each field are known. */
function buildSteps(layout: Layout, { tokens, constants, seen }: Scope): ReadStep[] {
  const steps: ReadStep[] = [];
  const sizes = new Set(Object.keys(constants));
  const filled = new Set<string>();
  for (const [index, token] of tokens.entries()) {
    if (token.kind === 'literal') {
      // Where the field before it ends is read with the field.
      if (!endsField(tokens[index - 1], sizes)) steps.push(literalStep(token.bytes));
      continue;
    }
    if (token.kind === 'number') {
      refuseLate(layout, token, filled);
      sizes.add(token.verb);
    }
    if (token.kind === 'json' || token.kind === 'regex') refuseSize(layout, token, seen);
    if ('verb' in token) filled.add(token.verb);
    steps.push(token.kind === 'text' ? textStepOf(token, extentOf(token.verb, sizes, tokens[index + 1])) : token.step);
  }
  return steps;
}

function textStepOf({ verb, encoding }: Extract<Token, { kind: 'text' }>, extent: Extent): ReadStep {
  return textStep(fieldNames.get(verb) ?? 'value', encoding, extent);
}

/** Whether a text ends at the literal that follows it, because it has no size. */
function endsField(before: Token | undefined, sizes: ReadonlySet<string>): boolean {
  return before?.kind === 'text' && !sizes.has(sizeVerbs.get(before.verb) ?? '');
}

/** A size must come before its field. */
function refuseLate(layout: Layout, { verb, at }: { verb: string; at: number }, filled: ReadonlySet<string>): void {
  const field = verb.toLowerCase();
  if (verb !== field && filled.has(field)) throw layoutError(layout, at, `%${verb} must come before %${field}`);
}

function refuseSize(
  layout: Layout,
  token: { kind: string; verb: string; at: number },
  seen: ReadonlySet<string>,
): void {
  const size = sizeVerbs.get(token.verb) ?? '';
  if (!seen.has(size)) return;
  const what = token.kind === 'json' ? 'a JSON value' : 'a regular expression';
  throw layoutError(layout, token.at, `${what} ends by itself and cannot have a size (%${size})`);
}

function extentOf(verb: string, sizes: ReadonlySet<string>, next: Token | undefined): Extent {
  const size = sizeVerbs.get(verb) ?? '';
  if (sizes.has(size)) return { size };
  return next?.kind === 'literal' ? { until: next.bytes } : { toEnd: true };
}

/** Creates a step that reads as many headers as `%H` gave, each with `steps`. */
function headersStep(steps: readonly ReadStep[], constants: Readonly<Record<string, number>>): ReadStep {
  return (run) => {
    run.headerPause ??= {
      outer: { fields: run.fields, numbers: run.numbers },
      left: run.numbers.H ?? 0,
      step: 0,
    };
    const pause = run.headerPause;
    const { outer } = pause;
    while (pause.left > 0) {
      if (pause.step === 0) {
        run.fields = createFields();
        run.numbers = { ...constants };
      }
      while (pause.step < steps.length) {
        if (steps[pause.step]?.(run) !== true) return false;
        pause.step++;
      }
      const { key, value } = run.fields;
      run.headers.push({ key: copyOf(run, key), value: copyOf(run, value) });
      pause.left--;
      pause.step = 0;
    }
    run.fields = outer.fields;
    run.numbers = outer.numbers;
    run.headerPause = undefined;
    return true;
  };
}

function copyOf(run: Run, field: FieldBytes): Buffer {
  if (field.own !== undefined) return field.own;
  if (field.length <= 0) return Buffer.alloc(0);
  const start = run.base + field.start;
  return Buffer.from(run.bytes.subarray(start, start + field.length));
}

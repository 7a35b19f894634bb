import { literalIn } from './pattern-literal.ts';
import type { Binary, Call, Expression } from './syntax.ts';
import { fieldNameOf, recordNameOf, textIn } from './walk-expression.ts';

/** Bytes of which a match contains at least one. */
export type Need = readonly Buffer[];

/**
 * How a key or value is stored where bytes are looked for: as it is, as JSON that was decoded, or as what JSON is decoded
 * from by a schema that keeps texts; undefined: not there.
 */
type Form = 'stored' | 'decoded' | 'encoded' | undefined;

/** Where bytes are looked for. */
export interface SearchedForms {
  readonly key: Form;
  readonly value: Form;
  /** Whether the headers are there. */
  readonly headers: boolean;
}

/** The most alternatives; each is looked for on its own. */
const mostAlternatives = 5;

/**
 * What a text of an expression is in the bytes of a record: as it is, a string of JSON, a text of which JSON is made, or
 * a part of such JSON.
 */
type Source = 'plain' | 'json' | 'encoded' | 'part';

interface Search {
  readonly forms: SearchedForms;
  /** What the variables of loops are elements of. */
  readonly locals: ReadonlyMap<string, Source | undefined>;
}

/** Returns bytes that every record contains for which the expression is true; undefined if there are none. */
export function needOf(expression: Expression, forms: SearchedForms): Need | undefined {
  return needed(expression, { forms, locals: new Map() });
}

/** Returns the need that fewer records are likely to meet. */
export function rarer(one: Need | undefined, other: Need | undefined): Need | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return rarity(other) > rarity(one) ? other : one;
}

function rarity(need: Need): number {
  return Math.min(...need.filter((bytes) => bytes !== escapedUnit).map((bytes) => bytes.length));
}

function either(one: Need | undefined, other: Need | undefined): Need | undefined {
  if (one === undefined || other === undefined) return undefined;
  const all = [...one, ...other].filter((bytes, at, list) => list.findIndex((first) => first.equals(bytes)) === at);
  return all.length > mostAlternatives ? undefined : all;
}

function needed(expression: Expression, search: Search): Need | undefined {
  switch (expression.kind) {
    case 'binary':
      return binaryNeed(expression, search);
    case 'call':
      return callNeed(expression, search);
    case 'choice':
      return either(needed(expression.yes, search), needed(expression.no, search));
    case 'keys':
      return expression.texts.map((text) => keyNeed(text, search)).reduce(either);
    case 'header': {
      if (!search.forms.headers) return undefined;
      const { name, value } = expression;
      return rarer(plainNeed(name), value === undefined ? undefined : plainNeed(value));
    }
    case 'contains': {
      const { key, value, headers } = search.forms;
      if (key === undefined || value === undefined || !headers) return undefined;
      return key === 'encoded' || value === 'encoded' ? partNeed(expression.text) : jsonNeed(expression.text);
    }
    default:
      return undefined;
  }
}

function keyNeed(text: string, { forms }: Search): Need | undefined {
  if (forms.key === undefined) return undefined;
  return forms.key === 'decoded' ? jsonNeed(text) : textNeed(forms.key === 'stored' ? 'plain' : 'part', text, {});
}

function binaryNeed({ operator, left, right }: Binary, search: Search): Need | undefined {
  if (operator === '&&') return rarer(needed(left, search), needed(right, search));
  if (operator === '||') return either(needed(left, search), needed(right, search));
  if (operator === '==') return equalityNeed(left, right, search) ?? equalityNeed(right, left, search);
  return operator === 'in' ? membershipNeed(left, right, search) : undefined;
}

function equalityNeed(side: Expression, other: Expression, search: Search): Need | undefined {
  const text = textIn(other);
  return text === undefined ? undefined : rarer(wholeNeed(sourceOf(side, search), text), headerNeed(side, search));
}

/** `value.status in ["A", "B"]` needs one of both; `"A" in value.tags` needs it as an element, or as a name. */
function membershipNeed(left: Expression, right: Expression, search: Search): Need | undefined {
  const text = textIn(left);
  if (text !== undefined) return right.kind === 'list' ? undefined : nameNeed(elementsOf(right, search), text);
  if (right.kind !== 'list' || right.items.length === 0) return undefined;
  const source = sourceOf(left, search);
  return right.items
    .map((item) => {
      const one = textIn(item);
      return one === undefined ? undefined : wholeNeed(source, one);
    })
    .reduce(either);
}

/** The name of a header, where its value is compared. */
function headerNeed(expression: Expression, { forms }: Search): Need | undefined {
  const name = forms.headers && isNamed(expression, 'headers') ? fieldNameOf(expression) : undefined;
  return name === undefined ? undefined : plainNeed(name);
}

function wholeNeed(source: Source | undefined, text: string): Need | undefined {
  return source === undefined ? undefined : textNeed(source, text, { isStart: true, isEnd: true });
}

/** The name of a field, or of a branch of a union with or without the namespace before it. */
function nameNeed(source: Source | undefined, text: string): Need | undefined {
  return source === undefined ? undefined : textNeed(source, text, { isEnd: true });
}

function textNeed(source: Source, text: string, edges: Edges): Need | undefined {
  if (source === 'plain') return plainNeed(text);
  if (source === 'part') return partNeed(text);
  return jsonNeed(text, source === 'json' ? edges : {});
}

const tests: ReadonlyMap<string, Edges> = new Map([
  ['contains', {}],
  ['startsWith', { isStart: true }],
  ['endsWith', { isEnd: true }],
]);

function callNeed(call: Call, search: Search): Need | undefined {
  const { name, of, args } = call;
  const [first, second] = args;
  if (name === 'has') return first === undefined ? undefined : existenceNeed(first, search);
  if (of === undefined) {
    return name === 'matches' && first !== undefined && second !== undefined
      ? callNeed({ ...call, of: first, args: [second] }, search)
      : undefined;
  }
  if (name === 'exists' || name === 'exists_one') return loopNeed(of, args, search);
  const text = first === undefined ? undefined : textIn(first);
  const part = name === 'matches' && text !== undefined ? literalIn(text) : text;
  const edges = name === 'matches' ? {} : tests.get(name);
  const source = sourceOf(of, search);
  if (part === undefined || edges === undefined || source === undefined) return undefined;
  return textNeed(source, part, edges);
}

function loopNeed(of: Expression, [variable, condition]: readonly Expression[], search: Search): Need | undefined {
  if (variable?.kind !== 'name' || condition === undefined) return undefined;
  const locals = new Map([...search.locals, [variable.name, elementsOf(of, search)]]);
  return needed(condition, { ...search, locals });
}

/** `has(value.error)`: the name of the field, which is false and not unknown if it is missing. */
function existenceNeed(expression: Expression, search: Search): Need | undefined {
  const name = fieldNameOf(expression);
  if (name === undefined || !('of' in expression) || expression.of === undefined) return undefined;
  const { of } = expression;
  if (of.kind === 'name' && of.name === 'record') return undefined;
  return nameNeed(elementsOf(of, search), name);
}

function isNamed(expression: Expression, name: string): boolean {
  const inner = expression.kind === 'field' || expression.kind === 'index' ? expression.of : undefined;
  return inner !== undefined && recordNameOf(inner) === name;
}

/** Where the text of an expression stands in the bytes, if it is text. */
function sourceOf(expression: Expression, search: Search): Source | undefined {
  if (expression.kind === 'name' && search.locals.has(expression.name)) return search.locals.get(expression.name);
  const name = recordNameOf(expression);
  if (name !== undefined) return rootSource(name, search);
  return expression.kind === 'field' || expression.kind === 'index' ? elementsOf(expression.of, search) : undefined;
}

function rootSource(name: string, { forms }: Search): Source | undefined {
  if (name === 'keyAsText') return textSource(forms.key);
  if (name === 'valueAsText') return textSource(forms.value);
  const form = name === 'key' ? forms.key : name === 'value' ? forms.value : undefined;
  // A stored key or value that is text is not JSON.
  return form === 'stored' ? 'plain' : jsonSource(form);
}

function textSource(form: Form): Source | undefined {
  return form === undefined ? undefined : form === 'encoded' ? 'part' : 'plain';
}

function jsonSource(form: Form): Source | undefined {
  return form === undefined ? undefined : form === 'encoded' ? 'encoded' : 'json';
}

/** Where the texts in a list or map, and its names, stand in the bytes. */
function elementsOf(expression: Expression, search: Search): Source | undefined {
  if (expression.kind === 'name' && search.locals.has(expression.name)) return search.locals.get(expression.name);
  if (expression.kind === 'call')
    return expression.name === 'filter' && expression.of ? elementsOf(expression.of, search) : undefined;
  const name = recordNameOf(expression);
  if (name === 'headers') return search.forms.headers ? 'plain' : undefined;
  if (name === 'key') return jsonSource(search.forms.key);
  if (name === 'value') return jsonSource(search.forms.value);
  if (name !== undefined) return undefined;
  return expression.kind === 'field' || expression.kind === 'index' ? elementsOf(expression.of, search) : undefined;
}

/** Returns the texts of a need, of which one is in every match that has no escapes. */
export function textsOf(need: Need): readonly string[] {
  return need.filter((bytes) => bytes !== escapedUnit).map(String);
}

/** The beginning of every escape that may stand for any character. */
const escapedUnit = Buffer.from('\\u');

/** Characters that decoding puts in the place of bytes that are no text. */
const replaced = /[\ufffd\ud800-\udfff]/u;
/** What a string of JSON never contains as it is, or need not. */
const notPlainInJson = /["\\/\p{Cc}\ufffd\ud800-\udfff]/u;

function plainNeed(text: string): Need | undefined {
  return needOfRun(longestRun([text], replaced), []);
}

/** Which ends of a string of JSON a text is at. */
interface Edges {
  readonly isStart?: boolean;
  readonly isEnd?: boolean;
}

/** In a record without `\u`, only few characters of a string are escaped. */
function jsonNeed(text: string, { isStart = false, isEnd = false }: Edges = {}): Need | undefined {
  const runs = text.split(new RegExp(notPlainInJson.source, 'u'));
  const quoted = runs.map((run, at) => {
    const before = isStart && at === 0 ? '"' : '';
    return `${before}${run}${isEnd && at === runs.length - 1 ? '"' : ''}`;
  });
  return needOfRun(longest(quoted), [escapedUnit]);
}

/** What is between the tokens of JSON, or in an escape. */
const betweenTokens = /["\\/\p{Cc}\ufffd\ud800-\udfff,:{}[\]]/u;
/** What a run of characters begins with that may be the end of an escape: `\n`, or some of the digits of `\u0000`. */
const endOfEscape = /^(?:u[\da-f]{4}|[\da-f]{1,4}|[bfnrt])/i;
/** What numbers, true, false and null are written with. */
const isOfNumber = /^[-+.\dE]*$/i;
const otherWords = 'true false null';

/** Anything in the text of decoded JSON: what is there as a text was stored as it is, and numbers were not. */
function partNeed(text: string): Need | undefined {
  const runs = text.split(new RegExp(betweenTokens.source, 'u')).map((run) => run.replace(endOfEscape, ''));
  return needOfRun(longest(runs.filter((run) => !isOfNumber.test(run) && !otherWords.includes(run))), [escapedUnit]);
}

function longestRun(texts: readonly string[], cut: RegExp): string {
  return longest(texts.flatMap((text) => text.split(new RegExp(cut.source, 'u'))));
}

function longest(runs: readonly string[]): string {
  return runs.reduce((one, other) => (Buffer.byteLength(other) > Buffer.byteLength(one) ? other : one), '');
}

/** Shorter ones are in nearly every record. */
const fewestBytes = 2;

function needOfRun(run: string, others: Need): Need | undefined {
  const bytes = Buffer.from(run);
  return bytes.length < fewestBytes ? undefined : [bytes, ...others];
}

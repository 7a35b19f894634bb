import { ExpressionError } from './expression-error.ts';

/** A piece of an expression. */
export type Token =
  | { readonly kind: 'integer'; readonly at: number; readonly end: number; readonly value: number | bigint }
  | { readonly kind: 'double'; readonly at: number; readonly end: number; readonly value: number }
  | { readonly kind: 'text'; readonly at: number; readonly end: number; readonly value: string }
  | { readonly kind: 'word'; readonly at: number; readonly end: number; readonly value: string }
  | { readonly kind: 'sign'; readonly at: number; readonly end: number; readonly value: string }
  | { readonly kind: 'end'; readonly at: number; readonly end: number; readonly value: '' };

const space = /[ \t\n\r\f]*(?:\/\/[^\n]*[ \t\n\r\f]*)*/y;
const word = /[A-Za-z_]\w*/y;
const number = /0[xX][0-9a-fA-F]+[uU]?|(?:\d+\.\d+|\.\d+)(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+|\d+[uU]?/y;
const opening = /([rRbB]{0,2})('''|"""|'|")/y;
const sign = /==|!=|<=|>=|&&|\|\||[<>!+\-*/%?:.,()[\]]/y;

/** What other languages write, and how it is written here. */
const elsewhere: readonly (readonly [RegExp, string])[] = [
  [/===/y, '=='],
  [/!==/y, '!='],
  [/==?~|~/y, '.matches("…")'],
  [/=>/y, 'a comma: .exists(x, x.count > 1)'],
  [/=/y, '=='],
  [/<>/y, '!='],
  [/->>?/y, 'a period: value.status'],
  [/&/y, '&&'],
  [/\|/y, '||'],
];

/**
 * Splits an expression into tokens; the last one is the end.
 * @throws ExpressionError at what no token begins with
 */
export function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = [];
  for (let at = skip(text, 0); at < text.length; ) {
    const token = tokenAt(text, at);
    tokens.push(token);
    at = skip(text, token.end);
  }
  tokens.push({ kind: 'end', at: text.length, end: text.length, value: '' });
  return tokens;
}

function skip(text: string, at: number): number {
  return at + (match(space, text, at)?.length ?? 0);
}

function match(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

function tokenAt(text: string, at: number): Token {
  const foreign = elsewhere.find(
    ([pattern, here]) => match(pattern, text, at) !== undefined && !text.startsWith(here, at),
  );
  if (foreign !== undefined)
    throw new ExpressionError(at, `unexpected "${match(foreign[0], text, at)}"`, [`use ${foreign[1]}`]);
  if (match(opening, text, at) !== undefined) return textAt(text, at);
  const digits = match(number, text, at);
  if (digits !== undefined) return numberAt(text, at, digits);
  const name = match(word, text, at);
  if (name !== undefined) return { kind: 'word', at, end: at + name.length, value: name };
  const operator = match(sign, text, at);
  if (operator !== undefined) return { kind: 'sign', at, end: at + operator.length, value: operator };
  throw unexpected(text, at);
}

function unexpected(text: string, at: number): ExpressionError {
  const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
  if (character === '{') return new ExpressionError(at, 'maps and messages in braces are not supported');
  if (character === '$' && /(?:^|[^.])$/.test(text.slice(0, at))) {
    return new ExpressionError(at, 'unexpected "$"', ['begin with value, as in value.status']);
  }
  const hints = /[\p{L}$@#]/u.test(character) ? ['write a name with other letters in brackets: value["naïve"]'] : [];
  const quoted = /[\u2018-\u201f\u00ab\u00bb`]/.test(character) ? ['write text between "…" or \'…\''] : hints;
  return new ExpressionError(at, `unexpected "${character}"`, quoted);
}

const largest = 2n ** 63n;
const largestUnsigned = 2n ** 64n - 1n;

function numberAt(text: string, at: number, digits: string): Token {
  const end = at + digits.length;
  const glued = match(word, text, end);
  if (glued !== undefined) {
    throw new ExpressionError(at, `invalid number "${digits}${glued}"`, [
      'a number has no unit here: write it in full',
    ]);
  }
  if (/^0[xX]/.test(digits) || /^\d+[uU]?$/.test(digits)) {
    const exact = BigInt(digits.replace(/[uU]$/, ''));
    // One more than the largest one: a minus sign may come before it.
    if (exact > (/[uU]$/.test(digits) ? largestUnsigned : largest))
      throw new ExpressionError(at, 'an integer has at most 64 bits');
    return { kind: 'integer', at, end, value: exact <= Number.MAX_SAFE_INTEGER ? Number(exact) : exact };
  }
  const value = Number(digits);
  if (!Number.isFinite(value)) throw new ExpressionError(at, 'the number is too large');
  return { kind: 'double', at, end, value };
}

function textAt(text: string, at: number): Token {
  opening.lastIndex = at;
  const [all = '', prefix = '', quote = ''] = opening.exec(text) ?? [];
  if (/[bB]/.test(prefix)) throw new ExpressionError(at, 'bytes are not supported: write text without the b');
  const isRaw = prefix !== '';
  let value = '';
  for (let next = at + all.length; next < text.length; ) {
    if (text.startsWith(quote, next)) return { kind: 'text', at, end: next + quote.length, value };
    const character = text[next] as string;
    if (character === '\\' && !isRaw) {
      const [meant, length] = escapeAt(text, next);
      value += meant;
      next += length;
    } else {
      value += character;
      next += 1;
    }
  }
  throw new ExpressionError(at, `the text has no closing ${quote}`);
}

const simpleEscapes: ReadonlyMap<string, string> = new Map([
  ...['\\', '?', '"', "'", '`'].map((one) => [one, one] as const),
  ['a', '\x07'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['v', '\v'],
]);

const codes = /\\(?:[xX]([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-3][0-7]{2}))/y;

/** Returns the character that an escape stands for, and the length of the escape. */
function escapeAt(text: string, at: number): readonly [string, number] {
  const letter = text[at + 1] ?? '';
  const simple = simpleEscapes.get(letter);
  if (simple !== undefined) return [simple, 2];
  codes.lastIndex = at;
  const [all, two, four, eight, octal] = codes.exec(text) ?? [];
  const code = octal === undefined ? Number.parseInt(two ?? four ?? eight ?? '', 16) : Number.parseInt(octal, 8);
  const isCharacter = code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
  if (all !== undefined && isCharacter) return [String.fromCodePoint(code), all.length];
  throw new ExpressionError(at, `unknown escape "\\${letter}"`, [
    `write \\\\ for a backslash, or r"…" for text without escapes, such as a regular expression`,
  ]);
}

import { SchemaError } from '../../schema.ts';

/** What a token is, as in protoc: a dot is a sign of its own. `end` follows the last one. */
export type TokenKind = 'name' | 'number' | 'string' | 'sign' | 'end';

/** Reads the tokens of a .proto text one after the other. */
export interface Tokens {
  /** The kind of the current token. */
  kind: TokenKind;
  /** The text of the current token; the raw text between the quotes for a string. */
  text: string;
  /** Moves to the next token. */
  next(): void;
  /** Moves past a token with that text, or fails. */
  skip(text: string): void;
  /** Moves past a token with that text if it is the current one. */
  skipIf(text: string): boolean;
  /** Returns the text of the current token of that kind and moves past it, or fails; `what` says what belongs there. */
  take(kind: TokenKind, what: string): string;
  /** Creates the error for the current token. */
  fail(expected: string): SchemaError;
  /** Creates the error at the current token. */
  failAs(reason: string): SchemaError;
}

/** Longer names only make each record large, which has them as keys. */
const mostNameLength = 1000;
const blank = /[\s\0]*/y;
const token =
  /([A-Za-z_]\w*)|((?:0[xX][\dA-Fa-f]+|\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)f?)|"([^"\\\n]*(?:\\.[^"\\\n]*)*)"|'([^'\\\n]*(?:\\.[^'\\\n]*)*)'/y;
/** Those without a meaning of their own may be in the aggregates of options. */
const signs = new Map([...'.;,{}()[]<>=:-+/#!$%&*?@\\^`|~'].map((sign) => [sign.charCodeAt(0), sign]));

/** Opens a text; the first token is the current one. `file` is for errors, undefined for the schema itself. */
export function tokensOf(source: string, file?: string): Tokens {
  let at = 0;
  let start = 0;
  const place = () => `${file === undefined ? '' : `${file}: `}${lineAndColumn(source, start)}`;
  const tokens: Tokens = {
    kind: 'end',
    text: '',
    next() {
      start = skipBlanks(source, at);
      at = readToken(tokens, source, start);
      if (at < 0) throw new SchemaError(`${place()}: unexpected ${excerpt(source, start)}`);
    },
    skip(text) {
      if (!tokens.skipIf(text)) throw tokens.fail(`"${text}"`);
    },
    skipIf(text) {
      if (tokens.text !== text || tokens.kind === 'string' || tokens.kind === 'end') return false;
      tokens.next();
      return true;
    },
    take(kind, what) {
      if (tokens.kind !== kind) throw tokens.fail(what);
      const { text } = tokens;
      tokens.next();
      return text;
    },
    fail(expected) {
      const actual = tokens.kind === 'end' ? 'the end of the text' : `"${tokens.text.slice(0, 40)}"`;
      return tokens.failAs(`expected ${expected}, found ${actual}`);
    },
    failAs: (reason) => new SchemaError(`${place()}: ${reason}`),
  };
  if (source.charCodeAt(0) === 0xfeff) at = 1;
  tokens.next();
  return tokens;
}

/** Returns where the next token starts: after blanks and comments. A comment without an end is left for the error. */
function skipBlanks(source: string, from: number): number {
  for (let at = from; ; ) {
    blank.lastIndex = at;
    blank.test(source);
    at = blank.lastIndex;
    const isLine = source.startsWith('//', at);
    if (!isLine && !source.startsWith('/*', at)) return at;
    const end = source.indexOf(isLine ? '\n' : '*/', at + 2);
    if (end < 0) return isLine ? source.length : at;
    at = isLine ? end : end + 2;
  }
}

/** Reads the token at `start` and returns where it ends, or -1 if there is none. */
function readToken(into: Tokens, source: string, start: number): number {
  const isDecimal = source[start] === '.' && isDigit(source[start + 1]);
  const sign = isDecimal ? undefined : signs.get(source.charCodeAt(start));
  if (sign !== undefined && !source.startsWith('/*', start)) {
    into.kind = 'sign';
    into.text = sign;
    return start + 1;
  }
  if (start >= source.length) {
    into.kind = 'end';
    into.text = '';
    return start;
  }
  token.lastIndex = start;
  const match = token.exec(source);
  if (match === null) return -1;
  const [all, name, , double, single] = match;
  into.kind = name !== undefined ? 'name' : double === undefined && single === undefined ? 'number' : 'string';
  if (into.kind === 'name' && all.length > mostNameLength) return -1;
  into.text = into.kind === 'string' ? (double ?? single ?? '') : all;
  return start + all.length;
}

/** Reads the names between dots that are one: `google . protobuf.Any`, also with a dot in front. */
export function takeDotted(tokens: Tokens, what: string): string {
  let name = tokens.skipIf('.') ? '.' : '';
  name += tokens.take('name', what);
  while (tokens.skipIf('.')) name += `.${tokens.take('name', what)}`;
  if (name.length > mostNameLength) throw tokens.failAs(`a name has more than ${mostNameLength} characters`);
  return name;
}

function isDigit(letter: string | undefined): boolean {
  return letter !== undefined && letter >= '0' && letter <= '9';
}

function lineAndColumn(source: string, at: number): string {
  const before = source.slice(0, at);
  const lines = before.split('\n');
  return `line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1}`;
}

function excerpt(source: string, at: number): string {
  return JSON.stringify(source.slice(at, at + 12).split('\n')[0]);
}

const escapes: Readonly<Record<string, number>> = { a: 7, b: 8, f: 12, n: 10, r: 13, t: 9, v: 11, '?': 63 };

/** Resolves the escapes of the raw text of a string; the result is bytes because `\xff` need not be UTF-8. */
export function unescaped(raw: string): Buffer {
  if (!raw.includes('\\')) return Buffer.from(raw);
  const parts: Buffer[] = [];
  for (const [all, hex, octal, short, long, other] of raw.matchAll(
    /\\[xX]([\dA-Fa-f]{1,2})|\\([0-7]{1,3})|\\(?:u([\dA-Fa-f]{4})|U([\dA-Fa-f]{8}))|\\(.)|[^\\]+/gs,
  )) {
    if (hex !== undefined) parts.push(Buffer.of(Number.parseInt(hex, 16)));
    else if (octal !== undefined) parts.push(Buffer.of(Number.parseInt(octal, 8) & 255));
    else if (other !== undefined && other in escapes) parts.push(Buffer.of(escapes[other] as number));
    else parts.push(Buffer.from(characterOf(short ?? long) ?? other ?? all));
  }
  return Buffer.concat(parts);
}

/** Returns the character that hexadecimal digits stand for. */
function characterOf(digits: string | undefined): string | undefined {
  if (digits === undefined) return undefined;
  const code = Number.parseInt(digits, 16);
  return code > 0x10ffff ? '\ufffd' : String.fromCodePoint(code);
}

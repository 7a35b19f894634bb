import { type Tokens, takeDotted, unescaped } from './tokens.ts';

const nameOfOption = 'the name of an option';

/** The value of an option: text of a name or number, a string, or nothing of interest (an aggregate). */
export interface OptionValue {
  readonly kind: 'word' | 'string' | 'aggregate';
  readonly text: string;
  /** The bytes of a string. */
  readonly bytes: Buffer;
  /** The words in a flat aggregate such as `{ field_presence: IMPLICIT }`. */
  readonly words: ReadonlyMap<string, string>;
}

/** Called for each option with its name, such as `default` or `(my.option).field`. */
export type OnOption = (name: string, value: OptionValue) => void;

/** Reads `option name = value;` after the word `option`. */
export function readOptionLine(tokens: Tokens, onOption: OnOption): void {
  readOption(tokens, onOption);
  tokens.skip(';');
}

/** Reads `[name = value, …]` if it is there. */
export function readBracketOptions(tokens: Tokens, onOption: OnOption): void {
  if (!tokens.skipIf('[')) return;
  do readOption(tokens, onOption);
  while (tokens.skipIf(','));
  tokens.skip(']');
}

function readOption(tokens: Tokens, onOption: OnOption): void {
  let name = readPart(tokens);
  while (tokens.skipIf('.')) name += `.${readPart(tokens)}`;
  tokens.skip('=');
  onOption(name, readValue(tokens));
}

/** Reads one part of the name of an option: a field, or an extension in parentheses. */
function readPart(tokens: Tokens): string {
  if (!tokens.skipIf('(')) return tokens.take('name', nameOfOption);
  const extension = takeDotted(tokens, nameOfOption);
  tokens.skip(')');
  return `(${extension})`;
}

function readValue(tokens: Tokens): OptionValue {
  const bytes = Buffer.alloc(0);
  const words = new Map<string, string>();
  if (tokens.kind === 'string') {
    const all = readStrings(tokens);
    return { kind: 'string', text: all.toString(), bytes: all, words };
  }
  if (tokens.text === '{') {
    skipAggregate(tokens, words);
    return { kind: 'aggregate', text: '', bytes, words };
  }
  const sign = tokens.skipIf('-') ? '-' : tokens.skipIf('+') ? '' : '';
  if (tokens.kind !== 'name' && tokens.kind !== 'number') throw tokens.fail('the value of an option');
  const text = sign + tokens.text;
  tokens.next();
  return { kind: 'word', text, bytes, words };
}

/** Reads adjacent strings, which count as one. */
export function readStrings(tokens: Tokens): Buffer {
  const parts: Buffer[] = [];
  do parts.push(unescaped(tokens.take('string', 'a string')));
  while (tokens.kind === 'string');
  return Buffer.concat(parts);
}

const braceDepths: ReadonlyMap<string, number> = new Map([
  ['{', 1],
  ['}', -1],
]);

/** Moves past balanced braces without recursion, since they may be nested without limit. */
function skipAggregate(tokens: Tokens, words: Map<string, string>): void {
  let depth = 0;
  let key = '';
  do {
    if (tokens.kind === 'end') throw tokens.fail('"}"');
    const { kind, text } = tokens;
    if (kind === 'sign') depth += braceDepths.get(text) ?? 0;
    tokens.next();
    if (depth !== 1 || kind === 'sign') continue;
    if (key !== '') words.set(key, text);
    key = key === '' && tokens.text === ':' ? text : '';
  } while (depth > 0);
}

import { textModifiers } from './format-text.ts';
import { attributes, markVerbs, numberVerbs, textVerbs } from './format-verbs.ts';
import { numberLayouts } from './number-layouts.ts';
import { inputNumberModifiers } from './parse-number.ts';
import { inputVerbs } from './parse-program.ts';

/** A part of a layout and what it does. */
export type Explained = readonly [part: string, meaning: string];

/** A titled table of the reference. */
export interface ReferencePart {
  readonly title: string;
  readonly rows: readonly Explained[];
}

const meanings: Readonly<Record<string, string>> = {
  t: 'topic',
  k: 'key; empty for null',
  v: 'value; empty for null',
  T: 'length of the topic in bytes',
  K: 'length of the key in bytes',
  V: 'length of the value in bytes',
  H: 'number of headers',
  p: 'partition',
  o: 'offset',
  e: 'leader epoch',
  x: 'producer id; -1 if there is none',
  y: 'producer epoch; -1 if there is none',
  '[': 'log start offset of the partition when the record was fetched',
  '|': 'last stable offset of the partition when the record was fetched',
  ']': 'high watermark of the partition when the record was fetched',
  i: 'counter that starts at 1 and increases with each use',
  d: 'timestamp in milliseconds; %d{strftime[%F %T]} and %d{go[2006-01-02]} format it in UTC',
  h: 'headers, each with the layout in braces: %h{%k=%v }',
  a: `batch attribute: ${[...attributes.keys()].join(', ')}; %a{compression;number} prints a number`,
};

const inputMeanings: Readonly<Record<string, string>> = {
  t: 'topic',
  k: 'key; empty means null',
  v: 'value; empty means null with -Z',
  T: 'length of the topic that follows, in bytes',
  K: 'length of the key that follows, in bytes',
  V: 'length of the value that follows, in bytes',
  H: 'number of headers that follow',
  h: 'headers, each with the layout in braces: %H %h{%k=%v }',
  p: 'partition; used only with -p',
  d: 'timestamp in milliseconds',
  o: 'offset; read and ignored',
  e: 'leader epoch; read and ignored',
  x: 'producer id; read and ignored',
  y: 'producer epoch; read and ignored',
};

const modifierMeanings: Readonly<Record<string, string>> = {
  ascii: 'decimal digits (default)',
  number: 'same as ascii',
  hex: 'hex digits without leading zeros',
  hex64: '16 hex digits',
  hex32: '8 hex digits',
  hex16: '4 hex digits',
  hex8: '2 hex digits',
  hex4: '1 hex digit',
  big64: '8 bytes, big-endian',
  big32: '4 bytes, big-endian',
  big16: '2 bytes, big-endian',
  big8: '1 byte',
  little64: '8 bytes, little-endian',
  little32: '4 bytes, little-endian',
  little16: '2 bytes, little-endian',
  little8: '1 byte',
  byte: '1 byte',
  bool: 'true or false',
};

const textMeanings: Readonly<Record<string, string>> = {
  hex: 'two hex digits per byte',
  base64: 'base64 with padding',
  base64raw: 'base64 without padding (consume only)',
};

const literals: readonly Explained[] = [
  ['\\n \\t \\r \\\\', 'newline, tab, carriage return, backslash'],
  ['\\xNN', 'the byte with that hex value'],
  ['%% %{ %}', 'percent sign, braces'],
];

/** Lists every verb and modifier of the record formats, as the compilers define them. */
export function formatReference(): readonly ReferencePart[] {
  const printed = [...textVerbs, ...numberVerbs, ...markVerbs, 'd', 'h', 'a', 'i'];
  return [
    { title: 'Verbs for topic consume', rows: printed.map((verb) => [`%${verb}`, meaningOf(meanings, verb)]) },
    {
      title: 'Verbs for topic produce',
      rows: [...inputVerbs].map((verb) => [`%${verb}`, meaningOf(inputMeanings, verb)]),
    },
    {
      title: 'Number modifiers, for example %p{hex8}',
      rows: [...numberLayouts.keys()].map((word) => [word, meaningOf(modifierMeanings, word) + onlyOut(word)]),
    },
    {
      title: 'Text modifiers, for example %v{base64}',
      rows: [
        ...textModifiers.map((word): Explained => [word, meaningOf(textMeanings, word)]),
        [
          'unpack[…]',
          'fields of binary data, for example >hIs: < or > sets the byte order, b h i q are integers of 1, 2, 4 and ' +
            '8 bytes (upper case: unsigned), c is a byte, s the rest, $ the end (consume only)',
        ],
        ['json', 'one JSON value (produce only)'],
        ['re[…]', 'text that matches a regular expression (produce only)'],
      ],
    },
    { title: 'Escapes (other text is literal)', rows: literals },
  ];
}

function onlyOut(word: string): string {
  return inputNumberModifiers().includes(word) ? '' : ' (consume only)';
}

/** Returns the meaning of a verb or modifier. @throws Error if the reference does not explain it */
function meaningOf(table: Readonly<Record<string, string>>, word: string): string {
  const meaning = table[word];
  if (meaning === undefined) throw new Error(`the reference does not explain "${word}"`);
  return meaning;
}

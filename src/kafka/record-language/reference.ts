import { numberModifiers } from './format-number.ts';
import { textModifiers } from './format-text.ts';
import { attributes, markVerbs, numberVerbs, textVerbs } from './format-verbs.ts';
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
  k: 'key; nothing for null',
  v: 'value; nothing for null',
  T: 'length of the topic in bytes',
  K: 'length of the key in bytes',
  V: 'length of the value in bytes',
  H: 'number of headers',
  p: 'partition',
  o: 'offset',
  e: 'leader epoch',
  x: 'id of the producer; -1 without one',
  y: 'epoch of the producer; -1 without one',
  '[': 'log start offset of the partition when the record was fetched',
  '|': 'last stable offset of the partition when the record was fetched',
  ']': 'high watermark of the partition when the record was fetched',
  i: 'counts its own prints from 1',
  d: 'timestamp in milliseconds; %d{strftime[%F %T]} and %d{go[2006-01-02]} in UTC',
  h: 'layout in braces, once per header: %h{%k=%v }',
  a: `attribute of the batch: ${[...attributes.keys()].join(', ')}; %a{compression;number} as a number`,
};

const inputMeanings: Readonly<Record<string, string>> = {
  t: 'topic',
  k: 'key; an empty one is null',
  v: 'value; an empty one is null with -Z',
  T: 'length of the topic that follows, in bytes',
  K: 'length of the key that follows, in bytes',
  V: 'length of the value that follows, in bytes',
  H: 'number of headers that follow',
  h: 'layout in braces, once per header: %H %h{%k=%v }',
  p: 'partition, used with -p',
  d: 'timestamp in milliseconds',
  o: 'offset; read and ignored',
  e: 'leader epoch; read and ignored',
  x: 'id of the producer; read and ignored',
  y: 'epoch of the producer; read and ignored',
};

const modifierMeanings: Readonly<Record<string, string>> = {
  ascii: 'decimal digits (default)',
  number: 'the same as ascii',
  hex: 'as few hex digits as possible',
  hex64: '16 hex digits',
  hex32: '8 hex digits',
  hex16: '4 hex digits',
  hex8: '2 hex digits',
  hex4: '1 hex digit',
  big64: '8 bytes, big endian',
  big32: '4 bytes, big endian',
  big16: '2 bytes, big endian',
  big8: '1 byte',
  little64: '8 bytes, little endian',
  little32: '4 bytes, little endian',
  little16: '2 bytes, little endian',
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
  ['\\xNN', 'the byte with that hex number'],
  ['%% %{ %}', 'percent sign, braces'],
];

/** Every verb and modifier of the record formats, as the compilers know them. */
export function formatReference(): readonly ReferencePart[] {
  const printed = [...textVerbs, ...numberVerbs, ...markVerbs, 'd', 'h', 'a', 'i'];
  return [
    { title: 'Verbs of topic consume', rows: printed.map((verb) => [`%${verb}`, meaningOf(meanings, verb)]) },
    {
      title: 'Verbs of topic produce',
      rows: [...inputVerbs].map((verb) => [`%${verb}`, meaningOf(inputMeanings, verb)]),
    },
    {
      title: 'Modifiers of numbers, for example %p{hex8}',
      rows: numberModifiers.map((word) => [word, meaningOf(modifierMeanings, word) + onlyOut(word)]),
    },
    {
      title: 'Modifiers of text, for example %v{base64}',
      rows: [
        ...textModifiers.map((word): Explained => [word, meaningOf(textMeanings, word)]),
        [
          'unpack[…]',
          'fields of binary data, for example >hIs: < > for the byte order, b h i q for integers of 1, 2, 4 and 8 bytes ' +
            '(upper case: unsigned), c for a byte, s for the rest, $ for the end (consume only)',
        ],
        ['json', 'one JSON value (produce only)'],
        ['re[…]', 'what a regular expression matches (produce only)'],
      ],
    },
    { title: 'Literals; all other text stands for itself', rows: literals },
  ];
}

function onlyOut(word: string): string {
  return inputNumberModifiers().includes(word) ? '' : ' (consume only)';
}

/** @throws Error for a verb or modifier that the reference does not explain */
function meaningOf(table: Readonly<Record<string, string>>, word: string): string {
  const meaning = table[word];
  if (meaning === undefined) throw new Error(`the reference does not explain "${word}"`);
  return meaning;
}

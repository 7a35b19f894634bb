import { shellWord } from '../../format/shell-word.ts';

/** A line of kcat in the words of weir. */
export interface TranslatedLine {
  /** The line to type; undefined if the words say nothing that weir has. */
  readonly line: string | undefined;
  /** The options that are left out. */
  readonly rest: readonly string[];
}

/** kcat's options that take a value. */
const valued = new Set('GtpbDKcmFXdzkHofsrM'.split(''));

interface Options {
  /** The values of each option by its letter; one empty value for each time a switch is given. */
  readonly of: ReadonlyMap<string, readonly string[]>;
  readonly operands: readonly string[];
}

/** Reads words as getopt does: switches in one word, values attached or in the next word. */
function readOptions(words: readonly string[]): Options {
  const of = new Map<string, string[]>();
  const operands: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    if (!/^-[^-]/.test(word)) {
      operands.push(word);
      continue;
    }
    for (let letters = word.slice(1); letters !== ''; ) {
      const [letter = '', ...others] = letters;
      const takes = valued.has(letter);
      const value = takes ? others.join('') || (words[++at] ?? '') : '';
      of.set(letter, [...(of.get(letter) ?? []), value]);
      letters = takes ? '' : others.join('');
    }
  }
  return { of, operands };
}

/** What a mode of kcat is in weir, and the options that it uses. */
interface Mode {
  readonly uses: string;
  words(options: Options, last: (letter: string) => string | undefined): readonly string[] | undefined;
}

const list: Mode = {
  uses: 'LtJb',
  words: (_, last) => {
    const topic = last('t');
    const format = last('J') === undefined ? [] : ['--format', 'json'];
    return topic === undefined
      ? ['cluster', 'info', '-b', '-d', ...format]
      : ['topic', 'describe', topic, '-p', ...format];
  },
};

const produce: Mode = {
  uses: 'PtpzkHKZbl',
  words({ of }, last) {
    const topic = last('t');
    if (topic === undefined) return undefined;
    const delimiter = last('K');
    return [
      ...['topic', 'produce', topic],
      ...same('p', last),
      ...same('z', last),
      ...(delimiter === undefined ? same('k', last) : ['-f', `%k${delimiter}%v\\n`]),
      ...(of.get('H') ?? []).flatMap((header) => ['-H', header]),
      ...(last('Z') === undefined ? [] : ['-Z']),
    ];
  },
};

const consume: Mode = {
  uses: 'CtpoecfJKsrqub',
  words(options, last) {
    const topic = last('t');
    return topic === undefined ? undefined : ['topic', 'consume', topic, ...same('p', last), ...reading(options, last)];
  },
};

const group: Mode = {
  uses: 'GoecfJKsrqub',
  words(options, last) {
    const where = options.of.has('o') || options.of.has('e') ? [] : ['-o', 'end'];
    return ['topic', 'consume', ...options.operands, '-g', last('G') ?? '', ...where, ...reading(options, last)];
  },
};

const query: Mode = {
  uses: 'Qtb',
  words(_, last) {
    const [, topic, partition, time] = /^(.+):(\d+):(-?\d+)$/.exec(last('t') ?? '') ?? [];
    if (topic === undefined || partition === undefined) return undefined;
    return ['topic', 'consume', topic, '-p', partition, '-o', `@${time}`, '-n', '1', '-f', '%o\\n'];
  },
};

/** In the order in which kcat prefers them, which without one reads, unless its input is a pipe. */
const modes = [
  ['G', group],
  ['Q', query],
  ['L', list],
  ['P', produce],
  ['C', consume],
] as const;

function same(letter: string, last: (letter: string) => string | undefined): readonly string[] {
  const value = last(letter);
  return value === undefined ? [] : [`-${letter}`, value];
}

/** Where a read starts and ends, and what it prints. */
function reading({ of }: Options, last: (letter: string) => string | undefined): readonly string[] {
  const [count, decoded] = [last('c'), last('s')];
  const offset = offsetOf(of.get('o') ?? [], of.has('e'));
  return [
    ...(offset === '' ? [] : ['-o', offset]),
    ...(count === undefined ? [] : ['-n', count]),
    ...(decoded?.endsWith('avro') ? [schemaFlag(decoded)] : layout(of, last)),
    ...(of.get('r') ?? []).flatMap((url) => ['-X', `registry.hosts=${url}`]),
  ];
}

function schemaFlag(decoded: string): string {
  const part = /^(key|value)=/.exec(decoded)?.[1];
  return part === undefined ? '--use-schema-registry' : `--use-schema-registry=${part}`;
}

function offsetOf(values: readonly string[], endsThere: boolean): string {
  const from = values.findLast((value) => !value.startsWith('e@')) ?? '';
  const until = values.findLast((value) => value.startsWith('e@'))?.slice(2) ?? (endsThere ? 'end' : '');
  const start = from === 'beginning' ? 'start' : from.replace(/^s@/, '@');
  const begin = start === 'start' && until !== '' ? '' : start;
  return until === '' ? start : `${begin}:${until}`;
}

function layout(of: Options['of'], last: (letter: string) => string | undefined): readonly string[] {
  const [format, delimiter] = [last('f'), last('K')];
  if (format !== undefined) return ['-f', translatedFormat(format)];
  if (of.has('J')) return [];
  return ['-f', delimiter === undefined ? '%v\\n' : `%k${delimiter}%v\\n`];
}

const verbs: Readonly<Record<string, string>> = { s: 'v', S: 'V', T: 'd', R: 'V{big32}', h: 'h{%k=%v,}' };

function translatedFormat(format: string): string {
  return format.replace(/%(.)/g, (_, letter: string) => `%${verbs[letter] ?? letter}`);
}

/** Translates the usual lines of kcat. */
export function kcatLine(words: readonly string[]): TranslatedLine {
  const options = readOptions(words);
  const { of } = options;
  const last = (letter: string) => of.get(letter)?.at(-1);
  const mode = modes.find(([letter]) => of.has(letter))?.[1] ?? consume;
  const command = mode.words(options, last);
  const brokers = last('b');
  const brokersFlag = brokers === undefined ? [] : ['-X', `brokers=${brokers}`];
  const rest = [...of].filter(([letter]) => !mode.uses.includes(letter));
  return {
    line: command && ['weir', ...command, ...brokersFlag].map(shellWord).join(' '),
    // Without the values of -X, which may be passwords.
    rest: rest.flatMap(([letter, values]) => values.map((value) => `-${letter} ${value.split('=', 1)[0]}`.trim())),
  };
}

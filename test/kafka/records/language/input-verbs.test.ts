import { beforeAll, describe, expect, it } from 'vitest';
import { CliError } from '../../../../src/errors.ts';
import { compileParser } from '../../../../src/kafka/records/language/parse.ts';
import { inputNumberModifiers } from '../../../../src/kafka/records/language/parse-number.ts';
import { linesOf, newTopic, weir } from '../../../commands/topic/records-world.ts';
import '../../../services/services.ts';

/**
 * Every verb and modifier of the input language, once each, through the whole path: read from stdin,
 * written to a real broker, read back. `TOPIC` stands for the topic. Details have tables next to
 * the parser.
 */
const rows: readonly (readonly [layout: string, input: string, read: readonly string[]])[] = [
  ['%v\\n', 'a\nb\n', ['a', 'b']],
  ['%k %v\\n', 'k v\n', ['k:v']],
  ['%t %v\\n', 'TOPIC v\n', ['v']],
  ['%T %t%v\\n', 'SIZE TOPICv\n', ['v']],
  ['%K %V %k%v', '1 2 abb1 1 cd', ['a:bb', 'c:d']],
  ['%H %h{%k:%v,}%v\\n', '2 a:b,c:d,val\n0 none\n', ['val a=b c=d', 'none']],
  ['%H{2}%h{%K{1}%V{byte}%k%v}%v\\n', '\x01ax\x00cval\n', ['val a=x c=']],
  ['%p{2}%v\\n', 'x\n', ['x @2']],
  ['%p %v\\n', '0 x\n1 y\n', ['x @0', 'y @1']],
  ['%o %e %x %y %v\\n', '1 2 3 4 v\n', ['v']],
  ['%d %v\\n', '1622505600123 v\n', ['v']],
  // How the end of a field is found
  ['%v', 'whole\nthing\n', ['whole\nthing\n']],
  ['%V{3}%v', 'abcdef', ['abc', 'def']],
  ['%k%%%{%}\\t%v;', 'k%{}\tv;k2%{}\tw;', ['k:v', 'k2:w']],
  ['%v\\x00', 'a\0b\n\0', ['a', 'b\n']],
  ['%v\\r\\n', 'a\r\nb\r\n', ['a', 'b']],
  ['x\\\\%vy', 'x\\ayx\\by', ['a', 'b']],
  // Text
  ['%k{} %v{}\\n', 'k v\n', ['k:v']],
  ['%v{hex}\\n', '6162\n', ['ab']],
  ['%v{base64}\\n', 'YWI=\n', ['ab']],
  ['%v{json}', '{"x" : 1 }\n[1, 2]', ['{"x":1}', '[1,2]']],
  ['%k{re[\\d+]}%v\\n', '12ab\n', ['12:ab']],
  ['%v{re#.#}', 'ab', ['a', 'b']],
  // Numbers
  ['%V{ascii} %v', '3 abc', ['abc']],
  ['%V{number} %v', '3 abc', ['abc']],
  ['%V{hex64}%v', '0000000000000001a', ['a']],
  ['%V{hex32}%v', '00000002ab', ['ab']],
  ['%V{hex16}%v', '0003abc', ['abc']],
  ['%V{hex8}%v', '01a', ['a']],
  ['%V{hex4}%v', '3abc', ['abc']],
  ['%V{big64}%v', '\0\0\0\0\0\0\0\x02ab', ['ab']],
  ['%V{big32}%v', '\0\0\0\x02ab', ['ab']],
  ['%V{big16}%v', '\0\x02ab', ['ab']],
  ['%V{big8}%v', '\x02ab', ['ab']],
  ['%V{little64}%v', '\x02\0\0\0\0\0\0\0ab', ['ab']],
  ['%V{little32}%v', '\x02\0\0\0ab', ['ab']],
  ['%V{little16}%v', '\x02\0ab', ['ab']],
  ['%V{little8}%v', '\x02ab', ['ab']],
  ['%V{byte}%v', '\x02ab', ['ab']],
  ['%p{bool}%v\\n', 'truex\nfalsey\n', ['x @1', 'y @0']],
  [
    'json',
    '{"key":"k","value":"/w==","value_encoding":"base64","headers":[{"key":"h","value":null}]}',
    ['k:\ufffd h=null'],
  ],
];

let topic: string;

beforeAll(async () => {
  topic = await newTopic(3);
});

interface Envelope {
  readonly key?: string;
  readonly value?: string;
  readonly value_encoding?: string;
  readonly headers?: readonly { readonly key: string; readonly value: string | null }[];
  readonly timestamp: number;
  readonly partition: number;
}

/** A record as the rows show it: `key:value header=value @partition`. */
function show({ key, value, value_encoding, headers = [], partition }: Envelope, withPartition: boolean): string {
  const text = value_encoding === undefined ? (value ?? 'null') : Buffer.from(value ?? '', 'base64').toString();
  const list = headers.map((header) => ` ${header.key}=${header.value}`).join('');
  return `${key === undefined ? '' : `${key}:`}${text}${list}${withPartition ? ` @${partition}` : ''}`;
}

const marks = '%o %p\\n';

describe('topic produce -f', () => {
  it.each(rows)('%j reads %j', async (layout, input, expected) => {
    const stdin = input.replace('TOPIC', topic).replace('SIZE', String(topic.length));
    // The partition of the input counts only with -p, as in rpk.
    const place = layout.includes('%p') ? ['-p', '0'] : [];
    const flags = layout.includes('%t') ? place : [topic, ...place];
    const wrote = await weir(['topic', 'produce', ...flags, '-f', layout, '-o', marks], { stdin });
    expect({ stderr: wrote.stderr, exitCode: wrote.exitCode }).toEqual({ stderr: '', exitCode: 0 });
    const places = linesOf(wrote.stdout).map((line) => line.split(' ').map(Number));
    const read: string[] = [];
    for (const [offset = 0, partition = 0] of places) {
      const words = ['-p', String(partition), '-o', `${offset}:${offset + 1}`, '--format', 'json'];
      const { stdout } = await weir(['topic', 'consume', topic, ...words]);
      const record = JSON.parse(stdout) as Envelope;
      if (layout.includes('%d')) expect(record.timestamp).toBe(1622505600123);
      read.push(show(record, layout.includes('%p')));
    }
    // Acknowledgements come in the order of each partition, and partitions in any.
    expect(read.sort()).toEqual([...expected].sort());
  });
});

describe('topic produce -o', () => {
  it.each([
    ['%t %T %k %K %v %V', /^records-\S+ \d\d k 1 v 1$/],
    ['%h{%k=%v;} %H', /^a=1;a=2; 2$/],
    ['%p %o %i', /^1 \d+ 1$/],
    ['%d %d{strftime[%F]} %d{go[15:04]}', /^1622505600123 2021-06-01 00:00$/],
    ['%x %y %e', /^\d+ 0 -?\d+$/],
    ['%[ %| %]', /^<nil> <nil> <nil>$/],
    ['%a{compression} %a{timestamp-type} %a{transactional-bit} %a{control-bit}', /^none 0 0 0$/],
    ['%k{hex} %v{base64} %v{unpack[b]}', /^6b dg== 118$/],
  ])('%j says what was written', async (layout, printed) => {
    const flags = ['-H', 'a=1', '-H', 'a=2', '-z', 'none', '-p', '1', '-f', '%d %k=%v\\n', '-o', layout];
    const { stdout, stderr } = await weir(['topic', 'produce', topic, ...flags], { stdin: '1622505600123 k=v\n' });
    expect(stderr).toBe('');
    expect(stdout).toMatch(printed);
  });
});

/** Every verb of the language, found by trying each character. */
function knownVerbs(): readonly string[] {
  const characters = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index));
  return characters.filter((character) => !/unknown verb/.test(refusal(`%${character}`)));
}

function refusal(layout: string): string {
  try {
    compileParser(layout);
    return '';
  } catch (error) {
    if (error instanceof CliError) return error.message;
    throw error;
  }
}

describe('the rows above', () => {
  const layouts = rows.map(([layout]) => layout).join(' ');

  it('hold every verb', () => {
    const used = [...layouts.matchAll(/%(.)/g)].map(([, verb]) => verb);
    expect([...new Set(used)].sort()).toEqual([...knownVerbs()].sort());
  });

  it('hold every modifier', () => {
    const used = new Set([...layouts.matchAll(/\{(re(?=[[#])|\w*)/g)].map(([, word]) => word));
    const words = ['', 'hex', 'base64', 'json', 're', '2', ...inputNumberModifiers()];
    expect(words.filter((word) => !used.has(word))).toEqual([]);
  });
});

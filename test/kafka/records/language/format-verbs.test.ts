import { beforeAll, describe, expect, it } from 'vitest';
import { CliError } from '../../../../src/errors.ts';
import { compileFormat } from '../../../../src/kafka/records/language/format.ts';
import { attributes } from '../../../../src/kafka/records/language/format-verbs.ts';
import { numberLayouts } from '../../../../src/kafka/records/language/number-layouts.ts';
import { newTopic, trim, weir } from '../../../commands/topic/records-world.ts';
import '../../../services/services.ts';

/**
 * Every verb and modifier of the output language, once each, through the whole path: written to a real
 * broker, fetched, printed. Details have tables next to the functions that they test.
 */
const rows: readonly (readonly [layout: string, printed: string | RegExp])[] = [
  ['%t', /^records-/],
  ['%k', 'k\0y'],
  ['%v', '\0\0\x01\0rest'],
  ['%T', /^\d\d$/],
  ['%K %V %H', '3 8 2'],
  ['%h{%k=%v(%K,%V);}', 'h1=v1(2,2);h2=(2,0);'],
  ['%p %o %e', '2 3 0'],
  ['%d', '1622505600123'],
  ['%x', /^\d+$/],
  ['%y', '0'],
  ['%[ %| %]', '1 4 4'],
  ['%i %i', '1 2'],
  // Text
  ['%k{} %t{}', /^k\0y records-/],
  ['%k{hex} %v{hex}', '6b0079 0000010072657374'],
  ['%v{base64}', 'AAABAHJlc3Q='],
  ['%v{base64raw}', 'AAABAHJlc3Q'],
  ['%v{unpack[>hHs]}', '0256rest'],
  ['%v{unpack[<I.$]}', '65536r%!$(not end-of-input)'],
  ['%v{unpack#bBc.xs#}', '00\x01\0rest'],
  ['%v{unpack[>q]}', '1101430879092'],
  ['%v{unpack[>Q]} %v{unpack[<i]} %k{unpack[qq]}', /^1101430879092 65536 %!\(have 3 bytes, need 8\)/],
  // Numbers
  ['%o{ascii} %o{number}', '3 3'],
  ['%d{hex}', '179c4deb47b'],
  ['%d{hex64}', '00000179c4deb47b'],
  ['%d{hex32}', 'c4deb47b'],
  ['%d{hex16}', 'b47b'],
  ['%d{hex8}', '7b'],
  ['%d{hex4}', 'b'],
  ['%o{big64}', '\0\0\0\0\0\0\0\x03'],
  ['%o{big32}', '\0\0\0\x03'],
  ['%o{big16}', '\0\x03'],
  ['%o{big8}', '\x03'],
  ['%o{little64}', '\x03\0\0\0\0\0\0\0'],
  ['%o{little32}', '\x03\0\0\0'],
  ['%o{little16}', '\x03\0'],
  ['%o{little8}', '\x03'],
  ['%o{byte}', '\x03'],
  ['%o{bool} %e{bool}', 'true false'],
  ['%K{hex4}%V{hex8}%T{bool}%H{big16}', '308true\0\x02'],
  ['%p{hex}%x{bool}%y{hex16}%i{hex8}%[{hex4}%|{hex4}%]{hex4}', /^2(true|false)000001144$/],
  // Time
  ['%d{strftime[%F %T]}', '2021-06-01 00:00:00'],
  ['%d{strftime##%Y-%m-%dT%H:%M:%SZ##}', '2021-06-01T00:00:00Z'],
  ['%d{go[2006-01-02T15:04:05.000Z07:00]}', '2021-06-01T00:00:00.123Z'],
  ['%d{go{Mon Jan _2 15:04:05 MST 2006}}', 'Tue Jun  1 00:00:00 UTC 2021'],
  // Attributes
  ['%a{compression} %a{compression;number}', 'zstd 4'],
  ['%a{timestamp-type} %a{timestamp-type;bool}', '0 false'],
  ['%a{transactional-bit} %a{control-bit;hex8}', '0 00'],
  // Headers
  ['%h{[%k{hex}|%v{base64}]}', '[6831|djE=][6832|]'],
  ['%h{%K{big16}%k%V{byte}%v}', '\0\x02h1\x02v1\0\x02h2\0'],
  ['%h{%i%p%t}', '1020'],
  // Text as it is
  ['%%%{%} {}', '%{} {}'],
  ['\\t\\n\\r\\\\\\x41\\x00', '\t\n\r\\A\0'],
  ['ü✓', 'ü✓'],
  ['%v{', '\0\0\x01\0rest{'],
  ['%k%{%p', 'k\0y{2'],
];

let topic: string;

beforeAll(async () => {
  topic = await newTopic(3);
  const sample = {
    ...{ key: 'k\0y', value: '\0\0\x01\0rest', timestamp: 1622505600123 },
    headers: [
      { key: 'h1', value: 'v1' },
      { key: 'h2', value: null },
    ],
  };
  const before = Array.from({ length: 3 }, (_, index) => ({ value: `before ${index}` }));
  const stdin = [...before, sample].map((record) => `${JSON.stringify(record)}\n`).join('');
  const { stderr } = await weir(['topic', 'produce', topic, '-p', '2', '-z', 'zstd', '--format', 'json', '-o', ''], {
    stdin,
  });
  expect(stderr).toMatch(/^Wrote [\d,]+ records\n$/);
  // A log start of 0 would prove nothing; 1 occurs nowhere else.
  await trim(topic, 2, 1);
});

describe('topic consume -f', () => {
  it.each(rows)('%j prints %j', async (layout, printed) => {
    const words = ['topic', 'consume', topic, '-p', '2', '-o', '3:4', '-f', layout];
    const { stdout, stderr, exitCode } = await weir(words);
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    if (typeof printed === 'string') expect(stdout).toBe(printed);
    else expect(stdout).toMatch(printed);
  });

  it('log append time, which the broker sets', async () => {
    const stamped = await newTopic(1, 'message.timestamp.type=LogAppendTime');
    const stdin = '{"value":"v","timestamp":1622505600123}\n';
    await weir(['topic', 'produce', stamped, '--format', 'json', '-o', ''], { stdin });
    const { stdout } = await weir([
      'topic',
      'consume',
      stamped,
      '-o',
      ':end',
      '-f',
      '%a{timestamp-type} %d{strftime[%Y]}',
    ]);
    expect(stdout).toBe(`1 ${new Date().getUTCFullYear()}`);
    const json = await weir(['topic', 'consume', stamped, '-o', ':end', '--format', 'json']);
    expect(JSON.parse(json.stdout)).toMatchObject({ timestamp_type: 'append' });
  });
});

/** Every verb of the language, found by trying each character. */
function knownVerbs(): readonly string[] {
  const characters = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index));
  return characters.filter((character) => !/unknown verb/.test(refusal(`%${character}`)));
}

function refusal(layout: string): string {
  try {
    compileFormat(layout);
    return '';
  } catch (error) {
    if (error instanceof CliError) return error.message;
    throw error;
  }
}

/** The layouts without the bodies of times and unpacking, which have percent signs of their own. */
const layouts = rows.map(([layout]) => layout.replace(/(strftime|go|unpack)[^}]*\}+/g, '$1}')).join(' ');

describe('the rows above', () => {
  it('hold every verb', () => {
    const used = [...layouts.matchAll(/%(.)/g)].map(([, verb]) => verb);
    expect([...new Set(used)].sort()).toEqual([...knownVerbs()].sort());
  });

  it('hold every modifier', () => {
    const used = new Set([...layouts.matchAll(/[{;]([\w-]*)/g)].map(([, word]) => word));
    const words = [
      '',
      'hex',
      'base64',
      'base64raw',
      'unpack',
      'strftime',
      'go',
      ...numberLayouts.keys(),
      ...attributes.keys(),
    ];
    expect(words.filter((word) => !used.has(word))).toEqual([]);
  });
});

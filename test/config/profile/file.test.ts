import { chmodSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { showValue } from '../../../src/config/options.ts';
import { faultsOf, type ProfileReading, parseProfileFile, readProfileFile } from '../../../src/config/profile/file.ts';
import { changeProfileFile } from '../../../src/config/profile/write.ts';
import { resolveConfig } from '../../../src/config/resolve.ts';
import { maxFileBytes } from '../../../src/config/yaml/file-text.ts';
import { exitCodes } from '../../../src/errors.ts';
import { startProcessorTime } from '../../processor-time.ts';
import { emptyDirectory, errorsOf, hostOf, profileFile, writeWhole } from '../sources/sources.ts';

/** All that is wrong in a file. */
function allFaultsOf(file: ProfileReading) {
  return [...faultsOf(file), ...file.profiles.flatMap(({ faults }) => faults)];
}

async function optionsOf(...lines: readonly string[]): Promise<Readonly<Record<string, string>>> {
  const file = await parseProfileFile('/f', profileFile(...lines));
  expect(allFaultsOf(file)).toEqual([]);
  const entries = [...(file.profiles[0]?.options.entries ?? [])];
  return Object.fromEntries(entries.map(([key, { value }]) => [key, showValue(key, value)]));
}

describe('text options are read from the source of the scalar', () => {
  test.each([
    ['007', '007'],
    ['1e3', '1e3'],
    ['0x1F', '0x1F'],
    ['1_000', '1_000'],
    ['2024-01-01', '2024-01-01'],
    ['yes', 'yes'],
    ['true', 'true'],
    ['.inf', '.inf'],
    ['"null"', 'null'],
    ['"~"', '~'],
    ["'a #b'", 'a #b'],
    ['a b', 'a b'],
    ['"tab\\there"', 'tab\there'],
    ['=', '='],
    ['ü', 'ü'],
    ['""', ''],
    ['|-\n        a\n        b', 'a\nb'],
  ])('pass: %s', async (source, value) => expect(await optionsOf(`pass: ${source}`)).toEqual({ pass: value }));

  test.each(['', 'null', '~', 'Null'])('null counts as not set: "%s"', async (source) => {
    expect(await optionsOf(`pass: ${source}`, 'tls.enabled:', 'tls:')).toEqual({});
  });
});

test('keys are dotted or nested, addresses a list or a text, aliases stand for their value', async () => {
  const options = await optionsOf(
    'brokers: &b [b1, "[::1]:2"]',
    'admin: {hosts: "a,b:1", tls: {enabled: True}}',
    'tls.enabled: FALSE',
    'globals: {dial_timeout: &t 5s}',
    'globals.retry_timeout: *t',
  );
  expect(options).toEqual({
    brokers: 'b1:9092,[::1]:2',
    'admin.hosts': 'a:9644,b:1',
    'admin.tls.enabled': 'true',
    'tls.enabled': 'false',
    'globals.dial_timeout': '5s',
    'globals.retry_timeout': '5s',
  });
});

const faulty: readonly (readonly [string, string, readonly string[]])[] = [
  ['an unknown option', profileFile('usr: x'), ['unknown option "usr" in FILE:6 (profile prod)']],
  [
    'an option called __proto__',
    profileFile('__proto__: {tls.enabled: true}'),
    ['unknown option "__proto__" in FILE:6 (profile prod)'],
  ],
  ['a key called constructor', `${profileFile()}constructor: x\n`, ['FILE:6: unknown key "constructor"']],
  ['a merge key', profileFile('<<: {user: x}'), ['unknown option "<<" in FILE:6 (profile prod)']],
  ['a duplicate key', profileFile('user: a', 'user: b'), ['FILE:7: duplicate key "user" (first on line 6)']],
  [
    'a key dotted and nested',
    profileFile('tls: {ca: /a}', 'tls.ca: /b'),
    ['duplicate key "tls.ca" in FILE:7 (profile prod) (first on line 6)'],
  ],
  ['a duplicate profile', `${profileFile()}  - name: prod\n`, ['FILE:6: duplicate profile "prod" (first on line 4)']],
  ['a newer version', 'version: 2\n', ['FILE:1: unsupported file version 2 (this weir supports version 1)']],
  ['a version that is none', 'version: one\n', ['FILE:1: version is not a number']],
  [
    'a list for a boolean',
    profileFile('tls.enabled: [true]'),
    ['invalid boolean for tls.enabled in FILE:6 (profile prod): expected one value, but found a list'],
  ],
  [
    'a map for a text',
    profileFile('user: {a: b}'),
    ['invalid text for user in FILE:6 (profile prod): expected one value, but found a map'],
  ],
  [
    'a list in a list',
    profileFile('brokers: [[a]]'),
    ['invalid addresses for brokers in FILE:6 (profile prod): a list item is empty or is not a single value'],
  ],
  [
    'an empty list',
    profileFile('brokers: []'),
    ['invalid addresses for brokers in FILE:6 (profile prod): the list is empty'],
  ],
  [
    'a bare number for a duration',
    profileFile('globals.dial_timeout: 9'),
    [
      'invalid duration "9" for globals.dial_timeout in FILE:6 (profile prod): missing unit after "9" (use ns, us, ms, s, m or h)',
    ],
  ],
  ['a profile without a name', 'profiles:\n  - description: x\n', ['FILE:2: a profile has no name']],
  ['a profile that is no map', 'profiles:\n  - prod\n', ['FILE:2: a profile is not a map']],
  ['profiles that are no list', 'profiles: x\n', ['FILE:1: profiles is not a list']],
  ['options that are no map', 'profiles:\n  - name: p\n    options: [x]\n', ['FILE:3: options is not a map']],
  ['a typo in a field', 'profiles:\n  - name: p\n    descripton: x\n', ['FILE:3: unknown key "descripton"']],
  ['a list as the whole file', '- a\n', ['FILE:1: this is not a profile file']],
  [
    'a broker configuration file',
    'redpanda: {}\nrpk: {}\n',
    ['FILE:1: unknown key "redpanda"', 'FILE:2: unknown key "rpk"'],
  ],
];

test.each(faulty)('%s is an error with file and line', async (_, text, messages) => {
  const faults = allFaultsOf(await parseProfileFile('FILE', text));
  expect(faults.map(({ message }) => message)).toEqual(messages);
  expect(faults[0]).toMatchObject({ exitCode: exitCodes.usage });
});

const start = 'start each profile with "- name: NAME"';

test.each<[string, readonly (readonly string[])[]]>([
  [
    'version: 2\n',
    [
      [
        'use a newer weir, or specify another file with --config',
        'import an rpk.yaml with: weir profile create --from-rpk=FILE',
      ],
    ],
  ],
  ['version: 0\n', [['start a profile file with version: 1']]],
  ['version: [1]\n', [['start a profile file with version: 1']]],
  ['text\n', [['start a profile file with version: 1']]],
  ['profiles: x\n', [[start]]],
  ['profiles: [x]\n', [[start]]],
  ['profiles: [{name: p, options: x}]\n', [['write one "key: value" per line below it']]],
  ['profiles: [{name: p}, {name: p}]\n', [['rename or delete one of them in an editor']]],
  ['profiles: [{name: p, protected: x}]\n', [['use true or false']]],
  [
    'profiles: [{name: p, nmae: x, zzzzz: y}]\n',
    [['did you mean name?'], ['use one of: name, description, protected, options']],
  ],
  [
    'weir: {}\nredpanda: {}\nrpk: {}\nprofile: []\n',
    [
      ['specify a broker configuration file with --broker-config'],
      ['specify a broker configuration file with --broker-config'],
      ['specify a broker configuration file with --broker-config'],
      ['did you mean profiles?'],
    ],
  ],
])('the faults of %j have hints', async (text, hints) => {
  const faults = allFaultsOf(await parseProfileFile('FILE', text));
  expect(faults.map((fault) => fault.hints)).toEqual(hints);
  expect(faults.every(({ target }) => target === 'FILE')).toBe(true);
});

const fill = (text: string) => text.repeat(Math.floor((maxFileBytes - 1000) / text.length));
const chain = 'abcdefghijklmnopqrstuvwxyz';
const bomb = [...chain].map(
  (name, i) =>
    `${name}: &${name} [${Array(9)
      .fill(i === 0 ? 'x' : `*${chain[i - 1]}`)
      .join(', ')}]`,
);

const hostile: readonly (readonly [string, string | Uint8Array, RegExp])[] = [
  [
    'cut off in the middle of a quote',
    `${profileFile()}      pass: "abc\n`,
    /weir.yaml:\d+: a quote before it is not closed/,
  ],
  ['cut off in the middle of a list', profileFile('brokers: [a'), /weir.yaml:\d+: /],
  ['a tab for indentation', 'profiles:\n\t- name: a\n', /weir.yaml:2: a tab cannot indent, only spaces can/],
  ['binary', new Uint8Array([0x76, 0x0a, 0x00, 0x01]), /weir.yaml:2: it is not UTF-8 text/],
  ['bytes that are no UTF-8', new Uint8Array([0x61, 0x0a, 0x0a, 0xc3, 0x28]), /weir.yaml:3: it is not UTF-8 text/],
  ['UTF-16', new Uint8Array([0xff, 0xfe, 0x61, 0x00]), /weir.yaml:1: it is not UTF-8 text/],
  ['an alias bomb', bomb.join('\n'), /weir.yaml:1: unknown key "a"/],
  [
    'an alias bomb as an option',
    profileFile('brokers: &a [x, x]', 'user: *a'),
    /user in .*weir.yaml:7 \(profile prod\)/,
  ],
  ['an alias to itself', profileFile('brokers: &a [*a]'), /weir.yaml:6/],
  ['a second document', `${profileFile()}---\nversion: 1\n`, /weir.yaml:\d+: it has more than one document/],
  ['an alias to nothing', profileFile('user: *nowhere'), /weir.yaml:6: /],
  ['a huge file', fill('#\n') + fill('#\n'), /weir.yaml: it is larger than 262144 bytes/],
  ['very deep brackets', fill('['), /weir.yaml:1: it is nested too deeply/],
  ['very deep braces', fill('{a: '), /weir.yaml:1: it is nested too deeply/],
  ['very deep dashes', fill('- '), /weir.yaml:1: it is nested too deeply/],
  ['very deep indentation', Array.from({ length: 700 }, (_, i) => `${' '.repeat(i)}a:`).join('\n'), /weir.yaml/],
  ['very many duplicate keys', profileFile(...Array(15_000).fill('user: x')), /weir.yaml:7: duplicate key "user"/],
  [
    'very many unknown keys',
    profileFile(...Array.from({ length: 12_000 }, (_, i) => `k${i}: x`)),
    /unknown option "k0"/,
  ],
  ['very many aliases', `profiles:\n  - &a {name: x}\n${'  - *a\n'.repeat(30_000)}`, /no such profile/],
  ['very many bad escapes', `a: "${fill('\\q')}"`, /weir.yaml:1: Invalid escape sequence/],
  ['very many directives', fill('%a\n'), /weir.yaml:\d+: /],
  ['a long list of brokers', profileFile(`brokers: [${'a,'.repeat(20_000)}a]`), /the list has more than 1000 items/],
];

/** Runs as a user without rights, because the superuser can read and write everything. */
async function asNobody<T>(work: () => Promise<T>): Promise<T> {
  if (process.getuid?.() !== 0) return await work();
  process.seteuid?.(65_534);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
  }
}

describe('a broken or hostile file', () => {
  test.each(hostile)('%s: an error that names the file, soon', async (_, content, message) => {
    const home = emptyDirectory();
    const path = join(home, '.config/weir/weir.yaml');
    writeWhole(path, content);
    const taken = startProcessorTime();
    const errors = await errorsOf(resolveConfig(hostOf({ home }), { x: [], deprecated: [], profile: 'prod' }));
    // Several times the measured 0.1 to 0.4 s.
    expect(taken()).toBeLessThan(3_000);
    expect(errors.map((error) => error.message).join('\n')).toMatch(message);
    expect(errors.every(({ exitCode }) => exitCode === exitCodes.usage)).toBe(true);
    expect(errors.length).toBeLessThan(60);
  });

  test('is not changed', async () => {
    for (const [, content] of hostile.slice(0, 11)) {
      const path = join(emptyDirectory(), 'weir.yaml');
      writeWhole(path, content);
      await errorsOf(changeProfileFile(path, async (file) => file));
      expect(Buffer.compare(readFileSync(path), Buffer.from(content))).toBe(0);
    }
  });

  test('a directory, a cycle of links', async () => {
    const home = emptyDirectory();
    mkdirSync(join(home, 'directory'));
    symlinkSync(join(home, 'circle'), join(home, 'circle'));
    const messages = await Promise.all(
      ['directory', 'circle'].map(async (name) => (await errorsOf(readProfileFile(join(home, name))))[0]?.message),
    );
    expect(messages).toEqual([
      `unable to read ${home}/directory: it is not a regular file`,
      `unable to read ${home}/circle: its symbolic links form a loop`,
    ]);
  });

  test('an unreadable file, and a file in a read-only directory', async () => {
    const directory = emptyDirectory();
    const path = join(directory, 'weir.yaml');
    writeWhole(path, profileFile());
    await readProfileFile(path); // loads the modules as a user with the right to read them
    chmodSync(path, 0);
    chmodSync(directory, 0o555);
    const [reading, writing] = await asNobody(async () => [
      await errorsOf(readProfileFile(path)),
      await errorsOf(changeProfileFile(join(directory, 'new.yaml'), async (file) => file)),
    ]);
    expect(reading).toMatchObject([
      { message: `unable to read ${path}: permission denied`, exitCode: exitCodes.usage },
    ]);
    expect(writing).toMatchObject([{ message: `unable to write ${directory}/new.yaml.lock: permission denied` }]);
  });
});

test('an empty file and a file of comments have no profiles', async () => {
  for (const text of ['', '\n', '# nothing\n', '\ufeffversion: 1\n', '---\n', 'version: 1\r\nprofiles: []\r\n']) {
    const file = await parseProfileFile('/f', text);
    expect([faultsOf(file), file.profiles, file.current]).toEqual([[], [], undefined]);
  }
});

test.each([
  ['true', true, undefined],
  ['T', true, undefined],
  ['false', false, undefined],
  ['', false, undefined],
  ['maybe', false, '/f:3: protected is not a boolean'],
  ['[true]', false, '/f:3: protected is not a single value'],
])('a profile with "protected: %s" is protected: %s', async (value, isProtected, fault) => {
  const { profiles, errors } = await parseProfileFile('/f', `profiles:\n  - name: p\n    protected: ${value}\n`);
  expect(profiles.map((profile) => profile.protected)).toEqual([isProtected]);
  expect(errors.map(({ message }) => message)).toEqual(fault === undefined ? [] : [fault]);
});

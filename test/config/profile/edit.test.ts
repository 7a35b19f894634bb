import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type OptionKey, showValue } from '../../../src/config/options.ts';
import {
  addProfile,
  emptyProfileFile,
  fileValue,
  removeProfile,
  replaceProfile,
  setCurrent,
  setField,
  setOption,
  textOfProfile,
  unsetOption,
} from '../../../src/config/profile/edit.ts';
import { faultsOf, type ProfileFile, parseProfileFile } from '../../../src/config/profile/file.ts';

const original = `# head
version: 1   # v
current_profile:   prod  # cur

profiles:
  # first
  - name: prod   # n
    description: a b
    options:
      # the brokers
      brokers:
        - a:1
        - b:2   # tail

      tls:
        enabled: true # keep
        ca:    "/x y"   # spaced
      pass:
      # trailing
  - name: two
    options: {user: x}   # flow
  - name: three

# end
`;

/** The lines that an edit removed (\`-\`) and added (\`+\`), without the common head and tail. */
function changes(before: string, after: string): readonly string[] {
  const [old, fresh] = [before.split('\n'), after.split('\n')];
  while (old.length > 0 && fresh.length > 0 && old[0] === fresh[0]) {
    old.shift();
    fresh.shift();
  }
  while (old.length > 0 && fresh.length > 0 && old.at(-1) === fresh.at(-1)) {
    old.pop();
    fresh.pop();
  }
  return [...old.map((line) => `-${line}`), ...fresh.map((line) => `+${line}`)];
}

type Edit = (file: ProfileFile) => Promise<ProfileFile | undefined>;

const edits: readonly (readonly [string, Edit, readonly string[]])[] = [
  [
    'a nested option',
    (f) => setOption(f, 'prod', ['tls.enabled', false]),
    ['-        enabled: true # keep', '+        enabled: false # keep'],
  ],
  [
    'a quoted option',
    (f) => setOption(f, 'prod', ['tls.ca', '/y']),
    ['-        ca:    "/x y"   # spaced', '+        ca:    /y   # spaced'],
  ],
  ['an option that was null', (f) => setOption(f, 'prod', ['pass', 'p']), ['-      pass:', '+      pass: p']],
  ['a text of two lines', (f) => setOption(f, 'prod', ['pass', 'a\nb']), ['-      pass:', '+      pass: "a\\nb"']],
  ['a new option', (f) => setOption(f, 'prod', ['user', 'u']), ['+      user: u']],
  [
    'a list',
    (f) => setOption(f, 'prod', ['brokers', ['c:1', '[::1]:2']]),
    ['-      brokers:', '-        - a:1', '-        - b:2   # tail', '+      brokers: [c:1, "[::1]:2"]   # tail'],
  ],
  [
    'an option of a flow map',
    (f) => setOption(f, 'two', ['pass', 'p']),
    ['-    options: {user: x}   # flow', '+    options: {user: x, pass: p}   # flow'],
  ],
  ['the first option of a profile', (f) => setOption(f, 'three', ['user', 'u']), ['+    options:', '+      user: u']],
  [
    'unset: a list',
    (f) => unsetOption(f, 'prod', 'brokers'),
    ['-      brokers:', '-        - a:1', '-        - b:2   # tail'],
  ],
  ['unset: a nested option', (f) => unsetOption(f, 'prod', 'tls.ca'), ['-        ca:    "/x y"   # spaced']],
  ['unset: null', (f) => unsetOption(f, 'prod', 'pass'), ['-      pass:']],
  ['unset: the only option', (f) => unsetOption(f, 'two', 'user'), ['-    options: {user: x}   # flow']],
  [
    'rename the selected profile',
    (f) => setField(f, 'prod', ['name', 'live']),
    [
      '-current_profile:   prod  # cur',
      '-',
      '-profiles:',
      '-  # first',
      '-  - name: prod   # n',
      '+current_profile:   live  # cur',
      '+',
      '+profiles:',
      '+  # first',
      '+  - name: live   # n',
    ],
  ],
  ['a description', (f) => setField(f, 'three', ['description', 'c: d']), ['+    description: "c: d"']],
  ['protection', (f) => setField(f, 'three', ['protected', true]), ['+    protected: true']],
  [
    'another current profile',
    (f) => setCurrent(f, 'two'),
    ['-current_profile:   prod  # cur', '+current_profile:   two  # cur'],
  ],
  ['no current profile', (f) => setCurrent(f, undefined), ['-current_profile:   prod  # cur']],
  [
    'a new profile',
    (f) => addProfile(f, { name: 'four', options: new Map([['tls.enabled', true]]) }),
    ['+  - name: four', '+    options:', '+      tls.enabled: true'],
  ],
  ['delete a profile', (f) => removeProfile(f, 'two'), ['-  - name: two', '-    options: {user: x}   # flow']],
  [
    'replace a profile',
    (f) => replaceProfile(f, 'two', 'name: two\n# why\noptions:\n  user: y\n'),
    ['-    options: {user: x}   # flow', '+    # why', '+    options:', '+      user: y'],
  ],
];

describe('an edit changes only its own lines', () => {
  test.each(edits)('%s', async (_, edit, lines) => {
    const edited = await edit(await parseProfileFile('/f', original));
    expect(changes(original, edited?.text ?? '')).toEqual(lines);
    expect(faultsOf(await parseProfileFile('/f', edited?.text ?? ''))).toEqual([]);
  });

  test('even in a file with carriage returns, or without a newline at its end', async () => {
    const windows = original.replaceAll('\n', '\r\n');
    const edited = await setOption(await parseProfileFile('/f', windows), 'prod', ['user', 'u']);
    expect(edited.text).toBe(windows.replace('      pass:\r\n', '      pass:\r\n      user: u\r\n'));
    const open = 'profiles:\n  - name: a';
    expect((await setField(await parseProfileFile('/f', open), 'a', ['description', 'd'])).text).toBe(
      `${open}\n    description: d\n`,
    );
  });

  test('unsetting an option that is not set changes nothing', async () => {
    expect(await unsetOption(await parseProfileFile('/f', original), 'prod', 'user')).toBeUndefined();
  });
});

test('a file in flow style is rewritten with the same meaning', async () => {
  const file = await parseProfileFile(
    '/f',
    '{version: 1, current_profile: a, profiles: [{name: a}, {name: b, options: {user: "007"}}]}',
  );
  const edited = await addProfile(await removeProfile(file, 'a'), { name: 'c', options: new Map([['pass', '1e3']]) });
  expect(faultsOf(edited)).toEqual([]);
  expect(edited.current).toBeUndefined();
  expect(
    edited.profiles.map(({ name, options }) => [name, [...options.entries.values()].map(({ value }) => value)]),
  ).toEqual([
    ['b', ['007']],
    ['c', ['1e3']],
  ]);
});

test("editing a value that another profile refers to keeps the other profile's value", async () => {
  const text = 'profiles:\n  - name: a\n    options: {user: &u x}\n  - name: b\n    options: {pass: *u}\n';
  const edited = await setOption(await parseProfileFile('/f', text), 'a', ['user', 'y']);
  expect(edited.text).toContain('pass: x');
  expect(edited.text).toMatch(/user: (&u )?y/);
});

test('the first profile of a new file', async () => {
  const file = await setCurrent(await parseProfileFile('/f', emptyProfileFile), 'a b');
  const made = await addProfile(file, { name: 'a b', description: '', protected: true, options: new Map() });
  expect(made.text).toBe(
    'version: 1\ncurrent_profile: a b\nprofiles:\n  - name: a b\n    description: ""\n    protected: true\n',
  );
});

test('the first profile of a file without any', async () => {
  const made = await addProfile(await parseProfileFile('/f', 'version: 1\n'), { name: 'a', options: new Map() });
  expect(made.text).toBe('version: 1\nprofiles:\n  - name: a\n');
});

test('a profile is edited as text, comments included', async () => {
  const file = await parseProfileFile('/f', original);
  const texts = file.profiles.map((profile) => textOfProfile(file, profile));
  expect(texts[1]).toBe('name: two\noptions: {user: x}   # flow\n');
  expect(texts[0]).toContain('  # the brokers\n  brokers:\n    - a:1\n');
});

const values = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary-ascii' }),
  fc.constantFrom(
    '007',
    'null',
    '~',
    '- x',
    'a: b',
    '{',
    '[x',
    '#',
    '*a',
    '&a',
    '!t',
    '|',
    '>',
    '%',
    '@',
    '`',
    "'",
    '"',
    ' x ',
    '---',
    '...',
    'yes',
    '1e3',
    '\n',
    'a\tb',
    '? x',
    '<<',
    '=',
    '\u0085',
    '\u2028',
    ':\n!',
    `${'x'.repeat(60)}\n# y\n`,
  ),
);
test('any text is read back unchanged, and everything else is kept', async () => {
  const key: OptionKey = 'pass';
  await fc.assert(
    fc.asyncProperty(values, fc.constantFrom('prod', 'two', 'three'), async (text, name) => {
      const edited = await setOption(await parseProfileFile('/f', original), name, [key, fileValue(key, text)]);
      const profile = edited.profiles.find((stored) => stored.name === name);
      expect(profile?.options.entries.get(key)?.value).toBe(text);
      expect(edited.text).toContain('        ca:    "/x y"   # spaced');
      const without = await unsetOption(edited, name, key);
      expect(without?.profiles.find((stored) => stored.name === name)?.options.entries.has(key)).toBe(false);
    }),
    { numRuns: 250 },
  );
});

describe('an alias', () => {
  const shared = `# all of it
profiles:
  - name: a
    options: &shared
      brokers: &seeds [b1:9092] # the seeds
      tls: &tls {enabled: true}
  - name: b
    options: *shared
  - name: c
    options:
      brokers: *seeds
      user: carol
      tls: *tls
  - name: d
    options: *shared
`;

  async function valuesAfter(edit: (file: ProfileFile) => Promise<ProfileFile | undefined>) {
    const edited = await edit(await parseProfileFile('/weir.yaml', shared));
    const file = await parseProfileFile('/weir.yaml', edited?.text ?? '');
    expect(file.errors).toEqual([]);
    const valuesOf = ({ name, options }: (typeof file.profiles)[number]) =>
      [name, Object.fromEntries([...options.entries].map(([key, { value }]) => [key, showValue(key, value)]))] as const;
    return { text: file.text, values: Object.fromEntries(file.profiles.map(valuesOf)) };
  }

  const plain = { brokers: 'b1:9092', 'tls.enabled': 'true' };
  const carol = { ...plain, user: 'carol' };
  const changed = { ...plain, brokers: 'x:1' };

  test.each([
    ['the profile with the anchor', 'a', { a: changed, b: plain, c: carol, d: plain }],
    ['a profile with the alias', 'b', { a: plain, b: changed, c: carol, d: plain }],
    ['a profile with an alias of a value', 'c', { a: plain, b: plain, c: { ...carol, brokers: 'x:1' }, d: plain }],
  ])('setting an option of %s changes no other profile', async (_, name, expected) => {
    const { values, text } = await valuesAfter((file) => setOption(file, name, ['brokers', ['x:1']]));
    expect(values).toEqual(expected);
    expect(text).toContain('# all of it');
  });

  test('unsetting an option, nested or not, changes no other profile', async () => {
    expect((await valuesAfter((file) => unsetOption(file, 'd', 'brokers'))).values).toEqual({
      a: plain,
      b: plain,
      c: carol,
      d: { 'tls.enabled': 'true' },
    });
    expect((await valuesAfter((file) => setOption(file, 'c', ['tls.enabled', false]))).values).toEqual({
      a: plain,
      b: plain,
      c: { ...carol, 'tls.enabled': 'false' },
      d: plain,
    });
    expect((await valuesAfter((file) => setOption(file, 'a', ['tls.enabled', false]))).values).toEqual({
      a: { ...plain, 'tls.enabled': 'false' },
      b: plain,
      c: carol,
      d: plain,
    });
  });

  test('only the alias that is edited is expanded', async () => {
    const { text } = await valuesAfter((file) => setOption(file, 'b', ['user', 'bob']));
    expect(text.match(/\*shared/g)).toHaveLength(1);
    expect(text).toContain('*seeds');
  });

  test('removing the profile with the anchors keeps the values of the others', async () => {
    const { values } = await valuesAfter((file) => removeProfile(file, 'a'));
    expect(values).toEqual({ b: plain, c: carol, d: plain });
  });

  test('replacing the profile with the anchors does, too', async () => {
    const { values } = await valuesAfter((file) => replaceProfile(file, 'a', 'name: a\noptions: {user: x}\n'));
    expect(values).toEqual({ a: { user: 'x' }, b: plain, c: carol, d: plain });
  });

  test('a profile with an alias is expanded for the editor', async () => {
    const file = await parseProfileFile('/weir.yaml', shared);
    const [, b] = file.profiles;
    expect(b && textOfProfile(file, b)).toBe('name: b\noptions:\n  brokers: [b1:9092]\n  tls.enabled: true\n');
  });
});

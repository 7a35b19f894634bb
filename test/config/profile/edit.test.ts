import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { OptionKey } from '../../../src/config/options.ts';
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
  unsetField,
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

/** Numbers that a YAML package would print in another form. */
const spellings = `007 00 1e3 1E5 0x1F +7 .5 5. 12345678901234567890 9007199254740993 1e400 1.50 0o17 yes ~x`.split(
  ' ',
);
const byHand = `version: 1
current_profile: 007
profiles:
  - name: 007
    options: { user: 0042, pass: 1e3 }
  - name: other
    options:
      user: 00
      cloud.client_id: 0x1F
`;

test.each<[string, Edit, readonly string[]]>([
  ['set', (f) => setOption(f, 'other', ['brokers', ['b:1']]), []],
  ['unset', (f) => unsetOption(f, 'other', 'user'), ['      user: 00']],
  ['create', (f) => addProfile(f, { name: 'new', options: new Map() }), []],
  ['rename', (f) => setField(f, 'other', ['name', 'third']), ['  - name: other']],
  ['use', (f) => setCurrent(f, 'other'), ['current_profile: 007']],
  ['clear', (f) => setCurrent(f, undefined), ['current_profile: 007']],
  [
    'delete',
    (f) => removeProfile(f, 'other'),
    ['  - name: other', '    options:', '      user: 00', '      cloud.client_id: 0x1F'],
  ],
])('profile %s keeps every other line as it was written', async (_, edit, gone) => {
  const after = (await edit(await parseProfileFile('/f', byHand)))?.text.split('\n') ?? [];
  expect(byHand.split('\n').filter((line) => !after.includes(line))).toEqual(gone);
});

test.each(spellings)('%s is kept beside an option that is set', async (text) => {
  const before = `profiles:\n  - name: a\n    options:\n      pass: ${text}\n`;
  const edited = await setOption(await parseProfileFile('/f', before), 'a', ['user', 'u']);
  expect(edited.text).toBe(`${before}      user: u\n`);
});

test.each<[string, string, Edit]>([
  ['a file in braces', '{version: 1, profiles: [{name: a}]}', (f) => addProfile(f, { name: 'c', options: new Map() })],
  ['a profile in braces', 'profiles: [{name: a}, {name: b}]\n', (f) => removeProfile(f, 'b')],
  [
    'a value that another profile refers to',
    'profiles:\n  - name: a\n    options: {user: &u 007}\n  - name: b\n    options: {pass: *u}\n',
    (f) => setOption(f, 'a', ['user', 'y']),
  ],
  [
    'options that another profile has, too',
    'profiles:\n  - name: a\n    options: &o\n      user: 007\n  - name: b\n    options: *o\n',
    (f) => setOption(f, 'b', ['user', 'y']),
  ],
])('%s is not edited: the error says where, and what to do', async (_, text, edit) => {
  const file = await parseProfileFile('/f', text);
  await expect(edit(file)).rejects.toMatchObject({
    message: expect.stringContaining('unable to edit /f: what would change is in flow style'),
    hints: ['edit the file by hand, then check it with: weir profile validate'],
  });
});

test('an alias of another value is replaced where it stands', async () => {
  const text = 'profiles:\n  - name: a\n    options: {user: &u 007}\n  - name: b\n    options:\n      pass: *u # p\n';
  const edited = await setOption(await parseProfileFile('/f', text), 'b', ['pass', 'y']);
  expect(edited.text).toBe(text.replace('*u', 'y'));
});

test.each<[string, string, Edit, string]>([
  [
    'an option without a value',
    'profiles:\n  - name: a\n    options:\n      user: # who?\n      pass: x\n',
    (f) => setOption(f, 'a', ['user', 'u']),
    'profiles:\n  - name: a\n    options:\n      user: u # who?\n      pass: x\n',
  ],
  [
    'a list without a value',
    'profiles:\n  - name: a\n    options:\n      brokers: # fill in\n',
    (f) => setOption(f, 'a', ['brokers', ['b:1']]),
    'profiles:\n  - name: a\n    options:\n      brokers: [b:1] # fill in\n',
  ],
  [
    'options without any',
    'profiles:\n  - name: a\n    options: # todo\n  - name: b\n',
    (f) => setOption(f, 'a', ['user', 'u']),
    'profiles:\n  - name: a\n    options: # todo\n      user: u\n  - name: b\n',
  ],
  [
    'a list of no profiles',
    'profiles: # below\n',
    (f) => addProfile(f, { name: 'a', options: new Map() }),
    'profiles: # below\n  - name: a\n',
  ],
  [
    'a removed option without a value',
    'profiles:\n  - name: a\n    options:\n      user: # who?\n      pass: x # p\n',
    (f) => unsetOption(f, 'a', 'user'),
    'profiles:\n  - name: a\n    options:\n      pass: x # p\n',
  ],
  [
    'braces over several lines',
    'profiles:\n  - name: a\n    options: {\n      brokers: [b:9], # the rack\n      user: u, # the app\n      pass: x # p\n    }\n',
    (f) => unsetOption(f, 'a', 'user'),
    'profiles:\n  - name: a\n    options: {\n      brokers: [b:9], # the rack\n      pass: x # p\n    }\n',
  ],
  [
    'the last one in braces over several lines',
    'profiles:\n  - name: a\n    options: {\n      user: u, # the app\n      pass: x # p\n    }\n',
    (f) => unsetOption(f, 'a', 'pass'),
    'profiles:\n  - name: a\n    options: {\n      user: u, # the app\n    }\n',
  ],
  [
    'a text from an editor with a byte order mark',
    'profiles:\n  - name: a\n',
    (f) => replaceProfile(f, 'a', '\ufeff---\nname: a\ndescription: d\n'),
    'profiles:\n  - name: a\n    description: d\n',
  ],
])('comments stay where they are: %s', async (_, before, edit, after) => {
  expect((await edit(await parseProfileFile('/f', before)))?.text).toBe(after);
});

test('an option of a flow map is removed with its comma', async () => {
  const text = 'profiles:\n  - name: a\n    options: {user: 007, pass: 1e3, brokers: [a:1]}\n';
  const of = async (key: string) => (await unsetOption(await parseProfileFile('/f', text), 'a', key))?.text;
  expect(await of('user')).toBe(text.replace('user: 007, ', ''));
  expect(await of('pass')).toBe(text.replace(', pass: 1e3', ''));
  expect(await of('brokers')).toBe(text.replace(', brokers: [a:1]', ''));
});

test('the first pair of a profile is removed behind its dash', async () => {
  const text = 'profiles:\n  - description: x # d\n    name: 007\n';
  expect((await unsetField(await parseProfileFile('/f', text), '007', 'description')).text).toBe(
    'profiles:\n  - name: 007\n',
  );
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

test('a profile with an alias is expanded for the editor', async () => {
  const text = 'profiles:\n  - name: a\n    options: &o\n      brokers: [b1:9092]\n  - name: b\n    options: *o\n';
  const file = await parseProfileFile('/weir.yaml', text);
  const [, b] = file.profiles;
  expect(b && textOfProfile(file, b)).toBe('name: b\noptions:\n  brokers: [b1:9092]\n');
});

test('a profile that was deleted after it was chosen does not exist', async () => {
  const file = await parseProfileFile('/f', original);
  await expect(setField(file, 'gone', ['name', 'new'])).rejects.toMatchObject({ exitCode: 3, code: 'NO_PROFILE' });
});

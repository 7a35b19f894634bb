import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addProfile, emptyProfileFile, fileValue, setCurrent } from '../../../src/config/profile/edit.ts';
import { type ProfileReading, parseProfileFile, readTree } from '../../../src/config/profile/file.ts';
import { parseYaml, scalarText, type YamlTree } from '../../../src/config/yaml/file.ts';
import { readPlainYaml } from '../../../src/config/yaml/plain-yaml.ts';

const path = '/weir.yaml';

/** A whole tree as keys, texts and lines, independent of its reader. */
function shapeOf(tree: YamlTree, node: unknown): unknown {
  const value = tree.valueOf(node);
  if (value === undefined) return null;
  const line = tree.lineOf(node);
  if (tree.yaml.isScalar(value)) return { text: scalarText(value), line };
  if (tree.yaml.isSeq(value)) return { list: value.items.map((item) => shapeOf(tree, item)), line };
  if (!tree.yaml.isMap(value)) throw new Error('a node of no known sort');
  const fields = value.items.map((pair) => [shapeOf(tree, pair.key), shapeOf(tree, pair.value)]);
  return { fields, line };
}

function meaningOf({ current, profiles, errors }: ProfileReading): unknown {
  const told = (list: ProfileReading['errors']) => list.map(({ message, hints }) => [message, hints]);
  return {
    current,
    errors: told(errors),
    profiles: profiles.map(({ node, options, ...profile }) => [profile, [...options.entries], told(options.errors)]),
  };
}

/** Compares the plain reading of a text with the package's; returns whether there was a plain one. */
async function agrees(text: string): Promise<boolean> {
  const plain = readPlainYaml(path, text);
  if (plain === undefined) return false;
  const parsed = await parseYaml(path, text);
  expect(shapeOf(plain, plain.document.contents), text).toEqual(shapeOf(parsed, parsed.document.contents));
  expect(meaningOf(await readTree(plain)), text).toEqual(meaningOf(await parseProfileFile(path, text)));
  return true;
}

const scalars = [
  ...['p', 'true', '1', '007', '1e3', '0x1f', '.5', 'a b', 'a  b', 'a #b', 'a#b', 'a:b', 'a: b', 'a:', ':a', '::1'],
  ...['127.0.0.1:9092', 'b1:9092,b2:9092', 'a, b', ',a', '~', '~/ca.pem', 'null', 'Null', '-', '- a', '-1', '--- a'],
  ...[
    '"x y"',
    "'x'",
    '"a\\n"',
    "'it''s'",
    '"',
    '"a" b',
    "'a",
    '""',
    '"null"',
    '[a, b]',
    '[]',
    '[a,b]',
    '[a, ]',
    '[[a]]',
  ],
  ...[
    '[h:1, i:2]',
    '[a b, c]',
    '[a: b]',
    '[null]',
    '{a: b}',
    '{}',
    '&x a',
    '*x',
    '!!str a',
    '|',
    '>-',
    '@a',
    '`a',
    '%a',
  ],
  ...[
    '2026-11-21',
    '12:30:45',
    '10s',
    'a=b',
    '<<',
    '?',
    '? a',
    '...',
    'a\tb',
    '\t',
    'é',
    'SCRAM-SHA-256',
    'C:/x',
    '.inf',
  ],
];
const keys = [
  ...['version', 'current_profile', 'profiles', 'name', 'options', 'brokers', 'tls', 'tls.enabled', 'enabled', 'user'],
  ...[
    'pass',
    'globals',
    'dial_timeout',
    'nonsense',
    'description',
    'protected',
    'null',
    'true',
    '<<',
    '-a',
    'a b',
    '1',
  ],
];

const easy = ['p', 'true', '127.0.0.1:9092', 'b1:9092,b2:9092', 'a b', '"x y"', '[a, b]', '[h:1, i:2]', '[]', '10s'];
const scalar = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom(...easy) },
  { weight: 1, arbitrary: fc.constantFrom(...scalars) },
);
const key = fc.constantFrom(...keys);
const indent = fc.constantFrom('', '', '  ', '    ', '      ', '        ', ' ', '   ');
const line = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(indent, key, scalar).map(([space, name, value]) => `${space}${name}: ${value}`) },
  { weight: 4, arbitrary: fc.tuple(indent, key).map(([space, name]) => `${space}${name}:`) },
  { weight: 3, arbitrary: fc.tuple(indent, key, scalar).map(([space, name, value]) => `${space}- ${name}: ${value}`) },
  { weight: 3, arbitrary: fc.tuple(indent, scalar).map(([space, value]) => `${space}- ${value}`) },
  { weight: 1, arbitrary: fc.tuple(indent, key).map(([space, name]) => `${space}- ${name}:`) },
  { weight: 2, arbitrary: fc.tuple(indent, scalar).map(([space, value]) => `${space}# ${value}`) },
  { weight: 1, arbitrary: fc.tuple(indent, scalar).map(([space, value]) => space + value) },
  { weight: 1, arbitrary: fc.constantFrom('', '  ', '---', '...', '%YAML 1.2', '-', '- - a') },
);

/** A profile file as weir writes it, but for its values. */
const wellFormed = fc
  .tuple(
    scalar,
    fc.array(fc.record({ name: scalar, description: scalar, brokers: scalar, tls: scalar }), { maxLength: 4 }),
  )
  .map(([current, profiles]) =>
    [
      `version: 1\ncurrent_profile: ${current}\nprofiles:`,
      ...profiles.map(
        ({ name, description, brokers, tls }) =>
          `  - name: ${name}\n    description: ${description}\n    options:\n      brokers: ${brokers}\n` +
          `      tls:\n        enabled: ${tls}\n        ca:\n          - ${brokers}`,
      ),
    ].join('\n'),
  );

describe('the plain reader agrees with the yaml package', () => {
  test('for random lines', async () => {
    const text = fc.array(line, { minLength: 1, maxLength: 9 }).map((lines) => `${lines.join('\n')}\n`);
    let plain = 0;
    const check = fc.asyncProperty(text, async (drawn) => {
      if (await agrees(drawn)) plain += 1;
    });
    await fc.assert(check, { numRuns: 2_000 });
    expect(plain).toBeGreaterThan(0);
  });

  test('for profile files with random values', async () => {
    let plain = 0;
    const check = fc.asyncProperty(wellFormed, async (text) => {
      if (await agrees(text)) plain += 1;
    });
    await fc.assert(check, { numRuns: 200 });
    expect(plain).toBeGreaterThan(0);
  });

  test('for a profile file with one byte changed', async () => {
    const original =
      'version: 1\n# mine\nprofiles:\n  - name: p\n    options:\n      brokers: [a:1, b:2]\n      user: "x"\n';
    const spoilt = fc
      .tuple(fc.nat(original.length - 1), fc.integer({ min: 9, max: 126 }), fc.nat(2))
      .map(([at, byte, cut]) => original.slice(0, at) + String.fromCharCode(byte) + original.slice(at + cut));
    await fc.assert(
      fc.asyncProperty(spoilt, async (text) => void (await agrees(text))),
      { numRuns: 1_000 },
    );
  });

  test('for scalars in every place', async () => {
    for (const value of scalars) {
      for (const text of [`a: ${value}\n`, `a:\n  - ${value}\n`, `a:\n  b: ${value}\nc: d`, `a: [${value}]\n`]) {
        await agrees(text);
      }
    }
  });
});

test('a file that weir wrote is read plainly', async () => {
  let file = await parseProfileFile(path, emptyProfileFile);
  for (const name of ['one', 'two']) {
    file = await addProfile(file, {
      name,
      description: 'a cluster of mine',
      options: new Map([
        ['brokers', fileValue('brokers', 'b1:9092,b2:9092')],
        ['tls.enabled', true],
        ['user', 'me'],
        ['globals.dial_timeout', '10s'],
      ]),
    });
  }
  expect(await agrees((await setCurrent(file, 'two')).text)).toBe(true);
});

test.each([
  '',
  '# only a comment\n',
  '  a: b\n',
  'a: b\n c: d\n',
  'a: |\n  b\n',
  'a: b\n---\nc: d\n',
  'a: &x b\nc: *x\n',
])('the package reads %j', (text) => expect(readPlainYaml(path, text)).toBeUndefined());

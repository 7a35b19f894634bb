import { describe, expect, test } from 'vitest';
import type { OptionKey } from '../../../src/config/options.ts';
import { overlaid } from '../../../src/config/settings/secret-rule.ts';
import { errorsOf, profileFile, resolveSources, type Sources } from '../sources/sources.ts';

/** What a secret is, and where that comes from. */
async function passOf(sources: Sources) {
  const { value, source, from, overrides } = (await resolveSources(sources)).setting('pass');
  return [value, source, from, overrides.map((one) => one.source).join()];
}

const command = (text: string) => ({ way: 'command', text });
const file = (text: string) => ({ way: 'file', text });

describe('the four keys of a secret are one setting', () => {
  test.each<[string, Sources, readonly unknown[]]>([
    ['nothing', {}, ['', 'default', undefined, '']],
    ['a command', { x: ['pass.command=op read x'] }, ['', 'flag', command('op read x'), 'default']],
    [
      'a variable over a profile',
      { env: { WEIR_PASS_FILE: '/f' }, file: profileFile('pass: p') },
      ['', 'env', file('/f'), 'profile,default'],
    ],
    [
      'a value over a command',
      { x: ['pass=p'], env: { WEIR_PASS_COMMAND: 'c' }, file: profileFile('pass.keychain: k') },
      ['p', 'flag', undefined, 'env,profile,default'],
    ],
    [
      'an empty value, which turns it off',
      { x: ['pass='], file: profileFile('pass.command: c') },
      ['', 'flag', undefined, 'profile,default'],
    ],
    [
      'an empty command, which does so too',
      { x: ['pass.command='], file: profileFile('pass: p') },
      ['', 'flag', undefined, 'profile,default'],
    ],
    [
      'an empty variable, which is not set',
      { env: { WEIR_PASS_COMMAND: '', WEIR_PASS: 'p' } },
      ['p', 'env', undefined, 'default'],
    ],
    ['a map', { file: profileFile('pass:', '  command: op read x') }, ['', 'profile', command('op read x'), 'default']],
    ['a map in flow style', { file: profileFile('pass: {file: "/f"}') }, ['', 'profile', file('/f'), 'default']],
    ['a broker file', { broker: 'weir: {pass: p}\n', x: ['pass.file=/f'] }, ['', 'flag', file('/f'), 'broker,default']],
  ])('%s', async (_, sources, expected) => expect(await passOf(sources)).toEqual(expected));

  test('each is a setting of its own secret only', async () => {
    const config = await resolveSources({ x: ['cloud.client_secret.file=/f', 'pass=p'] });
    expect(config.setting('cloud.client_secret')).toMatchObject({ value: '', from: file('/f') });
    expect(config.get('pass')).toBe('p');
    expect(config.settings.filter(({ key }) => /(pass|secret|token)\.(command|file|keychain)$/.test(key))).toEqual([]);
  });
});

describe('two in one source are an error that names both places', () => {
  test.each<[string, Sources, RegExp]>([
    [
      'flags',
      { x: ['pass=canary', 'pass.command=x'] },
      /^pass \(-X pass\) and pass\.command \(-X pass\.command\) exclude/,
    ],
    [
      'variables',
      { env: { WEIR_PASS: 'canary', WEIR_PASS_FILE: 'x' } },
      /^pass \(WEIR_PASS\) and pass\.file \(WEIR_PASS_FILE\)/,
    ],
    [
      'a profile',
      { file: profileFile('pass.file: /f', 'pass.keychain: k') },
      /^pass\.file \(\S+:6 \(profile prod\)\) and pass\.keychain \(\S+:7 \(profile prod\)\)/,
    ],
    [
      'a map',
      { file: profileFile('pass:', '  file: /f', '  command: c') },
      /^pass\.command \(.*:8 .*pass\.file \(.*:7 /,
    ],
  ])('%s', async (_, sources, message) => {
    const [error, ...more] = await errorsOf(resolveSources(sources));
    expect(more).toEqual([]);
    expect(error).toMatchObject({ exitCode: 2, message: expect.stringMatching(message) });
    expect(error?.message).not.toContain('canary');
  });

  test('a deprecated flag is a lower source than -X', async () => {
    const deprecated = [{ flag: 'password', value: 'p' }];
    expect(await passOf({ x: ['pass.file=/f'], deprecated })).toEqual(['', 'flag', file('/f'), 'flag,default']);
  });
});

test.each([
  ['pass.command="op read', /a quote is not closed/],
  ['pass.command=  ', /it has no word/],
  ['pass.commnd=x', /unknown option "pass\.commnd"/],
])('%s is refused before anything runs', async (word, message) => {
  const [error] = await errorsOf(resolveSources({ x: [word] }));
  expect(error?.message).toMatch(message);
});

test('the value of a command may look like a setting', async () => {
  expect(await passOf({ x: ['pass.command=vault get password=x'] })).toMatchObject([
    '',
    'flag',
    command('vault get password=x'),
    'default',
  ]);
});

test('values that are laid over others replace the other keys of a secret', () => {
  const map = (entries: Readonly<Record<string, string>>) => new Map(Object.entries(entries)) as Map<OptionKey, string>;
  expect(overlaid(map({ user: 'u', pass: 'p' }), map({ 'pass.file': '/f' }))).toEqual(
    map({ user: 'u', 'pass.file': '/f' }),
  );
  expect(overlaid(map({ 'pass.file': '/f' }), map({ user: 'u' }))).toEqual(map({ 'pass.file': '/f', user: 'u' }));
});

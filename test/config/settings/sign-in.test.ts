import { expect, test } from 'vitest';
import { signInOf } from '../../../src/config/settings/sign-in.ts';
import { errorsOf, profileFile, resolveSources, type Sources } from '../sources/sources.ts';

test.each<[string, Sources, unknown]>([
  ['nothing', {}, undefined],
  ['the user of the brokers', { x: ['user=u', 'pass=p'] }, ['user', 'u', 'pass']],
  ['its own', { x: ['registry.user=r', 'registry.pass=q', 'user=u'] }, ['registry.user', 'r', 'registry.pass']],
  // The password of the brokers would go to another server.
  [
    'its own user without a password',
    { x: ['registry.user=r', 'user=u', 'pass=p'] },
    ['registry.user', 'r', 'registry.pass'],
  ],
  [
    'its own password for the user of the brokers',
    { x: ['user=u', 'registry.pass=q'] },
    ['user', 'u', 'registry.pass'],
  ],
  ['its own password in a file', { x: ['user=u', 'registry.pass.file=/f'] }, ['user', 'u', 'registry.pass']],
  ['its own password alone', { x: ['registry.pass=q'] }, undefined],
  ['a token', { x: ['registry.token=t', 'user=u'] }, ['registry.token', undefined, 'registry.token']],
  ['a token from a command', { x: ['registry.token.command=c'] }, ['registry.token', undefined, 'registry.token']],
  [
    'a token over a user of a lower source',
    { x: ['registry.token=t'], file: profileFile('registry.user: r', 'registry.pass: q') },
    ['registry.token', undefined, 'registry.token'],
  ],
  [
    'a user over a token of a lower source',
    { x: ['registry.user=r'], file: profileFile('registry.token: t') },
    ['registry.user', 'r', 'registry.pass'],
  ],
  ['an empty user, which turns it off', { x: ['registry.user=', 'user=u', 'pass=p'] }, 'none'],
  ['an empty user over a token', { x: ['registry.user='], file: profileFile('registry.token: t') }, 'none'],
  ['an empty token over a user', { x: ['registry.token='], file: profileFile('registry.user: r') }, 'none'],
  [
    'an empty user beside a token',
    { x: ['registry.user=', 'registry.token=t'] },
    ['registry.token', undefined, 'registry.token'],
  ],
  ['credentials of the Admin API', { x: ['admin.user=a', 'admin.pass=q'] }, undefined],
])('the registry gets %s', async (_, sources, expected) => {
  const found = signInOf('registry', (await resolveSources(sources)).setting);
  expect(typeof found === 'object' ? [found.by.key, found.user, found.secret] : found).toEqual(expected);
});

test('a user and a token in one source are an error', async () => {
  const errors = await errorsOf(resolveSources({ x: ['admin.user=a', 'admin.token.file=/f'] }));
  expect(errors.map(({ message }) => message)).toEqual([
    'admin.user (-X admin.user) and admin.token (-X admin.token.file) exclude each other',
  ]);
});

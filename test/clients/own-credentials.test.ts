import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { writeWhole } from '../config/sources/sources.ts';
import { startScriptedRegistry } from '../registry/scripted-registry.ts';
import { run, temporaryDirectory, type World } from '../world.ts';

/** Lists the subjects of a registry, and returns what it was sent and what was said. */
async function listed(x: readonly string[], world: World = {}) {
  await using server = await startScriptedRegistry(() => [200, []]);
  const words = [`registry.hosts=${server.url}`, ...x].flatMap((word) => ['-X', word]);
  const outcome = await run(['registry', 'subject', 'list', ...words], world);
  return { ...outcome, sent: server.calls.map(({ headers }) => headers.authorization) };
}

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;

test.each<[readonly string[], string | undefined]>([
  [['user=u', 'pass=p'], basic('u:p')],
  [['user=u', 'pass=p', 'registry.user=r', 'registry.pass=q'], basic('r:q')],
  [['user=u', 'pass=p', 'registry.user='], undefined],
  [['user=u', 'pass=p', 'registry.token=abc.def'], 'Bearer abc.def'],
  [['user=u', 'pass=p', 'admin.user=a', 'admin.pass=q'], basic('u:p')],
])('with %j the registry gets %s', async (x, authorization) => {
  expect(await listed(x)).toMatchObject({ exitCode: 0, sent: [authorization] });
});

test('a user of its own never gets the password of the brokers', async () => {
  const { exitCode, sent, stderr } = await listed(['user=u', 'pass=canary', 'registry.user=r']);
  expect({ exitCode, sent }).toEqual({ exitCode: 2, sent: [] });
  expect(stderr).toContain(
    'weir: registry.user is set, but registry.pass is not\nhint: set WEIR_REGISTRY_PASS, or store it in the profile with: weir profile set registry.pass\n',
  );
});

test('its password is asked for before records are read, which may come from the same terminal', async () => {
  const stdin = new PassThrough(); // nobody types anything
  const line = 'topic produce orders --schema-id 1 -X brokers=127.0.0.1:1 -X registry.user=r';
  const { exitCode, stderr } = await run(line, { stdin });
  expect([exitCode, stderr.split('\n')[0]]).toEqual([2, 'weir: registry.user is set, but registry.pass is not']);
});

test('its password is asked for at a terminal', async () => {
  const terminal = { typed: 'q\n', stdin: true, stderr: true };
  const { sent, stderr } = await listed(['user=u', 'pass=p', 'registry.user=r'], { terminal });
  expect(sent).toEqual([basic('r:q')]);
  expect(stderr).toMatch(/password of user "r" for http:\/\/127\.0\.0\.1:\d+: /);
});

test('a token in a file may change between two requests', async () => {
  const home = temporaryDirectory();
  const path = join(home, 'token');
  writeFileSync(path, 'one', { mode: 0o600 });
  await using server = await startScriptedRegistry(({ before }) => {
    writeFileSync(path, 'two');
    return before === 0 ? [503, { error_code: 50301, message: 'later' }] : [200, []];
  });
  const words = [`registry.hosts=${server.url}`, `registry.token.file=${path}`].flatMap((word) => ['-X', word]);
  expect((await run(['registry', 'subject', 'list', ...words], { home })).exitCode).toBe(0);
  expect(server.calls.map(({ headers }) => headers.authorization)).toEqual(['Bearer one', 'Bearer two']);
});

test('a token that no header can have is an error that does not show it', async () => {
  const { exitCode, stderr, sent } = await listed(['registry.token=canary token']);
  expect({ exitCode, sent }).toEqual({ exitCode: 2, sent: [] });
  expect(stderr).toMatch(/\nweir: invalid registry\.token: a token consists of printable ASCII/);
  expect(stderr).not.toContain('canary');
});

const guide = readFileSync('docs/guides/credentials.md', 'utf8');
const files = [...guide.matchAll(/```yaml\n(.*?)```/gs)].map(([, text = '']) => text);

test.each(files)('the profile of the guide is one: %s', async (text) => {
  const path = join(temporaryDirectory(), 'weir.yaml');
  writeWhole(path, text);
  const profile = /name: (\w+)/.exec(text)?.[1] ?? '';
  const { exitCode, stderr } = await run(['config', 'show', 'brokers', '--config', path, '--profile', profile]);
  expect([exitCode, stderr]).toEqual([0, '']);
});

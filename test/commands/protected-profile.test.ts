import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { leavesOf, walkTree } from '../../src/cli/help/tree.ts';
import { commands } from '../../src/commands/index.ts';
import { openStage, type Stage } from '../transcripts/stage.ts';
import { run, temporaryDirectory } from '../world.ts';

let stage: Stage;
const directory = temporaryDirectory();
const linkFile = join(directory, 'link.yaml');
const pausedFile = join(directory, 'paused.yaml');

beforeAll(async () => {
  stage = await openStage(['brokers', 'admin=26.2', 'registry']);
  await run('topic create orders payments -p 6', { env: stage.env });
  await run('registry schema create orders-value --schema - --type avro', { env: stage.env, stdin: '"string"' });
  await run('security role create readers', { env: stage.env });
  await run('security role assign readers --principal ana', { env: stage.env });
  const link = 'name: dr\nclient_options: {bootstrap_servers: [b.example:9092]}\n';
  writeFileSync(linkFile, link);
  writeFileSync(pausedFile, `${link}topic_metadata_sync_options: {paused: true}\n`);
  await run(`shadow create -c ${linkFile}`, { env: stage.env });
});

afterAll(() => stage.close());

/** Runs a line on a profile that is protected, or not. */
function onProfile(line: string, isProtected: boolean, answer?: string) {
  const home = temporaryDirectory();
  mkdirSync(join(home, '.config/weir'), { recursive: true, mode: 0o700 });
  const file = `version: 1\ncurrent_profile: prod\nprofiles:\n  - name: prod\n    protected: ${isProtected}\n    options: {registry.hosts: '${stage.env.WEIR_REGISTRY_HOSTS}'}\n`;
  writeFileSync(join(home, '.config/weir/weir.yaml'), file, { mode: 0o600 });
  const terminal = { stdin: true, stdout: true, stderr: true } as const;
  return run(line, { home, env: stage.env, ...(answer !== undefined && { terminal, stdin: `${answer}\n` }) });
}

/** What a protected profile asks about besides what destroys something, and the question. */
const guarded = [
  ['topic add-partitions orders -n 8', 'Permanently add partitions to orders (6 -> 14)'],
  ['topic copy orders payments --restart', 'Copy to 1 topic (payments) again what earlier copies have copied'],
  ['topic copy orders payments --append', 'Copy to 1 topic (payments) although records may be there already'],
  ['security acl create --deny-principal * --operation all --topic x', 'Create 1 ACL that denies something to User:*'],
  [
    'security acl create --allow-principal ana --deny-principal bob --operation read --topic x',
    'Create 1 ACL that denies something to User:bob',
  ],
  ['security role unassign readers --principal ana', 'Take role "readers" from User:ana'],
  ['security user update ana --mechanism scram-sha-256 --generate-password', 'Replace the password of user "ana"'],
  ['registry compatibility-level set --level NONE', 'Set the compatibility level of the registry to NONE'],
  ['registry compatibility-level reset orders-value', 'Remove the compatibility level of orders-value'],
  ['registry mode set --mode READONLY', 'Set the mode of the registry to READONLY'],
  ['registry mode reset orders-value', 'Remove the mode of orders-value'],
  ['registry copy orders-value prod::.copy:', 'Copy 1 version of 1 subject'],
  ['cluster maintenance enable 2', 'Put broker 2 in maintenance mode'],
  ['cluster partitions balance', 'Move partitions to balance the brokers'],
  ['cluster quotas alter --default client-id --add producer_byte_rate=1', 'Set producer_byte_rate=1 for client-id='],
  ['transform pause redact', 'Pause the transform "redact"'],
  [`shadow update dr -c ${pausedFile}`, 'Change the configuration of shadow link "dr"'],
] as const;

const served = guarded.filter(([line]) => !/^(security user|transform)/.test(line));

test.each(served)('%s needs --yes on a protected profile, and says what it would have done', async (line, question) => {
  const { stdout, stderr, exitCode } = await onProfile(line, true);
  expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
  expect(stderr).toContain('profile "prod" is protected and needs --yes when nobody can be asked');
  expect(stderr).toContain(`hint: --yes would ${question.charAt(0).toLowerCase()}${question.slice(1)}`);
});

test('a terminal gets the question only on a protected profile, and only the typed name agrees', async () => {
  const line = 'topic add-partitions payments -n 8';
  const dry = await onProfile(`${line} --dry-run`, true);
  expect(dry).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('6 -> 14') });
  const refused = await onProfile(line, true, 'y');
  expect(refused).toMatchObject({ exitCode: 1, stdout: '' });
  expect(refused.stderr).toContain('Permanently add partitions to payments (6 -> 14) on profile "prod"');
  expect(await onProfile(line, true, 'payments')).toMatchObject({ exitCode: 0 });
  const { stderr, exitCode } = await onProfile('topic add-partitions payments --to 15', false, '');
  expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
});

test.each([
  'security acl create --allow-principal ana --operation read --topic x',
  'topic add-partitions orders --to 1',
  'topic copy orders payments',
  'topic alter-config orders --set max.message.bytes=2000',
])('%s asks nothing', async (line) => {
  expect((await onProfile(line, true)).exitCode).not.toBe(2);
});

test('every guarded command has a line in this table', async () => {
  const names = leavesOf(await walkTree(commands))
    .filter(({ command }) => command.guarded !== undefined && !command.hidden)
    .map(({ path }) => path.join(' '));
  const isListed = (name: string) => guarded.some(([line]) => line.startsWith(name));
  expect(names.filter((name) => !isListed(name))).toEqual([]);
});

test('topic redrive asks on a protected profile, even if the line names the topics', async () => {
  const written = { env: stage.env, stdin: 'dead\n' };
  await run('topic create letters', { env: stage.env });
  await run('topic produce letters -H src=orders', written);
  const line = 'topic redrive letters --to header:src --only orders';
  const { stderr, exitCode } = await onProfile(`${line} --restart`, true);
  expect(exitCode).toBe(2);
  expect(stderr).toContain('hint: --yes would put back 1 record to 1 topic (orders) on ');
  expect(stderr).not.toContain('--only');
  expect(await onProfile(line, true)).toMatchObject({ exitCode: 2 });
  expect(await onProfile(`${line} --restart`, false)).toMatchObject({ exitCode: 0 });
});

import { expect, test } from 'vitest';
import { findCommand } from '../../../src/cli/parse/named-command.ts';
import { commands } from '../../../src/commands/index.ts';
import { parsed } from '../../parsed-path.ts';
import { run } from '../../world.ts';

const shown = { exitCode: 0, stdout: expect.stringContaining('b:1') };

test.each(['-X', '-vX', '-qX', '-qvX', '--config-opt'])(
  '%s takes the next word, before the command and after it',
  async (flag) => {
    for (const line of [
      `${flag} brokers=b:1 config show brokers`,
      `config ${flag} brokers=b:1 show brokers`,
      `config show ${flag} brokers=b:1 brokers`,
    ]) {
      expect(await run(line)).toMatchObject(shown);
    }
  },
);

test.each(['-Xbrokers=b:1', '-vXbrokers=b:1', '-X=brokers=b:1', '-vX=brokers=b:1', '--config-opt=brokers=b:1'])(
  '%s is whole, before the command and after it',
  async (word) => {
    for (const line of [`${word} config show brokers`, `config show brokers ${word}`]) {
      expect(await run(line)).toMatchObject(shown);
    }
  },
);

test('a deprecated flag on a noun takes its value with it', async () => {
  const { stderr } = await run('topic --brokers 127.0.0.1:1 list -X globals.retry_timeout=0');
  expect(stderr).toContain('127.0.0.1:1');
});

test.each([
  '-vX list',
  '-X list topic list',
  'topic -X list',
  'topic list -vX list',
  '-q --config-opt list config show',
])('%s prints the options', async (line) => {
  expect(await run(line)).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('\n  brokers=') });
});

test('the value of another flag does not ask for the options', async () => {
  expect((await run('config show --profile -X=list')).stderr).toContain('--profile -X=list: no such profile');
});

test('an error has the format of the line, even before the command runs', async () => {
  const { stderr } = await run('config explain --format json');
  expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'MISSING_ARGUMENT' } });
  const { stderr: unread } = await run('--format json nonsense');
  expect(JSON.parse(unread)).toMatchObject({ error: { code: 'UNKNOWN_COMMAND' } });
  const { stderr: text } = await run(['nonsense', '--profile', '--format=json']);
  expect(text).toMatch(/^weir: unknown command/);
});

test.each([
  ['get topics', 'the noun comes first, as in: weir topic list'],
  ['consumer-group list', 'see the groups with: weir group list'],
  ['config set brokers=b:1', 'set options of a profile with: weir profile set KEY=VALUE'],
  ['login', 'log in to the control plane with: weir cloud login'],
  ['kcl topic list', 'type: weir topic list'],
  ['security user describe bob', 'see the mechanisms of users with: weir security user list --format wide'],
])('the command %s of another tool gets a hint', async (line, hint) => {
  const { stderr, exitCode } = await run(line);
  expect(stderr).toContain(`hint: ${hint}\n`);
  expect(exitCode).toBe(2);
});

test('an unknown flag before the command is the error that is reported', async () => {
  expect((await run('--bogus value config show')).stderr).toContain('unknown flag --bogus');
});

test('hints call a command by its own name, not by the alias that was typed', async () => {
  expect((await run('topic ls --bogus')).stderr).toContain('see weir topic list --help\n');
});

test.each([
  ['topics', 'topic list'],
  ['topics -o json', 'topic list'],
  ['topics create a', 'topic create'],
  ['groups', 'group list'],
  ['user list', 'security user list'],
  ['users', 'security user list'],
  ['security roles list', 'security role list'],
  ['schema list', 'registry schema list'],
  ['subjects', 'registry subject list'],
  ['schema-registry subject list', 'registry subject list'],
  ['topic rm a', 'topic delete'],
  ['topic desc a', 'topic describe'],
  ['topic alter a', 'topic alter-config'],
  ['cluster quotas alter', 'cluster quotas alter'],
  ['topics --help', 'topic'],
])('weir %s is weir %s', async (line, path) => {
  expect((await findCommand(commands, line.split(' '))).path.join(' ')).toBe(path);
});

test('flags of other tools are read where the command has none of its own', async () => {
  const { command, values } = await parsed('topic create a --replication-factor 3 -y'.split(' '));
  expect(values).toMatchObject({ replicas: 3 });
  expect(command.summary).toBe('Create topics');
  expect(JSON.parse((await run('version -ojson')).stdout)).toHaveProperty('version');
  expect(JSON.parse((await run('version --output=json')).stdout)).toHaveProperty('version');
});

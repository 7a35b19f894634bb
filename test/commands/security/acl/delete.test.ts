import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { services } from '../../../services/services.ts';
import { run, type World } from '../../../world.ts';
import { admin, must, removeUser, withoutRights } from '../people.ts';

const name = `acl-delete-${process.pid}`;
const refused = `${name}-refused`;
let stranger: World;

beforeAll(async () => {
  expect(services().directory).not.toBe('');
  stranger = await withoutRights(refused);
});

beforeEach(async () => {
  await must(`security acl create --allow-principal ${name} --operation read,write --topic ${name}`);
});

afterAll(async () => {
  await run(`security acl delete --allow-principal ${name} --yes`, admin());
  await removeUser(refused);
});

const squeezed = (text: string) => text.replace(/ +/g, ' ').replace(/ $/gm, '');
const read = `User:${name} * TOPIC ${name} LITERAL READ ALLOW`;
const write = `User:${name} * TOPIC ${name} LITERAL WRITE ALLOW`;
const present = async () => squeezed(await must(`security acl list --allow-principal ${name} --no-headers`));
const person = (answer: string): World =>
  admin({ stdin: answer, terminal: { stdin: true, stderr: true }, env: { NO_COLOR: '1' } });

describe('security acl delete', () => {
  it('deletes what matches, and a listing no longer shows it', async () => {
    const { stdout, stderr, exitCode } = await run(
      `security acl delete --allow-principal ${name} --operation read --yes`,
      admin(),
    );
    expect({ stdout: squeezed(stdout), stderr, exitCode }).toEqual({
      stdout: `PRINCIPAL HOST RESOURCE-TYPE RESOURCE-NAME RESOURCE-PATTERN-TYPE OPERATION PERMISSION ERROR\n${read}\n`,
      stderr: '',
      exitCode: 0,
    });
    expect(await present()).toBe(`${write}\n`);
  });

  it('shows the matches before it asks, and deletes nothing on no', async () => {
    const { stdout, stderr, exitCode } = await run(`security acl delete --topic ${name}`, person('n\n'));
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 1 });
    expect(squeezed(stderr)).toContain(`${read}\n${write}\nDelete 2 ACLs on `);
    expect(await present()).toBe(`${read}\n${write}\n`);
  });

  it('deletes on yes', async () => {
    const { exitCode, stderr } = await run(`security acl delete --topic ${name}`, person('y\n'));
    expect({ exitCode, stderr: stderr.includes('Delete 2 ACLs on ') }).toEqual({ exitCode: 0, stderr: true });
    expect(await present()).toBe('');
  });

  it.each(['--yes', '--no-confirm'])('asks nothing with %s', async (flag) => {
    const { stderr } = await run(`security acl delete --topic ${name} ${flag}`, person(''));
    expect(stderr).toBe('');
    expect(await present()).toBe('');
  });

  it.each(['--dry-run', '-d', '--dry'])('only shows what it would delete with %s, without a question', async (flag) => {
    const { stdout, stderr, exitCode } = await run(
      `security acl delete --topic ${name} ${flag} --no-headers --yes`,
      person(''),
    );
    expect({ stdout: squeezed(stdout), stderr, exitCode }).toEqual({
      stdout: `${read} OK (dry run: would be deleted)\n${write} OK (dry run: would be deleted)\n`,
      stderr: 'dry run: nothing was changed\n',
      exitCode: 0,
    });
    expect(await present()).toBe(`${read}\n${write}\n`);
  });

  it('deletes only what was shown, not what was created after the question', async () => {
    const later = `User:${name} * TOPIC ${name} LITERAL ALTER ALLOW`;
    const typed = new PassThrough();
    let created: Promise<unknown> | undefined;
    const { stderr } = await run(`security acl delete --topic ${name}`, {
      ...admin(),
      terminal: { stderr: true, typed },
      onStderr: (text) => {
        if (!text.includes('[y/N]')) return;
        const line = `security acl create --allow-principal ${name} --operation alter --topic ${name}`;
        created = must(line).then(() => typed.write('y\n'));
      },
    });
    await created;
    expect(stderr).toContain('Delete 2 ACLs');
    expect(await present()).toBe(`${later}\n`);
    await must(`security acl delete --topic ${name} --yes`);
  });

  it('prints the filters with -f', async () => {
    const { stdout } = await run(`security acl delete --topic ${name} -f -d --yes`, admin());
    expect(squeezed(stdout)).toMatch(
      /^FILTERS\n=+\nPRINCIPAL .* ERROR\n.*TOPIC .*\n\nDELETIONS\n=+\nPRINCIPAL .* STATUS\n/,
    );
  });

  it('has each ACL in json', async () => {
    const { stdout } = await run(`security acl delete --topic ${name} --operation write --format json --yes`, admin());
    expect(JSON.parse(stdout)).toEqual({
      deletions: [
        {
          principal: `User:${name}`,
          host: '*',
          resource_type: 'TOPIC',
          resource_name: name,
          resource_pattern_type: 'LITERAL',
          operation: 'WRITE',
          permission: 'ALLOW',
          status: 'OK',
          dry_run: false,
          error: null,
        },
      ],
      dry_run: false,
    });
  });

  it.each([admin, () => person('y\n')])('exits with 3 if nothing matches', async (world) => {
    const { stdout, stderr, exitCode } = await run(`security acl delete --topic ${name}-nope --yes`, world());
    expect({ stdout, stderr, exitCode }).toEqual({
      stdout: '',
      stderr:
        'weir: unable to delete ACLs: no ACL matches the flags\n' + 'hint: see all ACLs with: weir security acl list\n',
      exitCode: 3,
    });
  });

  it('exits with 4 without the right to do so', async () => {
    const { stdout, stderr, exitCode } = await run(`security acl delete --topic ${name}`, stranger);
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 4 });
    expect(stderr).toContain('CLUSTER_AUTHORIZATION_FAILED (31)');
    expect(await present()).toBe(`${read}\n${write}\n`);
  });

  it.each([
    ['', 'no flag selects any'],
    ['--resource-pattern-type match', 'no flag selects any'],
    ['--all --topic t', '--all cannot be combined'],
    ['--operation fly', 'invalid value "fly" of --operation'],
  ])('the flags "%s" are a usage error', async (flags, message) => {
    const outcome = await run(`security acl delete ${flags} --yes`, { env: { WEIR_BROKERS: '127.0.0.1:1' } });
    expect(outcome).toMatchObject({ stdout: '', exitCode: 2 });
    expect(outcome.stderr).toContain(message);
  });

  it('selects all ACLs with --all', async () => {
    const { stdout } = await run('security acl delete --all --dry-run --no-headers', admin());
    expect(squeezed(stdout)).toContain(`${read} OK (dry run: would be deleted)\n`);
    expect(squeezed(stdout)).toContain(`User:${refused} * CLUSTER kafka-cluster LITERAL ALL DENY OK (dry run`);
  });
});

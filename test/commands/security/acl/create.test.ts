import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { services } from '../../../services/services.ts';
import { run, type World } from '../../../world.ts';
import { admin, must, removeUser, withoutRights } from '../people.ts';

const name = `acl-create-${process.pid}`;
const refused = `${name}-refused`;
let stranger: World;

beforeAll(async () => {
  expect(services().directory).not.toBe('');
  stranger = await withoutRights(refused);
});

afterAll(async () => {
  await run(`security acl delete --allow-principal ${name} --deny-principal ${name} --yes`, admin());
  await removeUser(refused);
});

const squeezed = (text: string) => text.replace(/ +/g, ' ').replace(/ $/gm, '');

/** All ACLs of the user of this test, as rpk's columns without headers. */
async function present(): Promise<string> {
  const words = `security acl list --allow-principal ${name} --deny-principal ${name} --no-headers`;
  return squeezed(await must(words));
}

describe('security acl create', () => {
  it('creates every combination, which a listing shows at once', async () => {
    const line =
      `security acl create --allow-principal ${name} --allow-host 10.0.0.2,10.0.0.1 --operation Alter_Configs,read ` +
      `--group ${name}-g --topic ${name}`;
    const { stdout, stderr, exitCode } = await run(line, admin());
    const warning =
      `warning: no ACL applies to topic ${name}, group ${name}-g yet: ` +
      'if allow.everyone.if.no.acl.found is true, principals without an ACL lose access\n';
    expect({ stderr, exitCode }).toEqual({ stderr: warning, exitCode: 0 });
    const [head, ...rows] = squeezed(stdout).trimEnd().split('\n');
    expect(head).toBe('PRINCIPAL HOST RESOURCE-TYPE RESOURCE-NAME RESOURCE-PATTERN-TYPE OPERATION PERMISSION ERROR');
    expect(rows).toHaveLength(8);
    expect(rows).toContain(`User:${name} 10.0.0.2 GROUP ${name}-g LITERAL ALTER_CONFIGS ALLOW`);
    // By host, by the numbers of the types of resources and of the operations: like in rpk, whatever the order of flags.
    expect(rows.slice(0, 4)).toEqual(
      ['TOPIC %', 'GROUP %-g'].flatMap((resource) =>
        ['READ', 'ALTER_CONFIGS'].map(
          (operation) => `User:${name} 10.0.0.1 ${resource.replace('%', name)} LITERAL ${operation} ALLOW`,
        ),
      ),
    );
    expect((await present()).trimEnd().split('\n')).toEqual(rows);
    await must(`security acl delete --allow-principal ${name} --yes`);
  });

  it('takes a distinguished name as one principal, as list and delete do', async () => {
    const dn = `User:CN=${name},OU=IT,O=Org`;
    await must(`security acl create --allow-principal ${dn} --operation read --topic ${name}`);
    const listed = squeezed(await must(`security acl list --allow-principal ${dn} --no-headers`));
    expect(listed).toBe(`${dn} * TOPIC ${name} LITERAL READ ALLOW\n`);
    const mixed = await run(`security acl create --deny-principal ana,${dn} --operation read --topic ${name}`, admin());
    expect(mixed.exitCode).toBe(2);
    expect(mixed.stderr).toContain('it mixes a distinguished name with others: repeat the flag for each');
    expect(await must(`security acl delete --allow-principal ${dn} --yes --no-headers`)).toContain(dn);
  });

  it('creates an ACL on each type of resource, with its word in the protocol', async () => {
    const resources = [
      ...[`--topic ${name}-t`, `--group ${name}-g`, `--transactional-id ${name}-x`, '--cluster'],
      ...[`--delegation-token ${name}-d`, `--user-principal ${name}`],
    ];
    await must(
      `security acl create --deny-principal ${name} --deny-host 10.9.9.9 --operation all ${resources.join(' ')} ` +
        '--resource-pattern-type prefixed',
    );
    expect((await present()).replaceAll(`User:${name} 10.9.9.9 `, '').replaceAll(' ALL DENY', '')).toBe(
      [
        `TOPIC ${name}-t PREFIXED`,
        `GROUP ${name}-g PREFIXED`,
        'CLUSTER kafka-cluster LITERAL',
        `TRANSACTIONAL_ID ${name}-x PREFIXED`,
        `DELEGATION_TOKEN ${name}-d PREFIXED`,
        `USER User:${name} PREFIXED`,
        '',
      ].join('\n'),
    );
    await must(`security acl delete --deny-principal ${name} --yes`);
  });

  it('says with --dry-run which ACLs exist, and creates none', async () => {
    const line = `security acl create --allow-principal ${name} --operation read,write --topic ${name}`;
    await must(line.replace(',write', ''));
    const { stdout, stderr, exitCode } = await run(`${line} --dry-run --no-headers`, admin());
    expect({ stdout: squeezed(stdout), stderr, exitCode }).toEqual({
      stdout:
        `User:${name} * TOPIC ${name} LITERAL READ ALLOW OK (already exists)\n` +
        `User:${name} * TOPIC ${name} LITERAL WRITE ALLOW OK (dry run: would be created)\n`,
      stderr: 'dry run: nothing was changed\n',
      exitCode: 0,
    });
    expect(await present()).toBe(`User:${name} * TOPIC ${name} LITERAL READ ALLOW\n`);
    expect(JSON.parse((await run(`${line} --dry-run --format json`, admin())).stdout)[1]).toEqual({
      principal: `User:${name}`,
      host: '*',
      resource_type: 'TOPIC',
      resource_name: name,
      resource_pattern_type: 'LITERAL',
      operation: 'WRITE',
      permission: 'ALLOW',
      status: 'OK',
      dry_run: true,
      error: null,
    });
    await must(`security acl delete --allow-principal ${name} --yes`);
  });

  it('creates an ACL that exists again, which is no error', async () => {
    const line = `security acl create --allow-principal ${name} --operation read --topic ${name}`;
    await must(line);
    expect((await run(line, admin())).exitCode).toBe(0);
    await must(`security acl delete --allow-principal ${name} --yes`);
  });

  it('exits with 4 without the right to do so', async () => {
    const line = `security acl create --allow-principal ${name} --operation read --topic ${name}`;
    const { stdout, stderr, exitCode } = await run(`${line} --no-headers`, stranger);
    expect(squeezed(stdout)).toContain(' READ ALLOW CLUSTER_AUTHORIZATION_FAILED: ');
    expect(stderr).toContain(refused);
    expect(exitCode).toBe(4);
    expect(await present()).toBe('');
    expect((await run(`${line} --dry-run`, stranger)).exitCode).toBe(4);
  });

  it.each([
    [
      '',
      'missing flag --allow-principal (or --deny-principal), --operation, --topic (or another resource)\nhint: for ',
    ],
    ['--operation read --topic t', 'missing flag --allow-principal (or --deny-principal)\n'],
    ['--allow-principal a --topic t', 'missing flag --operation\n'],
    ['--allow-principal a --operation read', 'missing flag --topic (or another resource)\n'],
    ['--allow-principal a --operation any --topic t', 'invalid value "any" of --operation: not one of all, read,'],
    ['--allow-principal a --operation fly --topic t', 'invalid value "fly" of --operation'],
    ['--allow-principal a --operation read --topic t --resource-pattern-type match', 'not one of literal, prefixed'],
    ['--deny-host h --allow-principal a --operation read --topic t', '--deny-host needs --deny-principal'],
    ['--allow-host h --deny-principal a --operation read --topic t', '--allow-host needs --allow-principal'],
    ['--allow-principal User: --operation read --topic t', 'the name is empty'],
    ['--allow-principal a --operation read --resource topic', '--resource needs --resource-name'],
    ['--allow-principal a --operation read --resource any --resource-name x', 'one type of resource'],
    ['--allow-principal a --operation read --topic t --resource topic --resource-name x', 'cannot be combined'],
  ])('%s is a usage error', async (flags, message) => {
    const { stdout, stderr, exitCode } = await run(`security acl create ${flags}`, {
      env: { WEIR_BROKERS: '127.0.0.1:1' },
    });
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
    expect(stderr).toContain(message);
  });
});

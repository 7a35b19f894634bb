import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { services } from '../../../services/services.ts';
import { run, type World } from '../../../world.ts';
import { admin, must, removeUser, withoutRights } from '../people.ts';

const name = `acl-list-${process.pid}`;
const refused = `${name}-refused`;
let stranger: World;

beforeAll(async () => {
  expect(services().directory).not.toBe('');
  stranger = await withoutRights(refused);
  await must(`security acl create --allow-principal ${name} --operation write,read --topic ${name}-t`);
  await must(`security acl create --deny-principal ${name} --deny-host 10.1.1.1 --operation all --group ${name}-g`);
  await must(
    `security acl create --allow-principal ${name} --operation read --topic ${name} --resource-pattern-type prefixed`,
  );
});

afterAll(async () => {
  await run(`security acl delete --allow-principal ${name} --deny-principal ${name} --yes`, admin());
  await removeUser(refused);
});

const head = 'PRINCIPAL HOST RESOURCE-TYPE RESOURCE-NAME RESOURCE-PATTERN-TYPE OPERATION PERMISSION ERROR';
const rows = {
  deny: `User:${name} 10.1.1.1 GROUP ${name}-g LITERAL ALL DENY`,
  prefix: `User:${name} * TOPIC ${name} PREFIXED READ ALLOW`,
  read: `User:${name} * TOPIC ${name}-t LITERAL READ ALLOW`,
  write: `User:${name} * TOPIC ${name}-t LITERAL WRITE ALLOW`,
};
const squeezed = (text: string) => text.replace(/ +/g, ' ').replace(/ $/gm, '');

describe('security acl list', () => {
  it('lists the ACLs of a principal, sorted by all columns', async () => {
    const { stdout, stderr, exitCode } = await run(
      `security acl list --allow-principal ${name} --deny-principal ${name}`,
      admin(),
    );
    expect({ stdout: squeezed(stdout), stderr, exitCode }).toEqual({
      stdout: `${[head, rows.prefix, rows.read, rows.write, rows.deny].join('\n')}\n`,
      stderr: '',
      exitCode: 0,
    });
  });

  it.each<[string, (keyof typeof rows)[]]>([
    [`--topic ${name}-t`, ['read', 'write']],
    [`--topic ${name}-t --resource-pattern-type match`, ['prefix', 'read', 'write']],
    [`--topic ${name}-t --resource-pattern-type match --operation read`, ['prefix', 'read']],
    [`--topic ${name} --resource-pattern-type prefixed`, ['prefix']],
    [`--topic ${name} --name-pattern prefix`, ['prefix']],
    [`--topic ${name} --resource-pattern-type literal`, []],
    [`--topic ${name},${name}-t`, ['prefix', 'read', 'write']],
    [`--allow-principal ${name} --operation write`, ['write']],
    [`--deny-principal ${name}`, ['deny']],
    [`--deny-host 10.1.1.1 --group ${name}-g`, ['deny']],
    [`--principal ${name} --permission deny`, ['deny']],
    [`--resource group --resource-name ${name}-g`, ['deny']],
    [`--allow-principal ${name} --topic ${name}-t,${name}-t --operation any,read`, ['read', 'write']],
  ])('%s', async (flags, expected) => {
    const { stdout, stderr, exitCode } = await run(`security acl list ${flags} --no-headers`, admin());
    expect({ rows: squeezed(stdout).trimEnd().split('\n').filter(Boolean), stderr, exitCode }).toEqual({
      rows: expected.map((key) => rows[key]),
      stderr: '',
      exitCode: 0,
    });
  });

  it.each(['sec acl ls', 'security acl describe', 'acl list'])('%s is the same command', async (line) => {
    const { stdout } = await run(`${line} --deny-principal ${name} --no-headers`, admin());
    expect(squeezed(stdout)).toBe(`${rows.deny}\n`);
  });

  it('lists all ACLs without flags', async () => {
    const { stdout } = await run('security acl list', admin());
    expect(squeezed(stdout)).toContain(`\n${rows.deny}\n`);
  });

  it('prints the filters with -f, with empty cells for what matches everything', async () => {
    const { stdout } = await run(`security acl list --deny-principal ${name} -f`, admin());
    expect(stdout.replace(/ +/g, ' ')).toBe(
      [
        ...['FILTERS', '=======', head, `User:${name} ANY ANY ANY DENY`, ''],
        ...['MATCHES', '=======', head, rows.deny, ''],
      ].join('\n'),
    );
  });

  it('has the keys of rpk in json, and null in a filter for what matches everything', async () => {
    const { stdout } = await run(`security acl list --deny-principal ${name} -f --format json`, admin());
    expect(JSON.parse(stdout)).toEqual({
      filters: [
        {
          principal: `User:${name}`,
          host: null,
          resource_type: 'ANY',
          resource_name: null,
          resource_pattern_type: 'ANY',
          operation: 'ANY',
          permission: 'DENY',
          error: null,
        },
      ],
      matches: [
        {
          principal: `User:${name}`,
          host: '10.1.1.1',
          resource_type: 'GROUP',
          resource_name: `${name}-g`,
          resource_pattern_type: 'LITERAL',
          operation: 'ALL',
          permission: 'DENY',
        },
      ],
    });
    const none = await run(`security acl list --deny-principal ${name}-nobody --format json`, admin());
    expect(JSON.parse(none.stdout)).toEqual({ matches: [] });
  });

  it('exits with 4 without the right to do so', async () => {
    const { stdout, stderr, exitCode } = await run('security acl list', stranger);
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 4 });
    expect(stderr).toContain('unable to list ACLs: CLUSTER_AUTHORIZATION_FAILED (31): ');
    expect(stderr).toContain(refused);
  });

  it.each([
    ['--operation fly', 'invalid value "fly" of --operation'],
    ['--allow-principal a --deny-host h', '--allow-principal without --allow-host'],
    ['--permission maybe', 'not one of any, allow, deny'],
  ])('%s is a usage error', async (flags, message) => {
    const outcome = await run(`security acl list ${flags}`, { env: { WEIR_BROKERS: '127.0.0.1:1' } });
    expect(outcome).toMatchObject({ stdout: '', exitCode: 2 });
    expect(outcome.stderr).toContain(message);
  });
});

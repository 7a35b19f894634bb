import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { services } from '../../../services/services.ts';
import { run, type World } from '../../../world.ts';
import { admin, loggedIn, must, removeUser, withoutRights } from '../people.ts';

const name = `explain-${process.pid}`;
const refused = `${name}-refused`;
const [open, closed, prefixed, gone] = [`${name}-open`, `${name}-closed`, `${name}-p-1`, `${name}-gone`];
let stranger: World;

beforeAll(async () => {
  expect(services().directory).not.toBe('');
  stranger = await withoutRights(refused);
  await must(`security user create ${name} --password-stdin`, { stdin: 'pw' });
  await must(`topic create ${open} ${closed} ${prefixed} ${gone}`);
  // The broker checks a read only where there is something to read.
  for (const topic of [open, closed, prefixed]) await must(`topic produce ${topic}`, { stdin: 'x\n' });
  const create = 'security acl create --operation';
  await must(`${create} write --allow-principal ${name} --topic ${closed}`);
  await must(`${create} read --deny-principal * --deny-host 127.0.0.1 --topic ${closed}`);
  await must(`${create} all --allow-principal ${name} --topic ${name}-p- --resource-pattern-type prefixed`);
  await must(`${create} delete --deny-principal ${name} --topic ${prefixed},${gone}`);
});

afterAll(async () => {
  await must(`security acl delete --topic ${name}-p-,${prefixed},${closed},${gone} --yes`);
  await must(`topic delete ${open} ${closed} ${prefixed} --yes`);
  await removeUser(name);
  await removeUser(refused);
});

const everyone = '--allow-everyone-if-no-acl-found';
const squeezed = (text: string) => text.replace(/ +/g, ' ').replace(/ $/gm, '');

describe('security acl explain', () => {
  it('says that an ACL allows it', async () => {
    const { stdout, stderr, exitCode } = await run(`security acl explain ${name} write topic:${closed}`, admin());
    expect({ stdout: squeezed(stdout), exitCode }).toEqual({
      stdout: [
        ...['ANSWER', '======', 'ANSWER ALLOWED', `PRINCIPAL User:${name}`, 'HOST any that no ACL names'],
        ...['OPERATION WRITE', `RESOURCE TOPIC ${closed}`, 'REASON an ACL allows it, and none denies it', ''],
        ...['ACLS OF THE PRINCIPAL', '====================='],
        'PRINCIPAL HOST RESOURCE-TYPE RESOURCE-NAME RESOURCE-PATTERN-TYPE OPERATION PERMISSION EFFECT',
        `User:* 127.0.0.1 TOPIC ${closed} LITERAL READ DENY other host`,
        `User:${name} * TOPIC ${closed} LITERAL WRITE ALLOW decides`,
        '',
      ].join('\n'),
      exitCode: 0,
    });
    expect(stderr).toBe('ACLs for single hosts do not apply without --host: 127.0.0.1\n');
  });

  it('says that an ACL denies it, exit code 10 in every format', async () => {
    const line = `security acl explain ${name} read topic:${closed} --host 127.0.0.1`;
    const { stdout, stderr, exitCode } = await run(line, admin());
    expect(squeezed(stdout)).toContain('\nREASON an ACL denies it; a denial wins over every permission\n');
    expect(squeezed(stdout)).toContain(`User:* 127.0.0.1 TOPIC ${closed} LITERAL READ DENY decides\n`);
    expect(stderr).toContain('the brokers do not show super.users');
    expect(exitCode).toBe(10);
    const json = await run(`${line} --format json`, admin());
    expect(json.exitCode).toBe(10);
    expect(JSON.parse(json.stdout)).toMatchObject({
      ...{ principal: `User:${name}`, host: '127.0.0.1', operation: 'READ' },
      ...{ resource_type: 'TOPIC', resource_name: closed, allowed: false, reason: 'DENIED_BY_ACL' },
      rule: { principal: 'User:*', host: '127.0.0.1', operation: 'READ', permission: 'DENY' },
      acls: [{ miss: null }, { operation: 'WRITE', miss: 'OTHER_OPERATION' }],
      ...{ other_acls: 0, hidden_settings: ['super.users'] },
    });
  });

  it('says which settings the brokers hide, and takes them from flags', async () => {
    const line = `security acl explain ${name} read topic:${open}`;
    const { stdout, stderr, exitCode } = await run(line, admin());
    expect(squeezed(stdout)).toContain('ANSWER UNKNOWN\n');
    expect(squeezed(stdout)).toContain(
      'REASON no ACL applies to the resource: denied unless the brokers have allow.everyone.if.no.acl.found=true\n',
    );
    expect(stderr).toBe(
      `the brokers do not show super.users: if User:${name} is one of them, everything is allowed ` +
        '(say so with --super-user)\n' +
        'the brokers do not show allow.everyone.if.no.acl.found: pass its value with ' +
        '--allow-everyone-if-no-acl-found=true or =false\n',
    );
    expect(exitCode).toBe(1);
    const allowed = await run(`${line} ${everyone}`, admin());
    expect(allowed).toMatchObject({ exitCode: 0, stderr: '' });
    expect(squeezed(allowed.stdout)).toContain(
      'REASON no ACL applies to the resource, and allow.everyone.if.no.acl.found is true\n',
    );
    const denied = await run(`${line} ${everyone}=false --super-user root`, admin());
    expect(denied).toMatchObject({ exitCode: 10, stderr: '' });
    const root = await run(`${line} --super-user root,${name}`, admin());
    expect(squeezed(root.stdout)).toContain('REASON the principal is a super user\n');
  });

  /** What each command needs, with the real answer of the broker to this user, who connects from 127.0.0.1. */
  it.each([
    ['describe', open, `topic describe -s ${open}`],
    ['describe', closed, `topic describe -s ${closed}`],
    ['read', open, `topic consume ${open} -o :end`],
    ['read', closed, `topic consume ${closed} -o :end`],
    ['read', prefixed, `topic consume ${prefixed} -o :end`],
    ['write', open, `topic produce ${open}`],
    ['write', closed, `topic produce ${closed}`],
    ['write', prefixed, `topic produce ${prefixed}`],
  ])('agrees with the broker about %s on %s', async (operation, topic, line) => {
    const explained = await run(
      `security acl explain ${name} ${operation} topic:${topic} --host 127.0.0.1 ${everyone}`,
      admin(),
    );
    const real = await run(line, { ...loggedIn(name, 'pw'), stdin: 'x\n' });
    const isAllowed = !/_AUTHORIZATION_FAILED/.test(real.stdout + real.stderr);
    expect([explained.exitCode, real.stderr]).toEqual([isAllowed ? 0 : 10, real.stderr]);
  });

  it.each([
    ['cluster', 'CLUSTER', 'kafka-cluster'],
    ['Cluster:anything', 'CLUSTER', 'kafka-cluster'],
    ['GROUP:a:b', 'GROUP', 'a:b'],
    ['transactional-id:x', 'TRANSACTIONAL_ID', 'x'],
    ['DelegationToken:x', 'DELEGATION_TOKEN', 'x'],
    ['user:ana', 'USER', 'User:ana'],
  ])('reads the resource %s', async (resource, type, resourceName) => {
    const words = ['security', 'acl', 'explain', 'nobody', 'describe', resource, '--format', 'json'];
    expect(JSON.parse((await run(words, admin())).stdout)).toMatchObject({
      resource_type: type,
      resource_name: resourceName,
    });
  });

  it('agrees with the broker that the right to delete topics may come from the cluster', async () => {
    const explained = async (user: string, resource: string) =>
      (await run(`security acl explain ${user} delete ${resource}`, admin())).exitCode;
    expect([await explained(refused, `topic:${gone}`), await explained(refused, 'cluster')]).toEqual([10, 10]);
    expect((await run(`topic delete ${gone}`, stranger)).exitCode).toBe(4);
    expect([await explained(name, `topic:${gone}`), await explained(name, 'cluster')]).toEqual([10, 0]);
    expect((await run(`topic delete ${gone}`, loggedIn(name, 'pw'))).exitCode).toBe(0);
  });

  it('says that the right to create topics may come from the cluster', async () => {
    const { stderr } = await run(`security acl explain ${name} create topic:${closed}`, admin());
    expect(stderr).toContain('CREATE on the cluster allows it, too: weir security acl explain ');
    const allowed = await run(`security acl explain ${name} create topic:${open} ${everyone}`, admin());
    expect(allowed.stderr).toBe('');
  });

  it('warns about an operation that brokers never check', async () => {
    const { stderr } = await run('security acl explain ana write group:g', admin());
    expect(stderr).toContain('warning: brokers never check WRITE on a GROUP resource\n');
  });

  it('exits with 4 without the right to do so', async () => {
    const { stdout, stderr, exitCode } = await run(`security acl explain ${name} read topic:${open}`, stranger);
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 4 });
    expect(stderr).toContain('unable to list ACLs: CLUSTER_AUTHORIZATION_FAILED (31)');
  });

  it.each([
    ['ana read', 'RESOURCE'],
    ['ana all topic:t', 'invalid OPERATION "all"'],
    ['ana read t', 'use topic:NAME'],
    ['ana read topic:', 'use topic:NAME'],
    ['ana read any:x', 'use topic:NAME'],
    ['ana read topic:*', 'name one resource, not "*"'],
    ['User: read topic:t', 'the name is empty'],
  ])('%s is a usage error', async (words, message) => {
    const outcome = await run(`security acl explain ${words}`, { env: { WEIR_BROKERS: '127.0.0.1:1' } });
    expect(outcome).toMatchObject({ stdout: '', exitCode: 2 });
    expect(outcome.stderr).toContain(message);
  });
});

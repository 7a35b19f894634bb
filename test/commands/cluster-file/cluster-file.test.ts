import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { readClusterFile } from '../../../src/cluster-file/file/document.ts';
import type { PlanRow } from '../../../src/cluster-file/plan/plan-rows.ts';
import { splitDocument } from '../../../src/cluster-file/plan/split.ts';
import { markdownOf } from '../../../src/commands/cluster-file/markdown.ts';
import { planText } from '../../../src/commands/cluster-file/plan-text.ts';
import { plainView } from '../../../src/format/view.ts';
import { kafkaAcls, kafkaConfigs } from '../../kafka/interop/console-tools.ts';
import { cluster3, services } from '../../services/services.ts';
import { openStage } from '../../transcripts/stage.ts';
import { type Outcome, run, temporaryDirectory } from '../../world.ts';

const prefix = `files-${process.pid}`;
const home = temporaryDirectory();

/** Runs a line with a text as standard input. */
async function weir(line: string, stdin = '', env: Readonly<Record<string, string>> = {}): Promise<Outcome> {
  return await run(line, { home, cwd: home, stdin, env: { WEIR_BROKERS: services().plaintext, ...env } });
}

/** The rows that diff prints for a file. */
async function rowsOf(file: string, flags = ''): Promise<readonly Record<string, unknown>[]> {
  return JSON.parse((await weir(`diff - --format json ${flags}`, file)).stdout);
}

const orders = `${prefix}-orders`;
const small = `${prefix}-small`;
const file = (topic: string) => `weir: 1\ntopics:\n  ${topic}\n`;

const wanted = `weir: 1
defaults: {topic: {partitions: 2, replicas: 1, configs: {min.insync.replicas: 1}}}
topics:
  ${orders}: {partitions: 3, configs: {retention.ms: 7d, cleanup.policy: [compact, delete], segment.ms: null}}
  ${small}:
groups: {${prefix}-queue: {configs: {share.auto.offset.reset: earliest}}}
users: {${prefix}-app: {mechanisms: [SCRAM-SHA-512], password: {env: APP_PASSWORD}}}
grants:
  - {principal: ${prefix}-app, produce: '${prefix}-*', transactional_id: '${prefix}-*'}
acls:
  - {principal: 'User:${prefix}-x', deny: delete, topic: {prefixed: ${prefix}}}
`;

let created: Outcome;
beforeAll(async () => {
  expect((await weir('diff -', wanted)).exitCode).toBe(10);
  const dry = await weir('apply - --dry-run', wanted);
  expect(dry).toMatchObject({
    exitCode: 0,
    stderr: '7 changes: 7 create; risk: 3 access\ndry run: nothing was changed\n',
  });
  created = await weir('apply - --yes --format json', wanted, { APP_PASSWORD: 'secret' });
});

describe('weir diff and weir apply', () => {
  it('create what is missing, and then find no difference', async () => {
    expect(created.exitCode).toBe(0);
    expect(created.stdout + created.stderr).not.toContain('secret');
    expect(await weir('diff -', wanted)).toEqual({
      stdout: '',
      stderr: 'the cluster is as in the files\n',
      exitCode: 0,
    });
    // Kafka's own scripts read it back.
    expect(await kafkaConfigs('--describe', '--topic', orders)).toMatch(/retention\.ms=604800000/);
    const acls = await kafkaAcls('--list', '--topic', prefix, '--resource-pattern-type', 'prefixed');
    expect(acls).toContain(`principal=User:${prefix}-x, host=*, operation=DELETE, permissionType=DENY`);
  });

  it('report values of Kafka that are written otherwise as no difference', async () => {
    expect(await rowsOf('weir: 1\ntopics:\nacls:\n')).toEqual([]);
    const same = `{partitions: 3, configs: {retention.ms: 604800000, cleanup.policy: 'delete,compact', min.insync.replicas: '1'}}`;
    expect(await rowsOf(file(`${orders}: ${same}`))).toEqual([]);
  });

  it('take an ACL whose literal name ends with a star as an export writes it', async () => {
    const name = `${prefix}star*`;
    await kafkaAcls('--add', '--allow-principal', `User:${prefix}-x`, '--operation', 'Read', '--group', name);
    const { stdout } = await weir(`export --owns ${name}`);
    expect(stdout).toContain(`literal: ${name}\n`);
    expect(await weir('diff -', stdout)).toMatchObject({ stdout: '', exitCode: 0 });
    expect(await weir('diff -', stdout.replace('literal', 'prefixed'))).toMatchObject({ exitCode: 10 });
    expect(await weir('diff -', stdout.replace('literal', 'prefix'))).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('.group: expected text or {prefixed: …} or {literal: …}\n'),
    });
  });

  it('unset a config with null, and others only with --strict', async () => {
    expect(await rowsOf(file(`${orders}: {configs: {retention.ms: null}}`))).toMatchObject([
      { action: 'update', changes: [{ path: 'configs.retention.ms', from: '604800000', to: null }] },
    ]);
    const [row] = await rowsOf(file(`${orders}: {configs: {retention.ms: 7d}}`), '--strict');
    expect(row).toMatchObject({
      changes: [
        { path: 'configs.cleanup.policy', to: null },
        { path: 'configs.min.insync.replicas', to: null },
      ],
    });
  });

  it('never shrink a topic or move its replicas', async () => {
    const smaller = file(`${orders}: {partitions: 1, replicas: 3}`);
    const refused = await weir('apply - --yes', smaller);
    expect(refused.exitCode).toBe(6);
    expect(refused.stdout).toContain('partitions cannot be removed');
    expect(refused.stdout).toContain('weir topic reassign plan TOPIC --replicas 3');
  });

  it('say what more partitions and more replicas in sync do', async () => {
    const grown = file(`${orders}: {partitions: 4, configs: {min.insync.replicas: 2}}`);
    expect(await rowsOf(grown)).toMatchObject([
      {
        risk: 'records',
        why: 'new records of a key may go to another partition; producers with acks=all fail: min.insync.replicas is above replicas',
      },
    ]);
  });

  it('show what the cluster would refuse before anything is changed', async () => {
    const shown = await weir('diff - --format json', file(`${orders}: {configs: {cleanup.policy: many}}`));
    expect(shown.exitCode).toBe(6);
    expect(JSON.parse(shown.stdout)).toMatchObject([
      { action: 'blocked', error: null, why: expect.stringContaining('cleanup.policy') },
    ]);
  });

  it('delete only what is named as absent, or owned with --prune, and at most --max-deletes', async () => {
    for (const topic of ['own-a', 'own-b', 'own-c']) await weir(`topic create ${prefix}-${topic}`);
    const owned = `weir: 1\nowns: {topics: ['${prefix}-own-*']}\ntopics: {${prefix}-own-a: {}}\n`;
    const kept = await weir('apply - --yes', owned);
    expect(kept).toMatchObject({ exitCode: 0 });
    expect(kept.stderr).toBe('kept what the files own and do not name (2); --prune deletes it\n');
    const unnamed = await weir('diff - --report kept.md --out kept.json', owned);
    expect(unnamed).toMatchObject({ exitCode: 10, stderr: '2 kept\n', stdout: expect.stringMatching(/own-c +keep/) });
    expect(readFileSync(join(home, 'kept.md'), 'utf8')).toMatch(
      /^### standard input.*\n\n\*\*2 kept\*\*\n.*`: `1` \|/s,
    );
    const shown = await weir('diff - --prune --max-deletes 1 --out many.json --report many.md', owned);
    expect(shown).toMatchObject({ exitCode: 6, stdout: expect.stringContaining('own-c') });
    expect(shown.stderr).toContain(
      'weir apply would refuse this, and many.json was not written: the plan would delete 2',
    );
    expect(existsSync(join(home, 'many.json'))).toBe(false);
    expect(readFileSync(join(home, 'many.md'), 'utf8')).toMatch(
      /\n\n\*\*weir apply would refuse this:\*\*\n\n- the plan would delete 2 .* allowed; if that is meant, add --max-deletes 2\n/,
    );
    expect((await weir('diff - --prune', owned.replace(/^owns.*\n/m, ''))).stderr).toContain(
      '--prune deletes nothing: the files own nothing',
    );
    expect(await weir('apply - --yes --prune --max-deletes 1', owned)).toMatchObject({
      exitCode: 6,
      stderr: expect.stringContaining('at most 1 are allowed'),
    });
    // The ACLs of a group belong to who owns groups.
    await weir(`security acl create --allow-principal ana --operation read --group ${prefix}-own-g`);
    expect((await rowsOf(owned, '--prune')).map(({ kind }) => kind)).toEqual(['topic', 'topic']);
    expect((await weir('apply - --yes --prune', owned)).exitCode).toBe(0);
    expect((await weir(`topic list -r ${prefix}-own-.* --no-headers`)).stdout).toMatch(/^\S*own-a .*\n$/);
    const named = file(`${prefix}-own-a: {absent: true, because: 'OPS-77'}`);
    const [row] = await rowsOf(named);
    expect(row).toMatchObject({ action: 'delete', risk: 'records', why: 'OPS-77; 0 records, 0B' });
    expect((await weir('apply - --yes', named)).exitCode).toBe(0);
    expect(await rowsOf(named)).toEqual([]);
    const grant = `weir: 1\ngrants: [{principal: ana, group: ${prefix}-own-g}]\n`;
    expect((await weir('apply - --yes', grant)).exitCode).toBe(0);
    const revoked = grant.replace('}', ', absent: true, because: left}');
    expect(await rowsOf(revoked)).toMatchObject([{ name: `group ${prefix}-own-g`, action: 'delete', why: /left/ }]);
    expect((await weir('apply - --yes', revoked)).exitCode).toBe(0);
    expect(await rowsOf(`${revoked}groups: {${prefix}-own-g: {absent: true, because: left}}\n`)).toEqual([]);
    const metrics = (text: string) => `weir: 1\nclient_metrics: {${prefix}-metrics: {${text}}}\n`;
    expect((await weir('apply - --yes', metrics('configs: {interval.ms: 30s}'))).exitCode).toBe(0);
    const over = metrics('absent: true, because: over');
    expect(await rowsOf(over)).toMatchObject([
      { action: 'delete', changes: [{ path: 'configs.interval.ms', from: '30000', to: null }] },
    ]);
    expect((await weir('apply - --yes', over)).exitCode).toBe(0);
  });

  it('count each ACL and mechanism that is deleted, those of a row "update" as well', async () => {
    const topic = `${prefix}-counted`;
    const acl = (...names: readonly string[]) =>
      `acls: [${names.map((name) => `{principal: ${name}, allow: read, topic: ${topic}}`).join(', ')}]`;
    const user = (names: string) => `users: {${topic}: {mechanisms: [${names}], password: {env: COUNTED}}}`;
    const head = `weir: 1\nowns: {topics: [${topic}], users: [${topic}]}\n`;
    const before = `${head}${acl('a', 'b')}\n${user('SCRAM-SHA-256, SCRAM-SHA-512')}\n`;
    expect((await weir('apply - --yes', before, { COUNTED: 'secret' })).exitCode).toBe(0);
    const after = `${head}${acl('c')}\n${user('SCRAM-SHA-256')}\n`;
    expect(await weir('apply - --yes --prune --max-deletes 2', after)).toMatchObject({
      exitCode: 6,
      stderr: expect.stringContaining(`would delete 3 (user ${topic}, acl topic ${topic}), and at most 2 are allowed`),
    });
    expect((await weir('apply - --yes --prune --max-deletes 3', after)).exitCode).toBe(0);
    expect((await weir('apply - --yes --prune', head)).exitCode).toBe(0);
  });

  it('go on after a failure, and finish the rest when they are repeated', async () => {
    const user = `${prefix}-late`;
    const wanted = `weir: 1
users: {${user}: {password: {env: LATE}}}
grants: [{principal: ${user}, consume: ${user}-a}, {principal: ${user}-other, consume: ${user}-b}]
`;
    // Without a password that it needs, it changes nothing.
    expect(await weir('apply - --yes', wanted)).toMatchObject({ exitCode: 2, stdout: '' });
    expect(await rowsOf(wanted)).toHaveLength(3);
    const refused = await weir('apply - --yes --format json', wanted.replace('password: {env: LATE}', ''));
    expect(JSON.parse(refused.stdout)).toMatchObject([
      { name: user, status: 'ERROR', error: { code: 'BLOCKED' } },
      { name: `topic ${user}-a`, status: 'ERROR', error: { code: 'NOT_CHANGED' } },
      { name: `topic ${user}-b`, status: 'OK' },
    ]);
    expect((await weir('apply - --yes', wanted, { LATE: 'secret' })).exitCode).toBe(0);
    expect(await rowsOf(wanted)).toEqual([]);
    await weir(`diff - --rotate ${user} --out rotation.json`, wanted);
    for (const _ of ['first', 'second'])
      expect(await weir('apply rotation.json --yes', '', { LATE: 'other' })).toMatchObject({
        exitCode: 0,
        stderr: `each time the plan is applied, it sets the password of ${user}\n`,
      });
    expect((await weir('apply - --yes --prune', `weir: 1\nowns: {users: ['${user}*']}\n`)).exitCode).toBe(0);
  });

  it('warn about who loses access, and who gets it', async () => {
    const topic = `${prefix}-access`;
    const shop = (permission: string) => `{principal: ${prefix}-shop, ${permission}: write, topic: ${topic}`;
    const allowed = `weir: 1\nacls: [{principal: billing, allow: read, topic: ${topic}}, ${shop('allow')}}, ${shop('deny')}}]\n`;
    expect((await weir('apply - --yes', allowed)).exitCode).toBe(0);
    const [row] = await rowsOf(`weir: 1\nacls: [{principal: billing, deny: read, topic: ${topic}}]\n`);
    expect(row).toMatchObject({ risk: 'access', why: 'User:billing loses READ' });
    const gone = `weir: 1\nacls: [{principal: billing, allow: read, topic: ${topic}, absent: true, because: 'it left'}]\n`;
    expect(await rowsOf(gone)).toMatchObject([{ action: 'delete', why: 'it left; User:billing loses READ' }]);
    expect((await weir('apply - --yes', gone)).exitCode).toBe(0);
    const given = `weir: 1\nacls: [${shop('deny')}, absent: true, because: paid}, {principal: '*', allow: [read, describe], topic: ${topic}},
      {principal: ${prefix}-shop, allow: [alter, cluster_action], cluster: true}]\n`;
    expect(await rowsOf(given)).toMatchObject([
      { risk: 'access', why: `paid; everybody may READ and DESCRIBE; User:${prefix}-shop may WRITE again` },
      { risk: 'access', why: expect.stringMatching(/User:\S+-shop may change ACLs and act as a broker$/) },
    ]);
  });

  it('keep a topic that is read without --force', async () => {
    const topic = `${prefix}-read`;
    await weir(`topic create ${topic}`);
    await weir(`topic produce ${topic}`, 'x\n');
    // The member below may leave before it has read a record, and then commits nothing.
    expect(await weir(`topic consume ${topic} -g ${topic} -n 1`)).toMatchObject({ exitCode: 0 });
    let stop = () => {};
    const reader = run(`topic consume ${topic} -g ${topic}`, {
      env: { WEIR_BROKERS: services().plaintext },
      onStart: (kill) => {
        stop = () => kill('SIGINT');
      },
    });
    const members = async () => (await weir(`group describe ${topic} --format json`)).stdout;
    await vi.waitFor(async () => expect(await members()).toMatch(/"member_id":"/), { timeout: 20_000, interval: 200 });
    const gone = file(`${topic}: {absent: true, because: it left}`);
    const [row] = await rowsOf(gone);
    stop();
    await reader;
    expect(row).toMatchObject({
      action: 'blocked',
      why: expect.stringMatching(
        `^it left; 1 record, \\d+B, last write \\d{4}-\\S{5}T\\S{8}Z; read by ${topic}; --force deletes it$`,
      ),
    });
    // Its offsets remain, and a record that is written after the plan is not deleted by it.
    const [idle] = await rowsOf(gone, '--out gone.json');
    expect(idle).toMatchObject({ action: 'delete', why: expect.stringContaining(`with offsets: ${topic}`) });
    await weir(`topic produce ${topic}`, 'x\n');
    const refused = { exitCode: 6, stdout: expect.stringContaining('records were written to it after the plan') };
    expect(await weir('apply gone.json --yes')).toMatchObject(refused);
    await weir('diff - --out gone.json', gone);
    expect(await weir('apply gone.json --yes')).toMatchObject({ exitCode: 0 });
  });

  it('end no credential of a user whose new one could not be set', async () => {
    const other = `weir: 1\nusers: {${prefix}-app: {mechanisms: [SCRAM-SHA-256], password: {env: NOPE}}}\n`;
    expect((await weir('apply - --yes', other)).exitCode).not.toBe(0);
    expect(await rowsOf(`weir: 1\nusers: {${prefix}-app: {mechanisms: [SCRAM-SHA-512]}}\n`)).toEqual([]);
  });

  it('set, change and remove quotas', async () => {
    // Other tests replace all quotas of the other Kafka.
    const env = { WEIR_BROKERS: (await cluster3()).brokers };
    const quotas = (rate: string) =>
      `weir: 1\nquotas:\n  - {user: ${prefix}, client_id: '*', producer_byte_rate: ${rate}}\n  - {client_id: ${prefix}, request_percentage: 50}\n`;
    expect((await weir('apply - --yes', quotas('10MB'), env)).exitCode).toBe(0);
    expect(JSON.parse((await weir('diff - --format json', quotas('20MB'), env)).stdout)).toMatchObject([
      { action: 'update', changes: [{ path: 'producer_byte_rate', from: '10000000', to: '20000000' }] },
    ]);
    const exported = (await weir(`export --owns ${prefix}`, '', env)).stdout;
    expect(exported).toContain(`  - client_id: "*"\n    user: ${prefix}\n    producer_byte_rate: 10000000\n`);
    expect(exported).not.toContain('request_percentage');
    expect(await weir('diff -', exported, env)).toMatchObject({ stdout: '', exitCode: 0 });
    // A quota belongs to the owner of its user.
    const owner = `weir: 1\nowns: {users: [${prefix}]}\n`;
    const rows = async (command: string) => JSON.parse((await weir(`${command} - --format json`, owner, env)).stdout);
    expect(await rows('diff')).toMatchObject([{ kind: 'quota', action: 'keep' }]);
    expect(await rows('apply --yes --prune')).toMatchObject([{ kind: 'quota', action: 'delete', status: 'OK' }]);
    expect((await weir('apply - --yes', quotas('10MB'), env)).exitCode).toBe(0);
    const without = quotas('null').replace('request_percentage: 50', 'absent: true, because: gone');
    expect(JSON.parse((await weir('apply - --yes --format json', without, env)).stdout)).toMatchObject([
      { action: 'delete', why: null },
      { action: 'delete', why: 'gone', changes: [{ path: 'request_percentage', from: '50', to: null }] },
    ]);
    expect(
      (await weir('diff -', 'weir: 1\nquotas: [{user: a, ip: b, absent: true, producer_byte_rate: 1}]\n')).stderr,
    ).toContain('quotas[0]: a removal needs a reason');
    expect((await weir(`export --owns ${prefix}`, '', env)).stdout).not.toContain('quotas');
  });

  it('change configs of the cluster only with --allow cluster, and never secrets', async () => {
    const key = 'background.threads';
    const set = `weir: 1\ncluster_configs: {${key}: 11}\n`;
    expect(await rowsOf(set)).toMatchObject([
      { name: key, action: 'blocked', why: expect.stringContaining('--allow') },
    ]);
    expect(await weir('apply - --yes', set)).toMatchObject({ exitCode: 6 });
    expect((await weir('apply - --yes --allow cluster', set)).exitCode).toBe(0);
    // A broker follows the controller with a delay.
    await expect.poll(() => rowsOf(set)).toEqual([]);
    expect(await kafkaConfigs('--describe', '--entity-type', 'brokers', '--entity-default')).toContain(`${key}=11`);
    expect((await weir('apply - --yes --allow cluster', set.replace('11', 'null'))).exitCode).toBe(0);
    const wrong = set.replace('11', 'many, node.id: 3, nope: 1');
    expect((await rowsOf(wrong, '--allow cluster')).map(({ why }) => why)).toMatchObject([
      expect.stringContaining('Not a number'),
      expect.stringContaining('read-only'),
      'no broker lists it',
    ]);
    const secret = await weir('diff -', 'weir: 1\ncluster_configs: {ssl.keystore.password: hunter2}\n');
    expect(secret).toMatchObject({ exitCode: 2, stderr: expect.not.stringContaining('hunter2') });
    expect(await rowsOf('weir: 1\ncluster_configs: {ssl.keystore.password: null}\n')).toEqual([]);
  });

  it('make roles as they are named, over the Admin API', async () => {
    const stage = await openStage(['brokers', 'admin']);
    try {
      const roles = (text: string) => `weir: 1\nowns: {roles: ['team-*']}\nroles: ${text}\n`;
      const both = roles('{team-a: {members: [ana, Group:dev]}, team-b: }');
      expect((await weir('apply - --yes', both.replace('Group:dev', 'ben'), stage.env)).exitCode).toBe(0);
      const one = roles('{team-a: {members: [ana]}}');
      expect(JSON.parse((await weir('diff - --prune --format json', one, stage.env)).stdout)).toMatchObject([
        { name: 'team-a', action: 'update', changes: [{ path: 'User:ben', from: 'member', to: null }], risk: 'access' },
        { name: 'team-b', action: 'delete' },
      ]);
      expect((await weir('apply - --yes --prune', one, stage.env)).exitCode).toBe(0);
      const exported = (await weir('export', '', stage.env)).stdout;
      expect(exported).toContain('roles:\n  team-a:\n    members:\n      - User:ana\n');
      expect(await weir('diff -', exported, stage.env)).toMatchObject({ stdout: '', exitCode: 0 });
    } finally {
      await stage.close();
    }
  });

  it('do not end the user that weir is', async () => {
    const { otherUser, sasl } = services();
    const env = { WEIR_BROKERS: sasl, WEIR_USER: otherUser.user, WEIR_PASS: otherUser.pass };
    const gone = `weir: 1\nusers: {${otherUser.user}: {absent: true, because: 'it left'}}\n`;
    const outcome = await weir('diff - --format json', gone, { ...env, WEIR_SASL_MECHANISM: 'SCRAM-SHA-256' });
    const other = outcome.exitCode === 6 ? JSON.parse(outcome.stdout) : outcome;
    expect(other).toMatchObject([{ action: 'blocked', why: 'it ends your own sign-in; --force does it' }]);
  });

  it('sign in with the passwords of the files, and set one that is another', async () => {
    const { user: me, sasl } = services();
    const passwords = { FIRST: 'first-secret', SECOND: 'second-secret' };
    const own = { WEIR_BROKERS: sasl, WEIR_USER: me.user, WEIR_PASS: me.pass, WEIR_SASL_MECHANISM: 'SCRAM-SHA-256' };
    const env = { ...own, ...passwords };
    const both = 'mechanisms: [SCRAM-SHA-256, SCRAM-SHA-512], password: {env: ';
    const users = (variable: string) =>
      `weir: 1\nusers:\n  ${prefix}-pa: {password: {env: FIRST}}\n  ${prefix}-pb: {${both}${variable}}}\n`;
    expect((await weir('apply - --yes', users('FIRST'), env)).exitCode).toBe(0);
    const sockets = () => process.getActiveResourcesInfo().filter((one) => one === 'TCPSocketWrap').length;
    const before = sockets();
    const spawn = async () => ({ exitCode: 0, stdout: me.pass, stderr: '' });
    const verified = 'diff - --verify-passwords -X pass.command=secret';
    expect(await run(verified, { home, stdin: users('FIRST'), env, spawn })).toMatchObject({ stdout: '', exitCode: 0 });
    // The three connections that only tried a password are closed.
    expect(sockets()).toBeLessThan(before + 3);
    const all = `diff - --verify-passwords --rotate ${prefix}-pa --format json -vv --out verified.json`;
    const changed = await weir(all, users('SECOND'), env);
    expect(changed.exitCode).toBe(10);
    expect(JSON.parse(changed.stdout)).toMatchObject([
      { name: `${prefix}-pa`, why: 'password from the variable FIRST' },
      {
        ...{ name: `${prefix}-pb`, action: 'update', risk: 'access' },
        why: 'it has another password; password from the variable SECOND',
        changes: [{ path: 'SCRAM-SHA-256', to: 'password set again' }, { path: 'SCRAM-SHA-512' }],
      },
    ]);
    expect(changed.stdout + changed.stderr + readFileSync(join(home, 'verified.json'), 'utf8')).not.toContain(
      '-secret',
    );
    const unread = await weir('diff - --verify-passwords --format json', users('NOPE'), env);
    expect(unread.exitCode).toBe(2);
    expect(JSON.parse(unread.stdout)).toMatchObject([{ name: `${prefix}-pb`, error: { code: 'SECRET_UNAVAILABLE' } }]);
    expect((await weir('apply - --verify-passwords --yes', users('SECOND'), env)).exitCode).toBe(0);
    expect((await weir('diff - --verify-passwords', users('SECOND'), env)).exitCode).toBe(0);
    expect(await weir('diff - --verify-passwords', users('SECOND'), passwords)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('--verify-passwords needs a listener with SASL'),
    });
    await weir('apply - --yes --prune', `weir: 1\nowns: {users: [${prefix}-pa, ${prefix}-pb]}\n`);
  });

  it('refuse another cluster', async () => {
    const other = 'weir: 1\ncluster: {id: nope}\ntopics: {a: {}}\n';
    expect(await weir('diff -', other)).toMatchObject({ exitCode: 6, stdout: '' });
  });

  it('say that something could not be read, and not that it is equal', async () => {
    const { otherUser, sasl } = services();
    const env = {
      WEIR_BROKERS: sasl,
      WEIR_USER: otherUser.user,
      WEIR_PASS: otherUser.pass,
      WEIR_SASL_MECHANISM: 'SCRAM-SHA-256',
    };
    const hidden = `${prefix}-hidden`;
    await weir(`topic create ${hidden}`);
    await weir(`security acl create --allow-principal ana --operation all --topic ${hidden}`);
    const unread = await weir('diff - --format json', file(`${hidden}: {}`), env);
    expect(unread.exitCode).toBe(4);
    expect(JSON.parse(unread.stdout)).toMatchObject([{ name: hidden, error: { code: 'TOPIC_AUTHORIZATION_FAILED' } }]);
  });
});

it('a saved plan is what is applied, and is refused if the cluster has changed or is another one', async () => {
  const topic = `${prefix}-planned`;
  const plan = join(home, 'plan.json');
  await weir('diff - --out plan.json', `${file(`${topic}:`)}defaults: {topic: {partitions: 1, replicas: 1}}\n`);
  await weir(`topic create ${topic} -p 2`);
  expect(await weir('apply plan.json --yes')).toMatchObject({
    exitCode: 6,
    stderr: expect.stringContaining(
      `the cluster or the plan has changed since the plan was made: topic ${topic}: partitions: planned - → 1, now 2 → 1\n`,
    ),
  });
  await weir(`topic delete ${topic}`);
  for (const flag of [
    '--prune',
    '--max-deletes 5',
    '--strict',
    '--force',
    '--rotate x',
    '--allow cluster',
    '--verify-passwords',
  ])
    expect(await weir(`apply plan.json --yes ${flag}`)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining(`${flag.split(' ')[0]} belongs to the weir diff that makes a plan`),
    });
  expect((await weir('apply plan.json --yes')).exitCode).toBe(0);
  expect((await weir(`topic list ${topic} --no-headers`)).stdout).toMatch(/ 1 +1\n/);
  const owned = `weir: 1\nowns: {topics: ['${topic}']}\n`;
  await weir('diff - --prune --out prune.json', owned);
  expect((await weir('apply prune.json --yes')).exitCode).toBe(0);
  expect((await weir(`topic list -r ${topic} --no-headers`)).stdout).toBe('');
  const { weir_plan: version, ...others } = JSON.parse(readFileSync(plan, 'utf8'));
  writeFileSync(plan, JSON.stringify({ ...others, cluster_id: 'nope', weir_plan: version }));
  expect(await weir('apply plan.json --yes')).toMatchObject({ exitCode: 6 });
});

it('a saved plan can be continued, and what the cluster refuses in it stays blocked', async () => {
  const [good, bad] = [`${prefix}-good`, `${prefix}-bad`];
  const rows = `${good}: {partitions: 1, replicas: 1}\n  ${bad}: {configs: {cleanup.policy: hello}}`;
  await weir('diff - --out continued.json', file(rows));
  for (const status of ['OK', 'NOT_NEEDED']) {
    const applied = await weir('apply continued.json --yes --format json');
    expect(applied.exitCode).toBe(1);
    const outcomes = JSON.parse(applied.stdout).map((row: { name: string; status: string }) => [row.name, row.status]);
    expect(Object.fromEntries(outcomes)).toEqual({ [good]: status, [bad]: 'ERROR' });
  }
  // Who makes the plan may be a user who may not make its changes.
  const { otherUser, sasl } = services();
  const other = { WEIR_BROKERS: sasl, WEIR_USER: otherUser.user, WEIR_PASS: otherUser.pass };
  await weir(`topic create ${bad}`);
  await weir(
    `security acl create --allow-principal ${otherUser.user} --operation describe,describe_configs --topic ${bad}`,
  );
  const late = `late-${process.pid}`;
  const hello = file(`${late}:\n  ${bad}: {configs: {retention.ms: -7}}`);
  const planned = await weir('diff - --out unchecked.json --report unchecked.md --format json', hello, {
    ...other,
    WEIR_SASL_MECHANISM: 'SCRAM-SHA-256',
  });
  expect(planned.exitCode).toBe(10);
  expect(planned.stderr).toContain('carry it out with: weir apply unchecked.json\n');
  const unchecked = `not checked: ${otherUser.user} may not make it`;
  expect(JSON.parse(planned.stdout)).toMatchObject([{ name: late }, { name: bad, action: 'update', why: unchecked }]);
  expect(readFileSync(join(home, 'unchecked.md'), 'utf8')).toContain(
    `\n**Warnings:**\n\n- the cluster did not check 1 change that ${otherUser.user} may not make: only apply finds `,
  );
  // What holds for all rows is said once.
  const alone = await weir('diff - --format json', file(`${bad}: {configs: {retention.ms: -7}}`), {
    ...other,
    WEIR_SASL_MECHANISM: 'SCRAM-SHA-256',
  });
  expect(JSON.parse(alone.stdout)).toMatchObject([{ name: bad, action: 'update', why: null }]);
  expect(alone.stderr).toMatch(/^warning: the cluster did not check 1 change /);
  const doubted = file(`${late}: {replicas: 99}\n  ${bad}: {configs: {retention.msx: 1}}`);
  const wrong = await weir('diff - --format json', doubted, { ...other, WEIR_SASL_MECHANISM: 'SCRAM-SHA-256' });
  expect(wrong).toMatchObject({ exitCode: 6, stderr: '2 blocked\n' });
  expect(JSON.parse(wrong.stdout).at(-1)).toMatchObject({
    action: 'blocked',
    why: 'no topic has a config retention.msx; did you mean retention.ms?',
  });
  const values = {
    'cleanup.policy': ['compakt', 'expected delete or compact or compact,delete'],
    preallocate: ['yes', 'expected true or false'],
    'min.insync.replicas': ['two', 'expected a number'],
  };
  for (const [key, [value, why]] of Object.entries(values)) {
    const update = file(`${bad}: {configs: {${key}: '${value}'}}`);
    const { stdout } = await weir('diff - --format json', update, { ...other, WEIR_SASL_MECHANISM: 'SCRAM-SHA-256' });
    expect(JSON.parse(stdout)).toMatchObject([{ action: 'blocked', why: `${key}: ${why}` }]);
  }
  const mixed = await weir('apply unchecked.json --yes --format json');
  expect(JSON.parse(mixed.stdout)).toMatchObject([
    { name: late, status: 'OK' },
    {
      name: bad,
      error: { message: expect.stringMatching(/retention\.ms.* \(who made the plan could not check it\)$/) },
    },
  ]);
  // What is left of a row is as planned, unless somebody else has changed it.
  await weir('diff - --out rest.json', file(`${good}: {configs: {retention.ms: 1h, segment.ms: 1h}}`));
  await weir(`topic alter-config ${good} --set retention.ms=3600000 --set segment.ms=5`);
  expect((await weir('apply rest.json --yes')).exitCode).toBe(6);
  await weir(`topic alter-config ${good} --delete segment.ms`);
  expect(await weir('diff rest.json')).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('hint: see what it would change with: weir apply rest.json --dry-run\n'),
  });
  expect(await weir('diff - --out unchecked.md', file(`${good}:`))).toMatchObject({ exitCode: 6, stdout: '' });
  expect(await weir('diff - --out unchecked.json', file(`${good}:`))).toEqual({
    ...{ exitCode: 0, stdout: '', stderr: 'the cluster is as in the files\n' },
  });
  const rest = await weir('apply rest.json --yes --format json');
  expect(JSON.parse(rest.stdout)).toMatchObject([
    { name: good, status: 'OK', changes: [{ path: 'configs.segment.ms', from: null, to: '3600000' }] },
  ]);
});

it('on a protected profile, apply needs a saved plan, and asks as others do: for a name, or how many', async () => {
  await weir('profile create guarded --protected');
  const ask = async (names: readonly string[]) => {
    writeFileSync(join(home, 'asked.yaml'), file(names.map((name) => `${name}:`).join('\n  ')));
    const world = { home, cwd: home, env: { WEIR_BROKERS: services().plaintext } };
    expect(await run('apply asked.yaml --profile guarded --yes', world)).toMatchObject({
      exitCode: 2,
      stderr: `weir: refused: profile "guarded" is protected, and apply needs a saved plan there
hint: save and check the plan with: weir diff asked.yaml --out plan.json --profile guarded
hint: then carry it out with: weir apply plan.json --profile guarded
`,
    });
    expect(await run('apply asked.yaml --profile guarded --dry-run', world)).toMatchObject({ exitCode: 0 });
    const plan = `${names.length}.json`;
    expect((await run(`diff asked.yaml --profile guarded --out ${plan}`, world)).stderr).toContain(
      `carry it out with: weir apply ${plan} --profile guarded\n`,
    );
    const terminal = { typed: 'n\n' };
    return (await run(`apply ${names.length}.json --profile guarded`, { ...world, terminal })).stderr;
  };
  expect(await ask([`${prefix}-asked`])).toContain(`Type "${prefix}-asked" to confirm`);
  expect(await ask([`${prefix}-asked`, `${prefix}-again`])).toContain('Type "2 changes" to confirm');
});

it('several profiles are compared and changed one after the other, and a failure ends that', async () => {
  const stage = await openStage(['brokers']);
  const world = { home, cwd: home };
  const profiles = '--profile first --profile second';
  try {
    await run(`profile create first --set brokers=${services().plaintext}`, world);
    await run(`profile create second --set brokers=${stage.env.WEIR_BROKERS}`, world);
    await run('profile create closed --set brokers=127.0.0.1:1', world);
    writeFileSync(
      join(home, 'several.yaml'),
      `weir: 1
defaults: {topic: {partitions: 1, replicas: 1}}
profiles: {second: {defaults: {topic: {partitions: 2}}}}
topics: {${prefix}-several: {}}
`,
    );
    const rows = await run(`diff several.yaml ${profiles} --profile closed --format json --report several.md`, world);
    expect(rows.exitCode).toBe(5);
    expect(JSON.parse(rows.stdout)).toMatchObject([
      { profile: 'first', changes: [{ to: '1' }, { to: '1' }], error: null },
      { profile: 'second', changes: [{ to: '2' }, { to: '1' }], error: null },
      { profile: 'closed', kind: 'cluster', error: { exit_code: 5 } },
    ]);
    expect(readFileSync(join(home, 'several.md'), 'utf8')).toContain(
      '### `several.yaml`, profile `second`\n\n**1 change: 1 create**\n',
    );
    expect((await run(`diff several.yaml ${profiles} --out several.json`, world)).exitCode).toBe(2);
    expect(await run(`apply several.yaml ${profiles} --dry-run`, world)).toMatchObject({ exitCode: 0 });
    expect(await run(`apply several.yaml ${profiles}`, world)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('apply needs --yes with several profiles'),
    });
    expect(await run('apply several.yaml --profile first --profile closed --yes', world)).toMatchObject({
      exitCode: 5,
      stderr: expect.stringMatching(
        /^weir: closed: unable to connect .*\nhint: check the .*\nhint: check every step with: weir doctor --profile closed\n$/,
      ),
    });
    const wrong = readFileSync(join(home, 'several.yaml'), 'utf8').replace('{}', '{configs: {cleanup.policy: x}}');
    const failed = await run(`apply - --yes --format json ${profiles}`, { ...world, stdin: wrong });
    expect(JSON.parse(failed.stdout)).toMatchObject([
      { profile: 'first', error: { code: 'INVALID_CONFIG' } },
      { profile: 'second', error: { code: 'NOT_CHANGED' } },
    ]);
    // Ctrl-C ends them all.
    let stop = () => {};
    const stopped = await run(`apply - --yes --format json ${profiles}`, {
      ...world,
      stdin: readFileSync(join(home, 'several.yaml'), 'utf8').replace(
        'profiles: {',
        'profiles: {first: {users: {stopped: {password: {command: secret}}}}, ',
      ),
      spawn: async () => {
        stop();
        return { exitCode: 0, stdout: 'secret', stderr: '' };
      },
      onStart: (kill) => {
        stop = () => kill('SIGINT');
      },
    });
    expect(stopped.exitCode).toBe(130);
    expect(JSON.parse(stopped.stdout)).toMatchObject([
      { name: 'stopped', error: { code: 'INTERRUPTED', exit_code: 130 } },
      { profile: 'first', error: { code: 'INTERRUPTED', exit_code: 130 } },
      { profile: 'second', error: { code: 'NOT_CHANGED' } },
    ]);
    expect((await run(`apply several.yaml ${profiles} --yes`, world)).stdout).toBe(`\
PROFILE  KIND   ${'NAME'.padEnd(prefix.length + '-several'.length)}  ACTION  STATUS
first    topic  ${prefix}-several  create  OK
    partitions  - → 1
    replicas    - → 1
second   topic  ${prefix}-several  create  OK
    partitions  - → 2
    replicas    - → 1
`);
    expect(await run(`diff several.yaml ${profiles}`, world)).toEqual({
      exitCode: 0,
      stdout: '',
      stderr: 'first: the cluster is as in the files\nsecond: the cluster is as in the files\n',
    });
  } finally {
    await stage.close();
  }
});

describe('the files', () => {
  it('have all their errors reported at once, each with its place', async () => {
    const wrong = `weir: 1
topics:
  a b: {}
  orders: {partitions: many, configs: {retention.ms: {}}, colour: red}
  weeks: {configs: {retention.ms: 1w, segment.ms: 7 d}}
users:
  ana: {password: hunter2}
  ben: {password: {value: x}}
colours: {}
topcs: {}
require: [{rule: topik.replicas > 1}]
schemas: {a: {file: nope.avsc}}
topics: {}
acls: [{principal: app, allow: [raed], topic: orders}]
`;
    const { exitCode, stderr } = await weir('diff -', wrong);
    expect(exitCode).toBe(2);
    expect(stderr.split('\n')).toEqual([
      'weir: standard input:3:3: topics.a b: this is no name of a topic: it contains " "',
      'weir: standard input:4:24: topics.orders.partitions: expected a whole number from 1 to 100000, not "many"',
      expect.stringContaining('standard input:4:40: topics.orders.configs.retention.ms: expected text'),
      expect.stringContaining('standard input:4:59: topics.orders.colour: unknown field'),
      'weir: standard input:5:35: topics.weeks.configs.retention.ms: write retention.ms in milliseconds, or as 7d, 12h or 1m30s',
      'weir: standard input:5:51: topics.weeks.configs.segment.ms: write segment.ms in milliseconds, or as 7d, 12h or 1m30s',
      'weir: standard input:7:19: users.ana.password: a password must not be in the file; name where it is: {env: NAME}, {file: PATH} or {command: …}',
      expect.stringMatching(/^weir: standard input:8:20: users\.ben\.password: unknown field; the fields are env, /),
      expect.stringMatching(/^weir: standard input:9:1: colours: unknown field; the fields are /),
      expect.stringMatching(/^weir: standard input:10:1: topcs: unknown field; did you mean topics\? the fields are /),
      expect.stringMatching(/^weir: standard input:11:18: require\[0\]\.rule: unknown name "topik"/),
      expect.stringMatching(
        /^weir: standard input:12:21: schemas\.a\.file: unable to read .*nope\.avsc: no such file$/,
      ),
      'weir: standard input:13:1: this key is here twice',
      expect.stringMatching(
        /^weir: standard input:14:33: .*: unknown operation "raed"; did you mean read\? the operations are /,
      ),
      '',
    ]);
    // Also those of the other files, in the order of the lines.
    writeFileSync(join(home, 'broken.yaml'), 'weir: 1\ntopics: {a: {\n');
    writeFileSync(join(home, 'wrong.yaml'), 'colours: {}\ntopics: {a: {sizes: 1}}\nweir: 1\n');
    const { stderr: both } = await weir('diff broken.yaml wrong.yaml');
    expect(both.split('\n').map((line) => line.replace(/(?<=:\d+:\d+:).*/, ''))).toEqual([
      'weir: broken.yaml:3:1:',
      'weir: wrong.yaml:1:1:',
      'weir: wrong.yaml:2:14:',
      '',
    ]);
  });

  it.each([
    '{iterations: 1, password: hunter2}',
    '{pasword: hunter2}',
    '{password:hunter2}',
    '{password=hunter2}',
    '{password: [hunter2]}',
    '{password: {hunter2}}',
    '{password: {value: hunter2}}',
    '{password: {env: A, hunter2: b}}',
    '{password: 12345678901234567890}',
    '{password: hunter2, password: hunter2}',
    '{password: {hunter2, hunter2}}',
    '{password: hunter2: x}',
    '{password: *hunter2}',
    '{password: !<hunter2> x}',
    '{password: !a!hunter2 x}',
    '{password: "\\hunter2"}',
    '{password: "hunter2}',
    '{password: @hunter2}',
    '{password: {hunter2}: 1}',
    '\n    password: |hunter2\n',
    '\n    password: hunter2\n   iterations: 1',
    '\n    password: "a" hunter2\n',
    '\n    password: hunter2\n      iterations: 1',
    '\npassword: hunter2',
    'hunter2',
    '[hunter2]',
  ])('print no password, whatever is wrong: %s', async (text) => {
    const { exitCode, stdout, stderr } = await weir('diff -', `weir: 1\nusers:\n  ana: ${text}\n`);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toMatch(/standard input:\d+:\d+: \S/);
    expect(stderr).not.toMatch(/hunter2|12345678901234567890/);
  });

  it('have no alias of what contains it', async () => {
    expect(await weir('diff -', 'weir: 1\ntopics: &a {x: *a}\n')).toMatchObject({
      exitCode: 2,
      stderr: 'weir: standard input:2:16: an alias stands for what contains it\n',
    });
  });

  it('are as the guide shows them', async () => {
    const guide = readFileSync('docs/guides/cluster-files.md', 'utf8');
    const examples = [...guide.matchAll(/^```yaml\n(.*?)^```/gms)].map(([, text = '']) => text);
    expect(examples.length).toBeGreaterThan(1);
    for (const text of examples) await readClusterFile([{ name: 'guide', text, read: async () => '{}' }], 'prod');
  });

  it('have rules for all files, each fault of which has its place', async () => {
    const rules = (text: string) => writeFileSync(join(home, 'rules.yaml'), `weir: 1\nrequire:\n${text}`);
    writeFileSync(
      join(home, 'team.yaml'),
      `weir: 1
topics:
  ${orders}: {configs: {retention.ms: 30d}}
  ${prefix}-new:
  tmp.x: {replicas: 1}
  gone: {absent: true, because: nobody reads it}
grants:
  - {principal: a, consume: 'x*'}
acls:
  - {principal: a, allow: all, topic: x}
`,
    );
    rules(`  - {rule: 'topik.replicas > 1'}
  - rule: "topic.replicas >"
  - {rule: topic.replica > 1, unless: 'has(user.nme)'}
  - rule: 1 > 2
  - rule: acl.principal != "User:a" || acl.operation == "ALL"
  - {rule: topic.name != "", unless: has(user.name)}
  - rule: topic.name == user.name
`);
    // Nothing is connected before the rules are kept.
    const unconnected = { WEIR_BROKERS: '127.0.0.1:1' };
    expect((await weir('diff rules.yaml team.yaml', '', unconnected)).stderr.split('\n')).toMatchObject([
      expect.stringMatching(/^weir: rules\.yaml:3:12: require\[0\]\.rule: unknown name "topik"; did you mean topic\?/),
      'weir: rules.yaml:4:28: require[1].rule: the expression ends here, expected a value',
      expect.stringMatching(/^weir: rules\.yaml:5:18: .*topic has no field "replica"; did you mean topic\.replicas\?/),
      expect.stringMatching(/^weir: rules\.yaml:5:\d+: require\[2\]\.unless: user has no field "nme"/),
      expect.stringMatching(/^weir: rules\.yaml:6:11: require\[3\]\.rule: name what it is about: topic, group, /),
      expect.stringMatching(/^weir: rules\.yaml:8:\d+: require\[5\]\.unless: the rule is about topic$/),
      expect.stringMatching(/^weir: rules\.yaml:9:11: require\[6\]\.rule: it is about topic and user: /),
      ...Array(2).fill(expect.stringMatching(/^weir: team\.yaml:8:5: grants\[0\]: acl\.principal is "User:a", /)),
      '',
    ]);
    rules(`  - {rule: topic.replicas >= 3, unless: 'topic.name.startsWith("tmp.")', because: a broker may fail}
  - {rule: 'topic.configs["retention.ms"] <= 604800000', level: warn}
  - rule: acl.operation != "ALL"
`);
    const { exitCode, stderr, stdout } = await weir('diff rules.yaml team.yaml --report rules.md', '', unconnected);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    // A cluster that cannot be reached is no fault of the files.
    expect((await weir('diff - --report closed.md', 'weir: 1\ntopics: {a: {}}\n', unconnected)).exitCode).toBe(5);
    expect((await weir('diff team.yaml --report team.yaml', '', unconnected)).stderr).toContain('a report is Markdown');
    expect(readFileSync(join(home, 'closed.md'), 'utf8')).toMatch(
      /\*\*Nothing was compared:\*\*\n\n- unable to connect to /,
    );
    const needed = 'rules.yaml:3 requires topic.replicas >= 3';
    const retention = 'topic.configs["retention.ms"]';
    expect(stderr.split('\n')).toEqual([
      // What the file does not say is null, whatever the cluster has.
      `weir: team.yaml:3:3: topics.${orders}: a broker may fail: topic.replicas is null; ${needed}`,
      `weir: team.yaml:4:3: topics.${prefix}-new: a broker may fail: topic.replicas is null; ${needed}`,
      'weir: team.yaml:10:5: acls[0]: acl.operation is "ALL"; rules.yaml:5 requires acl.operation != "ALL"',
      '',
    ]);
    expect(readFileSync(join(home, 'rules.md'), 'utf8')).toMatch(
      /^### `rules\.yaml`, `team\.yaml`.*\n\n\*\*Nothing was compared:\*\*\n\n- team.*: a broker may fail: /,
    );
    // An exception that cannot be decided is none.
    rules(`  - {rule: '${retention} <= 604800000', unless: topic.partitions > 9, level: warn}\n`);
    expect(await weir('diff rules.yaml team.yaml --report rules.md')).toMatchObject({
      exitCode: 10,
      stderr: [
        [3, orders, '2592000000'],
        [4, `${prefix}-new`, 'null'],
        [5, 'tmp.x', 'null'],
      ]
        .map(([line, topic, value]) => `warning: team.yaml:${line}:3: topics.${topic}: ${retention} is ${value}; `)
        .map((text) => `${text}rules.yaml:3 requires ${retention} <= 604800000\n`)
        .concat('5 changes: 4 create, 1 update; risk: 2 access\n')
        .join(''),
    });
    expect(readFileSync(join(home, 'rules.md'), 'utf8')).toMatch(/\n\*\*Warnings:\*\*\n\n- team.*changes/s);
    // As with errors, the beginning is enough.
    rules('  - {rule: topic.partitions > 5, level: warn}\n');
    const many = Array.from({ length: 60 }, (_, at) => `  ${prefix}-many-${at}:\n`).join('');
    writeFileSync(join(home, 'team.yaml'), `weir: 1\ntopics:\n${many}`);
    const warned = (await weir('diff rules.yaml team.yaml')).stderr.split('\n');
    expect([warned.length, warned[50]]).toEqual([53, 'warning: and 10 more warnings']);
  });

  it('are read together, with what they have for the profile, and name nothing twice', async () => {
    writeFileSync(join(home, 'a.yaml'), 'weir: 1\ntopics: {x: {}}\n');
    writeFileSync(join(home, 'b.yml'), '\n# nothing\n');
    expect((await weir('diff a.yaml b.yml')).exitCode).toBe(10);
    expect((await weir('diff b.yml')).stderr).toBe('weir: b.yml:1:1: the field "weir" is missing\n');
    writeFileSync(join(home, 'b.yml'), 'weir: 1\ntopics:\n  x: {}\n');
    const { exitCode, stderr } = await weir('diff a.yaml b.yml');
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr: 'weir: b.yml:3:3: topics.x: a.yaml:2 has it as well\n',
    });
    writeFileSync(join(home, 'a.yaml'), 'weir: 1\nquotas:\n  - {user: x, producer_byte_rate: 1}\n');
    writeFileSync(
      join(home, 'b.yml'),
      `weir: 1
quotas: [{ip: '*', connection_creation_rate: 1}, {user: x, producer_byte_rate: 2}]
grants: [{principal: x, consume: t}]
acls: [{principal: x, allow: [read, write], topic: t, absent: true, because: y}]
`,
    );
    expect(
      (await weir('diff a.yaml b.yml')).stderr,
    ).toBe(`weir: b.yml:2:50: quotas[1]: a.yaml:3 has quotas of user=x as well
weir: b.yml:4:8: acls[0]: b.yml:3 wants what this removes: User:x READ on topic t
`);
    await weir('profile create dev');
    const profiles = `weir: 1
defaults: {topic: {partitions: 9}}
profiles: {dev: {defaults: {topic: {partitions: 2}}}}
topics: {${prefix}-of-profile: {}}
`;
    const outcome = await run('diff - --format json --profile dev', {
      home,
      stdin: profiles,
      env: { WEIR_BROKERS: services().plaintext },
    });
    expect(JSON.parse(outcome.stdout)[0].changes).toEqual([{ path: 'partitions', from: null, to: '2' }]);
    // A password has one source: that of the profile.
    const passwords =
      'weir: 1\nusers: {a: {password: {env: A}}}\nprofiles: {dev: {users: {a: {password: {file: b}}}}}\n';
    const { sections } = await readClusterFile([{ name: 'a.yaml', text: passwords }], 'dev');
    expect(sections.users).toEqual({ a: { password: { file: 'b' } } });
    const { sections: inFolder } = await readClusterFile([{ name: 'teams/a.yaml', text: passwords }], 'dev');
    expect(inFolder.users).toEqual({ a: { password: { file: 'teams/b' } } });
  });
});

it('a report has at most as many characters as a comment on GitHub', () => {
  const rows = Array.from({ length: 2000 }, (_, at) => ({
    ...{ kind: 'topic', name: `t|${at}`, action: 'create', changes: [], risk: 'none', why: null },
  })) as readonly PlanRow[];
  const risky = { ...rows[0], action: 'update', risk: 'records', why: 'x' } as PlanRow;
  const last = [
    { ...risky, name: 'last' },
    { ...risky, name: 'and-last' },
  ];
  const report = { profile: null, rows: [...rows.slice(2), ...last], warnings: ['*'], faults: [] };
  const text = markdownOf([report], ['-']);
  expect(text.length).toBeLessThan(61_000);
  // What a reviewer must not miss is there.
  expect(text).toMatch(
    /^### standard input\n\n\*\*Warnings:\*\*\n\n- \\\*\n\n\*\*2000 changes: 1998 create, 2 update; risk: 2 records\*\*\n/,
  );
  expect(text).toMatch(
    /\| `last` \| update \| {2}\| \*\*risk: records\*\*; x \|\n\| topic \| `and-last` \| update \| as above \| \*\*risk: records\*\* \|\n\| topic \| `t\\\|2` .*\n\nand \d+ more\n$/s,
  );
});

it('the reason of failures that follow each other is told once', () => {
  const error = { code: 'X', number: null, message: 'no broker answers', retryable: true, exit_code: 5 } as const;
  const row = { kind: 'topic', action: 'update', risk: 'none', why: null, profile: null, status: 'ERROR' } as const;
  const rows = ['1', '2'].map((to) => {
    return { ...row, name: to, changes: [{ path: 'partitions', from: null, to }], error, dry_run: false };
  });
  expect(planText(rows, plainView, { profiles: [], isEnded: true })).toBe(`KIND   NAME  ACTION  STATUS
topic  1     update  X
    partitions  - → 1
    why: no broker answers
topic  2     update  X
    partitions  - → 2
    why: as above
`);
});

describe('weir export', () => {
  it('gives each user a variable of its own that shells can set', async () => {
    const names = [`${prefix}.a-b`, `${prefix}-a.b`, `9${prefix}`, 'ä', `weir-${prefix}`];
    const users = names.map((name) => `  '${name}': {password: {env: APP_PASSWORD}}\n`).join('');
    const applied = await weir('apply - --yes', `weir: 1\nusers:\n${users}`, { APP_PASSWORD: 'secret' });
    expect(applied.exitCode).toBe(0);
    const { stdout } = await weir('export --format json', '');
    const exported = names.map((name) => JSON.parse(stdout).users[name].password.env);
    const word = `FILES_${process.pid}`;
    expect(exported.toSorted()).toEqual(
      [
        `${word}_A_B_PASSWORD`,
        `${word}_A_B_PASSWORD_2`,
        `USER_9${word}_PASSWORD`,
        'USER_PASSWORD',
        `USER_WEIR_${word}_PASSWORD`,
      ].toSorted(),
    );
    const gone = users.replaceAll('password: {env: APP_PASSWORD}', 'absent: true, because: over');
    expect((await weir('apply - --yes', `weir: 1\nusers:\n${gone}`)).exitCode).toBe(0);
  });

  it('refuses a pattern that diff refuses, and reports one that matches nothing', async () => {
    expect(await weir("export --owns 'a*b'")).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('a "*" may only be at the end'),
    });
    expect(await weir(`export --owns ${prefix}-nothing`)).toMatchObject({
      exitCode: 0,
      stderr: 'the cluster has nothing with such a name\n',
    });
  });

  it('writes a folder that diff finds equal, updates it, and touches nothing else', async () => {
    const folder = (name: string) => join(home, 'split', name);
    const first = await weir(`export --owns ${prefix}* --split split`);
    expect(first).toMatchObject({ exitCode: 0, stdout: '' });
    expect(await weir('diff split --strict --prune')).toMatchObject({ stdout: '', exitCode: 0 });
    // What the second export does not have goes, but what somebody else has written stays.
    writeFileSync(folder('mine.yaml'), 'weir: 1\n');
    // Git ends lines as Windows does, and formatters begin files with ---.
    const access = readFileSync(folder('access.yaml'), 'utf8');
    writeFileSync(folder('access.yaml'), `---\n${access}`.replaceAll('\n', '\r\n'));
    const users = readFileSync(folder('users.yaml'), 'utf8');
    writeFileSync(folder('users.yaml'), users.replace(/password:\n +env: .*/, 'password: {file: app.txt}'));
    writeFileSync(folder('topics.yaml'), `${readFileSync(folder('topics.yaml'), 'utf8')}# ours\n`);
    const kept = (file: string) => readFileSync(folder(file), 'utf8');
    const [filled, commented] = [kept('users.yaml'), kept('topics.yaml')];
    expect((await weir(`export --owns ${orders} --split split`)).stderr).toMatch(
      /^warning: left topics\.yaml in split, because it was edited, or not written by weir\nwrote 1 file, removed 3; compare/,
    );
    expect(readdirSync(join(home, 'split')).sort()).toEqual(['.weir-split', 'mine.yaml', 'owns.yaml', 'topics.yaml']);
    writeFileSync(folder('access.yaml'), 'weir: 1\n');
    writeFileSync(folder('users.yaml'), filled.replace('SCRAM-SHA-512', 'SCRAM-SHA-256'));
    const again = await weir(`export --owns ${prefix}* --split split`);
    expect(again).toMatchObject({
      exitCode: 0,
      stderr: expect.stringContaining('left access.yaml, topics.yaml, users.yaml in split, because they were edited'),
    });
    expect([kept('access.yaml'), kept('topics.yaml')]).toEqual(['weir: 1\n', commented]);
    // The references to passwords alone are no edit, and stay as well.
    writeFileSync(folder('users.yaml'), filled);
    writeFileSync(folder('topics.yaml'), commented.replace('# ours\n', ''));
    rmSync(folder('access.yaml'));
    await weir(`export --owns ${prefix}* --split split`);
    writeFileSync(folder('users.yaml'), filled.replace('app.txt', 'other.txt'));
    const user = `weir: 1\nusers: {${prefix}-new: {password: {env: APP_PASSWORD}}}\n`;
    await weir('apply - --yes', user, { APP_PASSWORD: 'secret' });
    expect((await weir(`export --owns ${prefix}* --split split`)).stderr).toMatch(/^wrote \d files; compare/m);
    expect(kept('users.yaml')).toMatch(/file: other\.txt/);
    expect(kept('users.yaml')).toContain(`${prefix}-new:`);
    expect(await weir('diff split --strict --prune')).toMatchObject({ stdout: '', exitCode: 0 });
    // A file that somebody renamed has its entries, so that no other one gets them.
    renameSync(folder('users.yaml'), folder('people.yaml'));
    expect((await weir(`export --owns ${prefix}* --split split`)).stderr).toContain(
      'did not write users.yaml in split, because people.yaml has entries of it',
    );
    expect(await weir('diff split --strict --prune')).toMatchObject({ stdout: '', exitCode: 0 });
    await weir('apply - --yes', user.replace(/password: .*\}\}\}/, 'absent: true, because: over}}'));
    // After an export that could not write all of its files, the next one knows those that it has written.
    rmSync(join(home, 'split'), { recursive: true });
    mkdirSync(folder('users.yaml'), { recursive: true });
    expect((await weir(`export --owns ${prefix}* --split split`)).stderr).toContain('users.yaml: it is a directory');
    rmSync(folder('users.yaml'), { recursive: true });
    expect((await weir(`export --owns ${orders} --split split`)).stderr).toMatch(/^wrote 2 files/);
  });

  it('has each schema in a file of its own', () => {
    const schemas = {
      'orders-value': { type: 'AVRO', schema: '"int"\n', level: 'FULL' },
      'Orders-Value': { type: 'AVRO', schema: '"long"\n' },
      ':.ctx:a/b': { type: 'PROTOBUF', schema: 'syntax' },
      '.net': { type: 'JSON', schema: 'true' },
      level: { level: 'NONE' },
      // The longest name of a topic is of 249 characters, that of a file of 255.
      [`${'t'.repeat(249)}-value`]: { type: 'AVRO', schema: '"int"' },
    };
    const files = splitDocument({ weir: 1, schemas });
    expect(files.at(-1)).toEqual({
      path: 'schemas.yaml',
      content: {
        weir: 1,
        schemas: {
          'orders-value': { file: 'schemas/orders-value.avsc', level: 'FULL' },
          'Orders-Value': { file: 'schemas/Orders-Value-2.avsc' },
          ':.ctx:a/b': { file: 'schemas/_.ctx_a_b.proto' },
          '.net': { file: 'schemas/_net.json' },
          level: { level: 'NONE' },
          [`${'t'.repeat(249)}-value`]: { file: `schemas/${'t'.repeat(180)}.avsc` },
        },
      },
    });
    expect(files[0]).toEqual({ path: 'schemas/orders-value.avsc', content: '"int"\n' });
  });

  it('prints what diff finds equal, without what is not owned', async () => {
    const exported = await weir(`export --owns ${prefix}*`);
    expect(exported.exitCode).toBe(0);
    expect(exported.stdout).toMatch(/^weir: 1\n# cluster: \{id: \S+\} # .*\nowns:\n/);
    expect(exported.stdout).toContain(`  ${orders}:\n    partitions: 3\n`);
    // A group without members, which only ListConfigResources lists.
    expect(exported.stdout).toContain(`groups:\n  ${prefix}-queue:\n`);
    expect(exported.stdout).toContain(`password:\n      env: FILES_${process.pid}_APP_PASSWORD`);
    expect(await weir('diff - --strict --prune', exported.stdout)).toMatchObject({ stdout: '', exitCode: 0 });
    expect(await weir('export --profile a --profile b')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('an export is of one cluster'),
    });
    expect((await weir("diff - --profile a --profile ''", 'weir: 1\n')).stderr).toMatch(/--profile.*empty/);
  });
});

describe('weir import', () => {
  it('prints what apply makes of the files of several tools, and diff then finds equal', async () => {
    const name = `${prefix}-imported`;
    const meta = `meta: {name: ${name}-a, cluster: c}`;
    const topicctl = `${meta}\nspec: {partitions: 2, replicationFactor: 1, retentionMinutes: 100, settings: {cleanup.policy: delete}}\n`;
    const acl = `{resource: {type: topic, name: ${name}, patternType: prefix}, operations: [Read, DescribeConfigs]}`;
    const user = `metadata: {name: ${name}}, spec: {authentication: {type: scram-sha-512}, authorization: {acls: [${acl}]}}`;
    const strimzi = `{apiVersion: kafka.strimzi.io/v1, kind: KafkaUser, ${user}}\n`;
    // No quota: other tests of this Kafka have all of them.
    const spec = `spec: {partitions: 1, replicas: 1}`;
    const jikkou = `{apiVersion: kafka.jikkou.io/v1beta2, kind: KafkaTopic, metadata: {name: ${name}-c}, ${spec}}\n`;
    const values = { name: `${name}-b`, partitions: 1, replication_factor: 1, config: { 'segment.ms': '20000' } };
    const resource = { address: 'kafka_topic.b', mode: 'managed', type: 'kafka_topic', values };
    const terraform = JSON.stringify({ format_version: '1.0', values: { root_module: { resources: [resource] } } });
    const given = await weir('import -', [topicctl, strimzi, jikkou, terraform].join('---\n'));
    expect(given.stderr).toBe('standard input:1: topic meta.cluster: no counterpart in a cluster file\n');
    // The parts of a team, in a folder, are those of an export.
    const texts = [topicctl, strimzi, jikkou, terraform].join('---\n');
    const part = await weir(`import - --owns ${name} --owns ${name}-b --split imported`, texts);
    expect(part.stderr).toContain('wrote 4 files; compare with: weir diff imported');
    const { sections } = await readClusterFile(
      ['topics', 'users', 'access'].map((file) => {
        return { name: file, text: readFileSync(join(home, 'imported', `${file}.yaml`), 'utf8') };
      }),
      undefined,
    );
    expect(sections).toMatchObject({ topics: { [`${name}-b`]: {} }, users: { [name]: {} }, acls: [{}] });
    expect(Object.keys(sections.topics as object)).toEqual([`${name}-b`]);
    const topicsOnly = await weir(
      `import - --owns ${name}*,nothing`,
      texts.replaceAll(`{name: ${name}}`, '{name: other}'),
    );
    expect(topicsOnly.stderr).toContain('without users and quotas of other, which --owns does not match');
    const env = { [`FILES_${process.pid}_IMPORTED_PASSWORD`]: 'secret' };
    expect(await weir('apply - --yes', given.stdout, env)).toMatchObject({ exitCode: 0 });
    expect(await weir('diff - --strict', given.stdout)).toMatchObject({ stdout: '', exitCode: 0 });
    expect(await kafkaConfigs('--describe', '--topic', `${name}-a`)).toMatch(/retention\.ms=6000000/);
    expect(await kafkaAcls('--list', '--topic', name, '--resource-pattern-type', 'prefixed')).toContain(
      `principal=User:${name}, host=*, operation=DESCRIBE_CONFIGS, permissionType=ALLOW`,
    );
    const refused = {
      exitCode: 2,
      stderr: expect.stringContaining('hint: convert it with: weir import - > cluster.yaml'),
    };
    expect(await weir('diff -', strimzi)).toMatchObject(refused);
    expect(await weir('apply - --yes', `${topicctl}---\n${topicctl}`)).toMatchObject(refused);
  });
});

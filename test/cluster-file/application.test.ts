import { expect, test } from 'vitest';
import { resourceText } from '../../src/cluster-file/kinds/acl-access.ts';
import { acls } from '../../src/cluster-file/kinds/acls.ts';
import { clusterConfigs } from '../../src/cluster-file/kinds/cluster-configs.ts';
import type { Change, Kind } from '../../src/cluster-file/kinds/kind.ts';
import { roles } from '../../src/cluster-file/kinds/roles.ts';
import type { Sending } from '../../src/cluster-file/kinds/sending.ts';
import { topics } from '../../src/cluster-file/kinds/topics.ts';
import { users } from '../../src/cluster-file/kinds/users.ts';
import { applyPlan } from '../../src/cluster-file/plan/application.ts';
import { checkPasswords } from '../../src/cluster-file/plan/passwords.ts';
import { makePlan } from '../../src/cluster-file/plan/plan.ts';
import { asPlanned, doneRows, type SavedPlan } from '../../src/cluster-file/plan/plan-file.ts';
import { sendingUntil } from '../../src/cluster-file/plan/sending.ts';
import type { End } from '../../src/command-end.ts';
import type { Context, StopCause } from '../../src/context.ts';
import { CliError, exitCodes, usageError } from '../../src/errors.ts';
import type { Acl } from '../../src/kafka/cluster/access/acl-rows.ts';
import { decide } from '../../src/kafka/cluster/access/explain.ts';

const row = (name: string, to = '2'): Change => ({
  ...{ kind: 'topic', name, action: 'update', risk: 'none', why: null },
  changes: [{ path: 'partitions', from: '1', to }],
});
const scope = { wanted: new Map(), owns: undefined };
const options = { prune: false, strict: false, force: false, rotate: [], allow: [] };
const error = { code: 'REFUSED', number: null, message: 'no', retryable: false, exit_code: 1 };

/** The requests of one round, which nothing ends. */
function endless() {
  return sendingUntil({ why: () => undefined, answer: (work) => work, forget() {} });
}

/** Applies two rounds of changes; the cluster then has these differences. */
async function applied(now: readonly Change[], stopsAfter = Number.POSITIVE_INFINITY) {
  const made: string[] = [];
  let stop: (cause: StopCause) => unknown = () => undefined;
  const kind = {
    noun: 'topic',
    order: ({ name }: Change) => (name === 'a' ? 1 : 2),
    read: async () => new Map(),
    compare: () => now,
    async apply(_: Context, { changes }: { readonly changes: readonly Change[] }) {
      made.push(...changes.map(({ name }) => name));
      if (made.length >= stopsAfter) stop('signal');
    },
  } as unknown as Kind;
  const context = {
    onStop: (act: typeof stop) => {
      stop = act;
      return () => undefined;
    },
  } as unknown as Context;
  const by = { kind, scope, existing: undefined, options };
  const plan = [row('a'), row('b')].map((one) => ({ ...one, by }));
  const outcomes = await applyPlan(context, plan);
  return { made, codes: outcomes.map((one) => one.error?.code ?? one.status ?? 'OK') };
}

test('what somebody else has changed since the plan is left as it is', async () => {
  expect(await applied([row('a', '3')])).toEqual({ made: [], codes: ['CHANGED_SINCE_PLAN', 'NOT_NEEDED'] });
  expect(await applied([row('a'), row('b')])).toEqual({ made: ['a', 'b'], codes: ['OK', 'OK'] });
});

test('a signal ends an application after the round that is on its way', async () => {
  expect(await applied([row('a'), row('b')], 1)).toEqual({ made: ['a'], codes: ['OK', 'NOT_CHANGED'] });
});

test.each([
  ['TOPIC_ALREADY_EXISTS', exitCodes.conflict],
  ['UNKNOWN_TOPIC_OR_PARTITION', exitCodes.notFound],
  ['INVALID_PARTITIONS', exitCodes.failure],
])(
  'what others have made before a request that ends with %s is no failure, however late brokers show it',
  async (code, exit_code) => {
    let reads = 0;
    const kind = {
      ...{
        noun: 'topic',
        order: () => 1,
        read: async () => (reads += 1),
        compare: (_: unknown, read: number) => (read > 2 ? [row('b')] : [row('a'), row('b')]),
      },
      async apply(_: Context, __: unknown, sending: Sending) {
        for (const name of ['a', 'b']) sending.fail(name, { ...error, code, exit_code });
      },
    } as unknown as Kind;
    const clock = { sleep: async () => {} };
    const context = { onStop: () => () => undefined, clock } as unknown as Context;
    const plan = [row('a'), row('b')].map((one) => ({ ...one, by: { kind, scope, existing: undefined, options } }));
    const outcomes = await applyPlan(context, plan);
    expect(outcomes.map((one) => one.error?.code ?? one.status)).toEqual(['NOT_NEEDED', code]);
  },
);

test('of a round whose refused rows cannot be read again, each row keeps what its request ended with', async () => {
  let reads = 0;
  const kind = {
    ...{ noun: 'topic', order: () => 1, compare: () => [row('a'), row('b')] },
    async read() {
      reads += 1;
      if (reads > 1) throw new CliError(exitCodes.unreachable, 'no broker answers');
    },
    async apply(_: Context, __: unknown, sending: Sending) {
      sending.fail('a', { ...error, exit_code: exitCodes.conflict });
    },
  } as unknown as Kind;
  const context = { onStop: () => () => undefined } as unknown as Context;
  const by = { kind, scope, existing: undefined, options };
  const plan = [row('a'), row('b')].map((one) => ({ ...one, by }));
  const outcomes = await applyPlan(context, plan);
  expect(outcomes.map((one) => one.error?.code)).toEqual(['REFUSED', undefined]);
});

test('of a change that is made in part before the end, the row says so', async () => {
  let why: ReturnType<End['why']>;
  const sending = sendingUntil({ why: () => why, answer: (work) => work, forget() {} });
  await sending.send(['a'], String, async () => []);
  why = { text: 'the command was stopped', exitCode: 130 };
  await sending.send(['a', 'b'], String, async () => []);
  expect([...sending.errors].map(([name, { code }]) => [name, code])).toEqual([
    ['a', 'PARTLY_CHANGED'],
    ['b', 'NOT_CHANGED'],
  ]);
});

test('of a saved plan, what cannot be read is not done, and what was blocked is not made', () => {
  const saved = (one: Change): SavedPlan => ({
    ...{ clusterId: 'x', request: { ...options, maxDeletes: 0 }, file: Object.create(null) },
    rows: [{ ...one, checked: true, last_write: null }],
  });
  const blocked: Change = { ...row('a'), action: 'blocked', why: 'too few' };
  const of = { clusterId: 'x', again: '' };
  expect(doneRows(saved(row('a')), [], of)).toMatchObject([{ name: 'a' }]);
  expect(doneRows(saved(row('a')), [{ ...blocked, name: 'topics', isUnread: true }], of)).toEqual([]);
  expect(asPlanned(saved(blocked), [row('a')])[0]?.error?.message).toBe('the plan has it as blocked: too few');
  expect(asPlanned(saved(blocked), [{ ...blocked, error }])[0]?.error).toBe(error);
});

test('a topic that does not get its partitions keeps its configs', async () => {
  const calls: string[] = [];
  const kafka = {
    addPartitions: async () => [{ error }],
    planConfigs: async () => calls.push('planConfigs') && [],
    alterConfigs: async () => calls.push('alterConfigs') && [],
  };
  const context = { kafka: async () => kafka } as unknown as Context;
  const changes = [{ path: 'configs.retention.ms', from: null, to: '1' }];
  const change = { ...row('a'), changes: [...row('a').changes, ...changes] };
  const sending = endless();
  await topics.apply(context, { changes: [change], scope, existing: { topics: new Map() } }, sending);
  expect({ errors: [...sending.errors], calls }).toEqual({ errors: [['a', error]], calls: [] });
});

test('ACLs are deleted only after those that replace them are there', async () => {
  const acl = (operation: string) => ({
    ...{ principal: 'User:a', host: '*', operation, permission: 'ALLOW' },
    ...{ resource_type: 'TOPIC', resource_name: 't', resource_pattern_type: 'LITERAL' },
  });
  const calls: string[] = [];
  let refusal: typeof error | null = error;
  const kafka = {
    createAcls: async () => calls.push('create') && [{ ...acl('READ'), error: refusal }],
    deleteAcls: async (all: readonly Acl[]) =>
      calls.push(`delete ${all.map(({ operation }) => operation)}`) && [{ ...acl('WRITE'), error: null }],
  };
  const context = { kafka: async () => kafka } as unknown as Context;
  const wanted = { name: 'topic t', way: [], acls: [acl('READ')], absent: [acl('WRITE')], because: null };
  const round = {
    scope: { owns: () => true, wanted: new Map([['topic t', wanted]]) },
    // Without --prune, what the files do not name stays.
    existing: new Map([['topic t', [acl('WRITE'), acl('DESCRIBE')]]]),
  };
  const changes = acls.compare(round.scope, round.existing, options).filter(({ action }) => action !== 'keep');
  const apply = async () => {
    const sending = endless();
    await acls.apply(context, { changes, ...round }, sending);
    return [...sending.errors];
  };
  expect(await apply()).toEqual([['topic t', error]]);
  expect(calls).toEqual(['create']);
  refusal = null;
  expect(await apply()).toEqual([]);
  expect(calls).toEqual(['create', 'create', 'delete WRITE']);
  // An ACL that denies goes last, after what it takes away.
  const order = (from: string) =>
    acls.order({ ...row('topic t'), action: 'delete', changes: [{ path: 'User:a READ', from, to: null }] });
  expect(order('DENY')).toBeGreaterThan(order('ALLOW'));
});

test('a role gets its new members before it loses others', async () => {
  const calls: unknown[] = [];
  const changeMembers = async (_: string, change: unknown) => void calls.push(change);
  const context = { admin: async () => ({ changeMembers }) } as unknown as Context;
  const [ana, ben] = ['ana', 'ben'].map((name) => ({ name, principal_type: 'User' }));
  const changes = [
    { path: 'User:ana', from: 'member', to: null },
    { path: 'User:ben', from: null, to: 'member' },
  ];
  await roles.apply(context, { changes: [{ ...row('team'), changes }], scope, existing: undefined }, endless());
  expect(calls).toEqual([{ add: [ben] }, { remove: [ana] }]);
});

test.each([
  ['SCRAM-SHA-256', 'blocked'],
  ['SCRAM-SHA-512', 'update'],
])('the end of the %s of the user that weir is, who signs in with SCRAM-SHA-256, is a row %s', async (path, action) => {
  const context = { config: async () => new Map([['user', 'ana']]) } as unknown as Context;
  const change = { ...row('ana'), changes: [{ path, from: '4096 iterations', to: null }] };
  const judged = await users.judge?.(context, { changes: [change], scope, existing: undefined }, options);
  expect(judged).toMatchObject([{ action }]);
});

test('what the files want of an API that the cluster does not have is a row that says so', async () => {
  const kafka = async () => {
    throw new CliError(exitCodes.failure, 'no quotas here', { code: 'UNSUPPORTED_VERSION' });
  };
  const context = { kafka, signal: new AbortController().signal } as unknown as Context;
  const file = { clusterId: undefined, owns: {}, defaults: {}, sections: {}, warnings: [] };
  const sections = { quotas: [{ user: 'ana', producer_byte_rate: 1 }] };
  const more = { ...options, maxDeletes: 0 };
  expect(await makePlan(context, { ...file, sections }, more)).toMatchObject([
    { kind: 'quota', action: 'blocked', why: 'no quotas here' },
  ]);
  // A wrong configuration ends all.
  const wrong = { ...context, kafka: async () => Promise.reject(usageError('wrong')) };
  await expect(makePlan(wrong, { ...file, sections }, more)).rejects.toThrow('wrong');
});

test('properties of Redpanda get values of their types, in one request, and say which need a restart', async () => {
  const calls: unknown[] = [];
  let answer: unknown = { version: 2 };
  const property = (type: string, more = {}) => ({ name: '', type, items: 'string', aliases: [], ...more });
  const schema = new Map([
    ['a', property('integer', { name: 'a', needs_restart: true })],
    ['b', property('array', { name: 'b' })],
    ['c', property('string', { name: 'c', aliases: ['old_c'] })],
    ['n', property('integer', { name: 'n', nullable: true })],
    ['s', property('string', { name: 's', is_secret: true })],
  ]);
  const admin = {
    configSchema: async () => schema,
    configuration: async () => ({
      values: new Map([
        ['c', 'x'],
        ['s', '[secret]'],
      ]),
      set: new Set(['c', 's']),
    }),
    changeConfiguration: async (change: unknown) => calls.push(change) && answer,
  };
  const kafka = { isRedpanda: async () => true };
  const config = { setting: () => ({ source: 'profile' }) };
  const context = {
    admin: async () => admin,
    kafka: async () => kafka,
    config: async () => config,
  } as unknown as Context;
  const made = async (configs: Readonly<Record<string, string | readonly string[] | null>>, sending = endless()) => {
    const wanted = clusterConfigs.wanted({ cluster_configs: configs }, {});
    const round = { ...scope, wanted: new Map(wanted.map((one) => [one.name, one])) };
    const existing = await clusterConfigs.read(context, round);
    const changes = clusterConfigs.compare(round, existing, { ...options, allow: ['cluster'] });
    await clusterConfigs.apply(context, { changes, scope: round, existing }, sending);
    return changes;
  };
  expect(await made({ a: '-7', b: ['x', 'y'], n: 'null', old_c: null })).toMatchObject([
    { risk: 'restart' },
    { risk: 'none' },
    {},
    {},
  ]);
  const upsert = new Map<string, unknown>([
    ['a', -7n],
    ['b', ['x', 'y']],
    ['n', null],
  ]);
  expect(calls).toEqual([{ upsert, remove: ['c'] }]);
  // The reason can be a property that the files lack.
  answer = { version: null, reasons: new Map([['bucket', 'it is needed']]) };
  const refused = endless();
  await made({ a: '1' }, refused);
  expect(refused.errors.get('a')?.message).toBe('the cluster makes all of the changes or none; bucket: it is needed');
  await expect(made({ s: 'hunter2' })).rejects.toThrow('a secret must not be in the file');
  const all = await clusterConfigs.read(context, { ...scope, owns: () => true });
  expect(clusterConfigs.export(all, () => true)).toEqual({ cluster_configs: { c: 'x' } });
});

test('configs of Kafka that may not be read are one row with the error', async () => {
  const kafka = { isRedpanda: async () => false, describeBrokerConfigs: async () => [{ key: null, error }] };
  const context = { kafka: async () => kafka } as unknown as Context;
  const wanted = clusterConfigs.wanted({ cluster_configs: { a: '1' } }, {});
  const round = { ...scope, wanted: new Map(wanted.map((one) => [one.name, one])) };
  const changes = clusterConfigs.compare(round, await clusterConfigs.read(context, round), options);
  expect(changes).toMatchObject([{ name: 'cluster_configs', error, isUnread: true }]);
});

test.each([
  ['SASL_AUTHENTICATION_FAILED', exitCodes.auth, { drifted: ['ana'], unread: [] }],
  ['NOT_REACHABLE', exitCodes.unreachable, { drifted: [], unread: ['ana'] }],
])('a sign-in that ends with %s', async (code, exitCode, expected) => {
  const credentials = [{ mechanism: 'SCRAM-SHA-256', iterations: 4096 }];
  const kafka = {
    listUsers: async () => [{ user: 'ana', credentials }],
    isRedpanda: async () => false,
    clusterInfo: async () => ({ cluster_id: 'x' }),
  };
  const failing = () => Promise.reject(new CliError(exitCode, 'no', { code }));
  const context = {
    config: async () => new Map([['user', 'me']]),
    kafka: async () => kafka,
    secrets: async () => ({ from: async () => 'secret' }),
    given: { x: [] },
    signal: new AbortController().signal,
    another: () => ({ kafka: failing, close: async () => {} }),
  } as unknown as Context;
  const sections = { users: { ana: { password: { env: 'SECRET' } } } };
  const file = { clusterId: undefined, owns: {}, defaults: {}, sections, warnings: [] };
  const { drifted, unread } = await checkPasswords(context, file);
  expect({ drifted, unread: [...unread.keys()] }).toEqual(expected);
  await expect(checkPasswords(context, { ...file, clusterId: 'y' })).rejects.toThrow('the files are for the cluster y');
});

type Judged = Parameters<typeof decide>;

test.each([
  ['blocked', 'ana', {}],
  ['delete', 'ana', { force: true }],
  // It has no such right that could end.
  ['delete', 'bob', {}],
])('an ACL without which weir cannot change ACLs any more is a row %s for %s with %o', async (action, user, more) => {
  const acl = {
    ...{ principal: 'User:ana', host: '*', operation: 'ALTER', permission: 'ALLOW' },
    ...{ resource_type: 'CLUSTER', resource_name: 'kafka-cluster', resource_pattern_type: 'LITERAL' },
  };
  const rules = { hasAuthorizer: true, superUsers: [], allowsUnlisted: false };
  const judge = {
    mayAllowUnlisted: false,
    isAllowed: (question: Judged[0], all: Judged[1]) => decide(question, all, rules).allowed,
  };
  const context = {
    kafka: async () => ({ accessJudge: async () => judge }),
    config: async () => new Map([['user', user]]),
  } as unknown as Context;
  const wanted = { name: 'cluster', way: [], acls: [], absent: [acl], because: null };
  const round = {
    scope: { ...scope, wanted: new Map([['cluster', wanted]]) },
    existing: new Map([['cluster', [acl]]]),
  };
  const changes = acls.compare(round.scope, round.existing, options);
  const judged = await acls.judge?.(context, { changes, ...round }, { ...options, ...more });
  expect(judged?.map((change) => change.action)).toEqual([action]);
});

test.each([
  ['orders', null],
  ['pay', 'its first ACL: whoever has none may lose access'],
])('an ACL of %s, where orders* has some, is in the plan with %s', async (resource_name, why) => {
  const acl = { principal: 'User:ana', host: '*', operation: 'READ', permission: 'ALLOW', resource_type: 'TOPIC' };
  const judge = { mayAllowUnlisted: true, isAllowed: () => true };
  const context = {
    kafka: async () => ({ accessJudge: async () => judge }),
    config: async () => new Map([['user', 'ana']]),
  } as unknown as Context;
  const prefixed = { ...acl, resource_name: 'orders', resource_pattern_type: 'PREFIXED' };
  const [name, added] = [`topic ${resource_name}`, { ...acl, resource_name, resource_pattern_type: 'LITERAL' }];
  const wanted = { name, way: [], acls: [added], absent: [], because: null };
  const round = {
    scope: { ...scope, wanted: new Map([[name, wanted]]) },
    existing: new Map([['topic orders*', [prefixed]]]),
  };
  const changes = acls.compare(round.scope, round.existing, options);
  expect(await acls.judge?.(context, { changes, ...round }, options)).toMatchObject([{ why }]);
});

const onTopic = (principal: string, operation: string, resource_name: string, more: object = {}) => ({
  ...{ principal, operation, resource_name, resource_type: 'TOPIC', resource_pattern_type: 'LITERAL' },
  ...{ host: '*', permission: 'ALLOW', ...more },
});
const deny = { permission: 'DENY' };
const beginsSo = { resource_pattern_type: 'PREFIXED' };

test.each([
  [
    'a wider DENY',
    onTopic('User:ana', 'ALL', 'audit.', { ...deny, ...beginsSo }),
    'User:ana loses READ and DESCRIBE on topic audit.bill',
  ],
  ['a DENY of all topics', onTopic('User:ana', 'READ', '*', deny), 'User:ana loses READ on topic audit.bill'],
  [
    'a DENY of everybody',
    onTopic('User:*', 'READ', '*', deny),
    'User:ana loses READ on topic audit.bill, User:bob loses READ on topic audit.*, User:x0 loses READ on topic x0 and 9997 more',
  ],
  ['a DENY below an ALLOW', onTopic('User:*', 'READ', 'audit.new', deny), 'User:bob loses READ'],
  [
    'a DENY from one host',
    onTopic('User:bob', 'READ', 'audit.', { ...deny, ...beginsSo, host: '10.0.0.9' }),
    'User:bob loses READ',
  ],
  ['a DENY of nobody who may', onTopic('User:eve', 'READ', '*', deny), null],
])('%s has the risk access, and the plan says who loses what, in time', async (_, denial, why) => {
  const rules = { hasAuthorizer: true, superUsers: [], allowsUnlisted: false };
  const judge = {
    mayAllowUnlisted: false,
    isAllowed: (question: Judged[0], all: Judged[1]) => decide(question, all, rules).allowed,
  };
  const context = {
    kafka: async () => ({ accessJudge: async () => judge }),
    config: async () => new Map([['user', '']]),
  } as unknown as Context;
  const allowed = [
    onTopic('User:ana', 'READ', 'audit.bill'),
    onTopic('User:bob', 'READ', 'audit.', beginsSo),
    ...Array.from({ length: 9998 }, (_one, at) => onTopic(`User:x${at}`, 'READ', `x${at}`)),
  ];
  const name = resourceText(denial);
  const wanted = { name, way: [], acls: [denial], absent: [], because: null };
  const round = {
    scope: { ...scope, wanted: new Map([[name, wanted]]) },
    existing: new Map([['old', allowed]]),
  };
  const changes = acls.compare(round.scope, round.existing, options);
  expect(await acls.judge?.(context, { changes, ...round }, options)).toMatchObject([{ risk: 'access', why }]);
});

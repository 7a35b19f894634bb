import { expect, test } from 'vitest';
import type { Acl } from '../../../../src/kafka/cluster/access/acl-rows.ts';
import { createAcls, deleteAcls, listAcls } from '../../../../src/kafka/cluster/access/acls.ts';
import { firstAcls } from '../../../../src/kafka/cluster/access/first-acls.ts';
import { createAcls as createAclsApi } from '../../../../src/kafka/protocol/wire/apis/create-acls.ts';
import { deleteAcls as deleteAclsApi } from '../../../../src/kafka/protocol/wire/apis/delete-acls.ts';
import { describeAcls } from '../../../../src/kafka/protocol/wire/apis/describe-acls.ts';
import { answerOf } from '../../../services/answer.ts';
import { versionsAnswer } from '../../../services/scripted-answers.ts';
import { type ScriptedBroker, startScriptedBroker } from '../../../services/scripted-broker.ts';
import { clientOf, failureOf } from '../../../services/scripted-client.ts';

const acl = (resource_name: string): Acl => ({
  ...{ principal: 'User:ana', host: '*', resource_type: 'TOPIC', resource_name },
  ...{ resource_pattern_type: 'LITERAL', operation: 'READ', permission: 'ALLOW' },
});
const policyViolation = 44;
const notAuthorized = 31;

/** A CreateAcls answer with these codes. */
function created(...codes: readonly number[]): Buffer {
  const results = codes.map((errorCode) => ({
    errorCode,
    errorMessage: errorCode === 0 ? undefined : 'not on Sundays',
  }));
  return answerOf(createAclsApi, 3, { results });
}

const resource = { resourceType: 2, patternType: 3 };
const entry = { principal: 'User:ana', host: '*', operation: 3, permissionType: 3 };

/** A DescribeAcls answer with READ permissions of User:ana on these topics. */
function listed(topics: readonly string[], code = 0): Buffer {
  const resources = topics.map((resourceName) => ({ ...resource, resourceName, acls: [entry] }));
  return answerOf(describeAcls, 3, { errorCode: code, resources });
}

/** A DeleteAcls answer: for each filter its own code and the codes of the matches. */
function deleted(...results: readonly (readonly [code: number, matches: readonly number[]])[]): Buffer {
  const filterResults = results.map(([errorCode, matches]) => ({
    errorCode,
    matchingAcls: matches.map((code) => ({ errorCode: code, ...resource, resourceName: 'a', ...entry })),
  }));
  return answerOf(deleteAclsApi, 3, { filterResults });
}

function broker(script: Parameters<typeof startScriptedBroker>[0]): Promise<ScriptedBroker> {
  return startScriptedBroker(script);
}

test('an ACL that the broker refuses leaves the others alone', async () => {
  await using peer = await broker({ CreateAcls: created(0, policyViolation), DescribeAcls: listed(['a']) });
  await using client = clientOf([peer.address]);
  const rows = await createAcls(client, [acl('a'), acl('b')]);
  expect(rows.map(({ resource_name, error }) => [resource_name, error?.code, error?.message])).toEqual([
    ['a', undefined, undefined],
    ['b', 'POLICY_VIOLATION', 'not on Sundays'],
  ]);
});

test('an ACL is the first of no resource if the brokers do not say: the warning is not worth an error', async () => {
  await using peer = await broker({ DescribeAcls: listed([], notAuthorized) });
  await using client = clientOf([peer.address]);
  expect(await firstAcls(client, [acl('a')], new Set())).toEqual([]);
});

test('a creation returns when a broker lists the ACLs', async () => {
  await using peer = await broker({
    CreateAcls: created(0, 0),
    DescribeAcls: [listed([]), listed(['a']), listed(['a', 'b', 'c'])],
  });
  await using client = clientOf([peer.address]);
  await createAcls(client, [acl('a'), acl('b')]);
  expect(peer.of('DescribeAcls')).toHaveLength(3);
});

test('a creation without the right to list ACLs succeeds', async () => {
  await using peer = await broker({ CreateAcls: created(0), DescribeAcls: listed([], notAuthorized) });
  await using client = clientOf([peer.address]);
  expect(await createAcls(client, [acl('a')])).toMatchObject([{ error: null }]);
  expect(peer.of('DescribeAcls')).toHaveLength(1);
});

test('no ACLs need no request', async () => {
  await using client = clientOf(['127.0.0.1:1'], { retry: 0 });
  expect(await createAcls(client, [])).toEqual([]);
  expect(await deleteAcls(client, [])).toEqual([]);
});

test('many ACLs are created in several requests', async () => {
  const names = Array.from({ length: 2001 }, (_, at) => `t${at}`);
  await using peer = await broker({
    CreateAcls: [created(...names.slice(0, 2000).map(() => 0)), created(policyViolation)],
    DescribeAcls: listed(names),
  });
  await using client = clientOf([peer.address]);
  const rows = await createAcls(client, names.map(acl));
  expect(rows.filter(({ error }) => error !== null).map(({ resource_name }) => resource_name)).toEqual(['t2000']);
});

test('many ACLs are deleted in smaller requests, because each takes the controller long', async () => {
  const names = Array.from({ length: 201 }, (_, at) => `t${at}`);
  await using peer = await broker({
    DeleteAcls: [deleted(...names.slice(0, 200).map(() => [0, [0]] as const)), deleted([policyViolation, []])],
    DescribeAcls: listed([]),
  });
  await using client = clientOf([peer.address]);
  const rows = await deleteAcls(client, names.map(acl));
  expect(rows.filter(({ error }) => error !== null).map(({ resource_name }) => resource_name)).toEqual(['t200']);
});

test('a deletion that runs out of time says how far it got', async () => {
  const names = Array.from({ length: 201 }, (_, at) => `t${at}`);
  await using peer = await broker({
    DeleteAcls: [deleted(...names.slice(0, 200).map(() => [0, [0]] as const)), 'silent'],
  });
  await using client = clientOf([peer.address], { command: 1_000 });
  expect(await failureOf(deleteAcls(client, names.map(acl)))).toMatchObject({
    code: 'COMMAND_TIMEOUT',
    hints: expect.arrayContaining(['already done: 200 of 201 ACLs']),
  });
});

test('a filter that fails leaves the others alone', async () => {
  await using peer = await broker({ DescribeAcls: [listed(['b', 'a']), listed([], notAuthorized)] });
  await using client = clientOf([peer.address]);
  const { filters, matches } = await listAcls(client, [acl('a'), acl('b')]);
  expect(filters.map(({ error }) => error?.code)).toEqual([undefined, 'CLUSTER_AUTHORIZATION_FAILED']);
  expect(matches.map(({ resource_name }) => resource_name)).toEqual(['a', 'b']);
});

test('filters that all fail are one failure', async () => {
  await using peer = await broker({ DescribeAcls: listed([], notAuthorized) });
  await using client = clientOf([peer.address]);
  const failure = await failureOf(listAcls(client, [acl('a'), acl('b')]));
  expect(failure).toMatchObject({ exitCode: 4, message: expect.stringContaining('unable to list ACLs: ') });
});

test('an ACL that matches several filters is listed once', async () => {
  await using peer = await broker({ DescribeAcls: listed(['a']) });
  await using client = clientOf([peer.address]);
  expect((await listAcls(client, [acl('a'), acl('a')])).matches).toHaveLength(1);
});

test('a deletion reports the ACLs that failed; one that is already gone is done', async () => {
  await using peer = await broker({
    DeleteAcls: deleted([0, [0]], [0, [policyViolation]], [notAuthorized, []], [0, []]),
    DescribeAcls: [listed(['a']), listed([])],
  });
  await using client = clientOf([peer.address]);
  const rows = await deleteAcls(client, ['a', 'b', 'c', 'd'].map(acl));
  expect(rows.map(({ error }) => error?.code)).toEqual([
    ...[undefined, 'POLICY_VIOLATION', 'CLUSTER_AUTHORIZATION_FAILED', undefined],
  ]);
  // The first listing still showed the ACL.
  expect(peer.of('DescribeAcls')).toHaveLength(2);
});

test('an unreachable broker is one failure, not one for each ACL', async () => {
  await using client = clientOf(['127.0.0.1:1'], { retry: 0 });
  expect((await failureOf(createAcls(client, [acl('a'), acl('b')]))).code).toBe('CONNECTION_REFUSED');
});

test('a broker that does not know ACLs is reported as such', async () => {
  await using peer = await broker({ ApiVersions: versionsAnswer([[29, 0, -1]]) });
  await using client = clientOf([peer.address]);
  const failure = await failureOf(listAcls(client, [acl('a')]));
  expect(failure).toMatchObject({
    code: 'UNSUPPORTED_VERSION',
    message: expect.stringContaining('does not support DescribeAcls'),
  });
});

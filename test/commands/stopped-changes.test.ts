import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Signal } from '../../src/host/host.ts';
import { startScriptedRegistry } from '../registry/scripted-registry.ts';
import { aclsAnswer, deletedAclsAnswer, quotasAnswer } from '../services/access-answers.ts';
import {
  asksForStart,
  clusterAnswer,
  commitAnswer,
  committedAnswer,
  coordinatorsAnswer,
  groupsAnswer,
  noLogDirsAnswer,
  offsetsAnswer,
  ongoingAnswer,
  operatorScript,
  reassignedAnswer,
  trimmedAnswer,
} from '../services/operator-answers.ts';
import { type Reaction, type Script, type ScriptedBroker, startScriptedBroker } from '../services/scripted-broker.ts';
import { run, temporaryDirectory } from '../world.ts';

/** The only broker. */
type Self = { readonly id: number } & ScriptedBroker['address'];

/** Runs a command; `stop` stands for Ctrl-C while the broker works on a request. */
async function interrupted(line: string, script: (stop: () => Reaction, self: () => Self) => Script, stdin = '') {
  let kill: (signal: Signal) => void = () => undefined;
  const stop = (): Reaction => {
    kill('SIGINT');
    return 'silent';
  };
  const broker: ScriptedBroker = await startScriptedBroker(
    operatorScript({
      Metadata: () => clusterAnswer([self(), { ...self(), id: 2 }], [topic]),
      FindCoordinator: () => coordinatorsAnswer(['g'], self()),
      DescribeGroups: groupsAnswer([['g', 0]]),
      DescribeLogDirs: noLogDirsAnswer(),
      OffsetFetch: committedAnswer([0, 1], 7n),
      ...script(stop, () => self()),
    }),
  );
  const self = (): Self => ({ id: 1, ...broker.address });
  const topic = { name: 'foo', partitions: [1, 2].map((leader, partition) => ({ partition, leader })) };
  const home = temporaryDirectory();
  const outcome = await run(line, {
    ...{ home, cwd: home, stdin },
    env: { WEIR_BROKERS: `127.0.0.1:${broker.address.port}` },
    onStart: (send) => {
      kill = send;
    },
  });
  await broker.close();
  return { ...outcome, home };
}

const notLeader = 6;
const stopping = 'stopping (press Ctrl-C again to end at once)\n';

test('a seek says that the commit may have been carried out, and how to go back', async () => {
  const { home, ...outcome } = await interrupted('group seek g --to start --undo-file undo.txt --yes', (stop) => ({
    ListOffsets: offsetsAnswer(
      [
        [0, 0],
        [1, 0],
      ],
      0n,
    ),
    OffsetCommit: stop,
  }));
  expect(outcome).toEqual({
    stdout: '',
    stderr: `${stopping}weir: ended by SIGINT
hint: the OffsetCommit request may have been carried out; check before you repeat the command
hint: go back with: weir group seek g --to-file undo.txt
`,
    exitCode: 130,
  });
  expect(readFileSync(join(home, 'undo.txt'), 'utf8')).toContain('foo 0 7\nfoo 1 7\n');
});

test('a seek that is stopped between two attempts does not say that nothing was changed', async () => {
  // Also the code for a commit that was written, but not by enough replicas in time.
  const notAvailable = 15;
  let isSent = false;
  const { stdout, stderr, exitCode } = await interrupted('group seek g --to start --yes', (stop, self) => ({
    ListOffsets: offsetsAnswer(
      [
        [0, 0],
        [1, 0],
      ],
      0n,
    ),
    OffsetCommit() {
      isSent = true;
      return commitAnswer([
        [0, notAvailable],
        [1, notAvailable],
      ]);
    },
    FindCoordinator: () => (isSent ? stop() : coordinatorsAnswer(['g'], self())),
  }));
  expect({ stdout, stderr, exitCode }).toEqual({ stdout: '', stderr: stopping, exitCode: 130 });
});

test('a seek that has committed offsets reports them, and what it has not removed', async () => {
  const { stdout, exitCode } = await interrupted(
    'group seek g --to-file - --yes --format json',
    (stop) => ({
      ListOffsets: offsetsAnswer(
        [
          [0, 0],
          [1, 0],
        ],
        0n,
      ),
      OffsetCommit: commitAnswer([[0, 0]]),
      OffsetDelete: stop,
    }),
    'foo 0 3\nfoo 1 -\n',
  );
  expect(exitCode).toBe(130);
  expect(JSON.parse(stdout)).toMatchObject([
    { partition: 0, prior_offset: 7, new_offset: 3, error: null },
    { partition: 1, prior_offset: 7, new_offset: null, error: { code: 'INTERRUPTED' } },
  ]);
});

test('a trim reports the partitions that are trimmed, and the one that may be', async () => {
  const { stdout, exitCode } = await interrupted('topic trim-prefix foo -o 5 --yes --no-headers', (stop) => ({
    ListOffsets: (arrival) =>
      offsetsAnswer(
        [
          [0, 0],
          [1, 0],
        ],
        asksForStart(arrival) ? 0n : 9n,
      ),
    // The answer about partition 0 is read before partition 1 is asked about again.
    DeleteRecords: ({ before }) => [trimmedAnswer([[0, 0]]), trimmedAnswer([[1, notLeader]])][before] ?? stop(),
  }));
  expect({ stdout, exitCode }).toEqual({
    stdout: `foo  0  5
foo  1  -  INTERRUPTED: ended by SIGINT (the request may have been carried out)
`,
    exitCode: 130,
  });
});

test('an import of quotas says that it may have been carried out', async () => {
  const from = JSON.stringify({ quotas: [] });
  const outcome = await interrupted(
    'cluster quotas import --from - --yes',
    (stop) => ({ DescribeClientQuotas: quotasAnswer([['ana', 5]]), AlterClientQuotas: stop }),
    from,
  );
  expect(outcome).toMatchObject({ stdout: '', exitCode: 130 });
  expect(outcome.stderr).toContain('hint: the AlterClientQuotas request may have been carried out;');
});

test('a deletion of many ACLs says how many are deleted', async () => {
  const users = Array.from({ length: 201 }, (_, at) => `u${at}`);
  const outcome = await interrupted('security acl delete --operation read --topic foo --yes', (stop) => ({
    DescribeAcls: aclsAnswer(users),
    DeleteAcls: ({ before }) =>
      before === 0 ? deletedAclsAnswer(users.slice(0, 200).map(() => ({ code: 0, matches: [['u', 0]] }))) : stop(),
  }));
  expect(outcome).toMatchObject({ stdout: '', exitCode: 130 });
  expect(outcome.stderr).toContain('hint: the DeleteAcls request may have been carried out;');
  expect(outcome.stderr).toContain('hint: already done: 200 of 201 ACLs\n');
});

const stoppedWaiting = `weir: stopped waiting; the reassignments continue, and their throttle stays
hint: wait for them and remove their throttle with: weir topic reassign wait foo
hint: or cancel them with: weir topic reassign cancel foo
`;

test('a reassignment that is waited for continues, and the command to wait for it is named', async () => {
  const placement = '{"partitions": [{"topic": "foo", "partition": 0, "replicas": [2]}]}';
  const outcome = await interrupted(
    'topic reassign execute - --wait --yes',
    (stop) => ({
      AlterPartitionReassignments: reassignedAnswer([[0, 0]]),
      ListPartitionReassignments: ({ before }) => (before === 0 ? ongoingAnswer([]) : stop()),
    }),
    placement,
  );
  expect(outcome).toMatchObject({ stdout: '', stderr: `${stopping}${stoppedWaiting}`, exitCode: 130 });
});

test('a wait for reassignments that is stopped says how to continue', async () => {
  const outcome = await interrupted('topic reassign wait foo', (stop) => ({
    ListPartitionReassignments: ({ before }) => (before === 0 ? ongoingAnswer([0]) : stop()),
  }));
  expect(outcome).toMatchObject({ stdout: '', stderr: `${stopping}${stoppedWaiting}`, exitCode: 130 });
});

test.each([
  ['topic delete foo --yes', 'Metadata'],
  ['topic add-partitions foo --num 1', 'Metadata'],
  ['group delete g --yes', 'FindCoordinator'],
  ['cluster config set log.retention.ms 1 --api kafka --yes', 'DescribeConfigs'],
])('%s: stopped at its first %s, it says that nothing was changed', async (line, api) => {
  const { stdout, stderr, exitCode } = await interrupted(line, (stop) => ({ [api]: stop }));
  expect({ stdout, stderr, exitCode }).toEqual({
    stdout: '',
    stderr: `${stopping}weir: stopped before anything was changed\nhint: repeat the command\n`,
    exitCode: 130,
  });
});

test('a change that was sent is not called unchanged', async () => {
  const { stderr, exitCode } = await interrupted('topic delete foo --yes', (stop) => ({ DeleteTopics: stop }));
  expect(stderr).not.toContain('stopped before anything was changed');
  expect(exitCode).toBe(130);
});

test('after a change over HTTP, Ctrl-C in a later request does not say that nothing was changed', async () => {
  let kill: (signal: Signal) => void = () => undefined;
  await using registry = await startScriptedRegistry(({ method, path }) => {
    if (method === 'POST') return path.includes('/versions') ? [200, { id: 1 }] : [404, { error_code: 40401 }];
    kill('SIGINT');
    return undefined;
  });
  const outcome = await run('registry schema create orders --schema - --type json', {
    stdin: '{}',
    env: { WEIR_REGISTRY_HOSTS: `127.0.0.1:${registry.port}` },
    onStart(send) {
      kill = send;
    },
  });
  expect(registry.calls.map(({ method }) => method)).toEqual(['POST', 'POST', 'GET']);
  expect(outcome).toEqual({ stdout: '', stderr: stopping, exitCode: 130 });
});

import { describe, expect, test } from 'vitest';
import {
  clusterAnswer,
  committedAnswer,
  coordinatorsAnswer,
  groupsAnswer,
  grownAnswer,
  offsetsAnswer,
  ongoingAnswer,
  operatorScript,
  type ToldBroker,
  trimmedAnswer,
} from '../services/operator-answers.ts';
import { reactionTo, type Script, type ScriptedBroker, startScriptedBroker } from '../services/scripted-broker.ts';
import { skipPauses } from '../skipped-pauses.ts';
import { run } from '../world.ts';
import { act, scenes } from './operator-scenes.ts';

const cases = scenes.map((scene) => ({ ...scene, name: scene.line }));

/** One for each role; codes and bytes are read the same way for all. */
const oneOfEach = cases.filter(({ line }) => /^(topic add-partitions|topic trim-prefix|group delete) /.test(line));

/** What is printed as the result of an item that was changed. */
const success = /\bOK\b|created user/;

describe('a change that a broker answers wrongly', () => {
  test.each(cases)('is no success without an answer: $name', async (scene) => {
    const outcome = await act(scene, [scene.answer([])]);
    expect(outcome.exitCode).toBe(1);
    expect(outcome.stdout).not.toMatch(success);
    expect(`${outcome.stdout}${outcome.stderr}`).toMatch(/the broker's answer leaves it out|has 0 results for 1 item/);
  });

  test.each(cases)('is no success if one of two answers is a refusal: $name', async (scene) => {
    for (const codes of [
      [44, 0],
      [0, 44],
    ]) {
      const outcome = await act(scene, [scene.answer(codes)]);
      expect(outcome.exitCode).toBe(1);
      expect(outcome.stdout).not.toMatch(success);
      expect(`${outcome.stdout}${outcome.stderr}`).toMatch(/POLICY_VIOLATION|has 2 results for 1 item/);
    }
  });

  test.each(oneOfEach)('shows a code that weir does not know: $name', async (scene) => {
    const outcome = await act(scene, [scene.answer([999])]);
    expect(outcome.exitCode).toBe(1);
    expect(outcome.stdout).not.toMatch(success);
    expect(`${outcome.stdout}${outcome.stderr}`).toContain('ERROR_999');
  });

  test.each(oneOfEach)('reports an answer that ends early: $name', async (scene) => {
    skipPauses();
    const whole = scene.answer([0]);
    const outcome = await act(scene, [whole.subarray(0, whole.length - 3)]);
    expect(outcome.exitCode).toBe(1);
    expect(outcome.stdout).not.toMatch(success);
    expect(`${outcome.stdout}${outcome.stderr}`).toContain(`unable to read the ${scene.api} answer at byte `);
  });
});

/** Runs a command against a broker with these answers to Metadata and others. */
async function ask(line: string, script: (self: ToldBroker) => Script, stdin = '') {
  const broker: ScriptedBroker = await startScriptedBroker(
    operatorScript({
      Metadata: (arrival) => reactionTo(arrival, script(self())),
      FindCoordinator: (arrival) => reactionTo(arrival, script(self())),
      ListOffsets: (arrival) => reactionTo(arrival, script(self())),
      DescribeGroups: groupsAnswer([['g', 0]]),
      OffsetFetch: committedAnswer([0], 7n),
      ListPartitionReassignments: ongoingAnswer([]),
      DeleteRecords: trimmedAnswer([[0, 0]]),
      CreatePartitions: grownAnswer([['foo', 0]]),
    }),
  );
  const self = (): ToldBroker => ({ id: 1, ...broker.address });
  const outcome = await run(line, {
    stdin,
    env: { WEIR_BROKERS: `127.0.0.1:${broker.address.port}`, WEIR_GLOBALS_RETRY_TIMEOUT: '2s' },
  });
  await broker.close();
  return { ...outcome, text: `${outcome.stdout}${outcome.stderr}`, sent: broker.journal.map(({ api }) => api) };
}

const one = { partition: 0, leader: 1 };
const placement = '{"partitions": [{"topic": "foo", "partition": 0, "replicas": [2]}]}';

describe('metadata that is wrong', () => {
  test.each([
    ['topic add-partitions foo -n 1 --yes'],
    ['topic elect-leaders foo --yes'],
    ['topic trim-prefix foo -o 5 --yes'],
    ['topic reassign plan foo'],
    ['topic reassign execute - --yes'],
    ['topic describe foo'],
    ['topic delete foo --dry-run'],
    ['cluster logdirs describe --topics foo'],
    ['cluster txn describe-producers -t foo'],
  ])('about another topic is no answer about the named one: %s', async (line) => {
    const other = [{ name: 'bar', partitions: [one] }];
    const outcome = await ask(line, (self) => ({ Metadata: clusterAnswer([self], other) }), placement);
    expect(outcome.exitCode).toBe(3);
    expect(outcome.text).toContain('UNKNOWN_TOPIC_OR_PARTITION');
    expect(outcome.text).not.toContain('bar');
  });

  test('counts a partition once, however often it is reported', async () => {
    skipPauses();
    const topics = [{ name: 'foo', partitions: [one, one, { partition: -4, leader: 1 }] }];
    const { stdout } = await ask('topic add-partitions foo -n 1 --yes --format json', (self) => ({
      Metadata: clusterAnswer([self, self], topics),
    }));
    expect(JSON.parse(stdout)).toMatchObject([{ topic: 'foo', old_partitions: 1, new_partitions: 2 }]);
  });

  test.each([
    ['', 9092],
    ['127.0.0.1', 0],
    ['127.0.0.1', -1],
    ['127.0.0.1', 70_000],
  ])('with the listener "%s:%d" is reported', async (host, port) => {
    skipPauses();
    const outcome = await ask('topic trim-prefix foo -o 5 --yes', () => ({
      Metadata: clusterAnswer([{ id: 1, host, port }], [{ name: 'foo', partitions: [one] }]),
    }));
    expect(outcome.exitCode).toBe(5);
    expect(outcome.text).toContain(`broker 1 advertises no valid listener: "${host}:${port}"`);
  });
});

test('a coordinator without an address is reported', async () => {
  skipPauses();
  const outcome = await ask('group describe g', () => ({
    FindCoordinator: coordinatorsAnswer(['g'], { id: -1, host: '', port: -1 }),
  }));
  expect(outcome.exitCode).toBe(5);
  expect(outcome.text).toContain('broker -1 advertises no valid listener');
});

test('a log without a start or an end is not trimmed: to the broker, -1 is the end', async () => {
  const outcome = await ask('topic trim-prefix foo -o end --yes', (self) => ({
    Metadata: clusterAnswer([self], [{ name: 'foo', partitions: [one] }]),
    ListOffsets: [offsetsAnswer([[0, 0]], -5n), offsetsAnswer([[0, 0]], -1n)],
  }));
  expect(outcome.exitCode).toBe(1);
  expect(outcome.text).toContain('the broker reports the offset -5');
  expect(outcome.sent).not.toContain('DeleteRecords');
});

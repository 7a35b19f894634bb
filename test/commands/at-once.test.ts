import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  clusterAnswer,
  commitAnswer,
  committedAnswer,
  coordinatorsAnswer,
  groupsAnswer,
  offsetsAnswer,
  operatorScript,
} from '../services/operator-answers.ts';
import { type ScriptedBroker, startScriptedBroker } from '../services/scripted-broker.ts';
import { run, temporaryDirectory } from '../world.ts';

test('of two seeks with one undo file, one moves the offsets, and the file is its own', async () => {
  const broker: ScriptedBroker = await startScriptedBroker(
    operatorScript({
      Metadata: () => clusterAnswer([self()], [{ name: 'foo', partitions: [{ partition: 0, leader: 1 }] }]),
      FindCoordinator: () => coordinatorsAnswer(['g', 'h'], self()),
      DescribeGroups: groupsAnswer(['g', 'h'].map((group) => [group, 0] as const)),
      OffsetFetch: committedAnswer([0], 7n),
      ListOffsets: offsetsAnswer([[0, 0]], 0n),
      OffsetCommit: commitAnswer([[0, 0]]),
    }),
  );
  const self = () => ({ id: 1, ...broker.address });
  const cwd = temporaryDirectory();
  const world = { cwd, env: { WEIR_BROKERS: `127.0.0.1:${broker.address.port}` } };
  const seek = (group: string) => run(`group seek ${group} --to start --undo-file undo.txt --yes`, world);
  const outcomes = await Promise.all([seek('g'), seek('h')]);
  await broker.close();
  expect(outcomes.map(({ exitCode }) => exitCode).sort()).toEqual([0, 6]);
  const winner = outcomes[0]?.exitCode === 0 ? 'g' : 'h';
  expect(readFileSync(join(cwd, 'undo.txt'), 'utf8')).toContain(`committed offsets of group "${winner}"`);
  expect(broker.of('OffsetCommit').map(({ body }) => body.toString('latin1', 2, 3))).toEqual([winner]);
});

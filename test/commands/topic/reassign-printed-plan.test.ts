import { expect, test } from 'vitest';
import { clusterAnswer, ongoingAnswer, operatorScript } from '../../services/operator-answers.ts';
import { type ScriptedBroker, startScriptedBroker } from '../../services/scripted-broker.ts';
import { run } from '../../world.ts';

test.each(['json', 'yaml'])('what topic reassign plan prints in %s is a plan', async (format) => {
  const broker: ScriptedBroker = await startScriptedBroker(
    operatorScript({
      Metadata: () =>
        clusterAnswer(
          [1, 2].map((id) => ({ id, ...broker.address })),
          [topic],
        ),
      ListPartitionReassignments: ongoingAnswer([]),
    }),
  );
  const topic = { name: 'foo', partitions: [{ partition: 0, leader: 1, replicas: [1] }] };
  const env = { WEIR_BROKERS: `127.0.0.1:${broker.address.port}` };
  const plan = await run(`topic reassign plan foo --brokers 2 --format ${format}`, { env });
  const done = await run('topic reassign execute - --dry-run --no-headers', { env, stdin: plan.stdout });
  await broker.close();
  expect(done).toMatchObject({ stdout: 'foo  0  [1]  [2]  OK (dry run)\n', exitCode: 0 });
});

import { expect, test } from 'vitest';
import { noTransactionsAnswer } from '../services/access-answers.ts';
import { layouts } from '../services/layouts.ts';
import { clusterAnswer, operatorScript, operatorVersions } from '../services/operator-answers.ts';
import { type ScriptedBroker, startScriptedBroker } from '../services/scripted-broker.ts';
import { run } from '../world.ts';
import { act, scenes } from './operator-scenes.ts';

/** The APIs whose version 0 weir does not speak, with their keys and the versions that it does. */
const needed = new Map([
  ['OffsetCommit', [8, 'versions 2 to 9']],
  ['WriteTxnMarkers', [27, 'version 1']],
  ['CreateAcls', [30, 'versions 1 to 3']],
  ['DeleteAcls', [31, 'versions 1 to 3']],
  ['CreatePartitions', [37, 'versions 1 to 3']],
  ['ElectLeaders', [43, 'versions 1 to 2']],
] as const);

const cases = [...needed].map(([api, [key, versions]]) => {
  const scene = scenes.find((one) => one.api === api);
  if (scene === undefined) throw new Error(`no scene with ${api}`);
  return { ...scene, key, versions };
});

test.each(cases)('$line names the version that it needs', async ({ key, versions, ...scene }) => {
  const script = { ...scene.script, ApiVersions: operatorVersions([[key, 0, 0]]) };
  const { stdout, stderr, exitCode, sent } = await act({ ...scene, script }, [scene.answer([0])]);
  expect({ exitCode, sent }).toEqual({ exitCode: 1, sent: 0 });
  expect(`${stdout}${stderr}`).toContain(` supports ${scene.api} version 0, weir supports ${versions}`);
});

test.each(scenes)('$line says that the broker has no such API', async (scene) => {
  const key = keys.get(scene.api);
  if (key === undefined) throw new Error(`no key of ${scene.api}`);
  const script = { ...scene.script, ApiVersions: operatorVersions([[key, 0, -1]]) };
  const { stdout, stderr, exitCode, sent } = await act({ ...scene, script }, [scene.answer([0])]);
  expect({ exitCode, sent }).toEqual({ exitCode: 1, sent: 0 });
  expect(`${stdout}${stderr}`).toContain(` does not support ${scene.api}`);
});

const keys = new Map(layouts.map(({ name, key }) => [name, key]));

test('transactions are not listed by age if a broker would list all of them', async () => {
  const broker: ScriptedBroker = await startScriptedBroker(
    operatorScript({
      Metadata: () => clusterAnswer([{ id: 1, ...broker.address }], []),
      ListTransactions: noTransactionsAnswer(),
    }),
  );
  const world = { env: { WEIR_BROKERS: `127.0.0.1:${broker.address.port}` } };
  expect(await run('cluster txn list --older-than 10m', world)).toEqual({
    stdout: '',
    stderr: `weir: unable to select transactions by age: broker 1 does not support it
hint: list the transactions without --older-than
`,
    exitCode: 1,
  });
  expect(await run('cluster txn list', world)).toMatchObject({ exitCode: 0 });
  await broker.close();
});

import { expect, test } from 'vitest';
import '../../services/services.ts';
import { showHostPort } from '../../../src/net/address.ts';
import { startScriptedBroker } from '../../services/scripted-broker.ts';
import { run } from '../../world.ts';
import { adminWorld } from './limited-world.ts';

test('cluster features prints supported and finalized levels', async () => {
  const { stdout, stderr, exitCode } = await run('cluster features', adminWorld());
  expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
  const [head, ...rows] = stdout.replace(/ +/g, ' ').split('\n');
  expect(head).toBe('FEATURE SUPPORTED-MIN SUPPORTED-MAX FINALIZED-LEVEL EPOCH');
  // The level of Kafka 3.3 is the lowest that Kafka 4 supports; the sandbox uses the newest.
  expect(rows).toContainEqual(expect.stringMatching(/^metadata\.version 7 (\d+) \1 \d+$/));
});

test('cluster features has the same in json', async () => {
  const { stdout } = await run('cluster features --format json', adminWorld());
  const level = expect.any(Number);
  expect(JSON.parse(stdout)).toContainEqual({
    ...{ feature: 'transaction.version', supported_min: 0, supported_max: level, finalized_level: level },
    epoch: level,
  });
});

test('cluster features says so when the broker reports none', async () => {
  await using broker = await startScriptedBroker();
  const env = { WEIR_BROKERS: showHostPort(broker.address) };
  expect(await run('cluster features --format json', { env })).toEqual({
    stdout: '[]\n',
    stderr: 'the broker reports no features\n',
    exitCode: 0,
  });
});

test('cluster features exits with 5 when no broker can be reached', async () => {
  const env = { WEIR_BROKERS: '127.0.0.1:1', WEIR_GLOBALS_RETRY_TIMEOUT: '0s' };
  expect((await run('cluster features', { env })).exitCode).toBe(5);
});

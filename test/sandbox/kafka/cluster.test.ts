import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { logOf, untilReady } from '../../../src/sandbox/kafka/cluster.ts';
import { freePorts } from '../../../src/sandbox/ports.ts';
import { temporaryDirectory } from '../../world.ts';
import { bareMachine } from '../machine.ts';

const machine = bareMachine();

/** Waits for a broker that has exited and left this log. */
async function waitForDead(log: readonly string[]): Promise<unknown> {
  const directory = temporaryDirectory();
  const [port = 0] = await freePorts(1);
  const listener = { name: 'INTERNAL', bind: { host: '127.0.0.1', port } };
  const node = { id: 2, directory, seenAs: directory, listeners: [], internal: listener, controller: listener };
  await writeFile(logOf(directory), `${log.join('\n')}\n`);
  const waiting = untilReady(machine, [{ node, sandbox: 'box', isAlive: async () => false }], ({ bind }) => bind);
  return await waiting.catch((error: Error) => ({ ...error, message: error.message.replace(directory, 'DIRECTORY') }));
}

test.each([
  [
    'the port that was in use, although other errors follow it',
    ['INFO starting', 'Exception: Address already in use ', '[main] ERROR Exiting Kafka', 'INFO App info unregistered'],
    'Exception: Address already in use',
  ],
  [
    'its last error',
    ['[main] ERROR first', '[main] ERROR Exiting Kafka', 'INFO App info unregistered'],
    '[main] ERROR Exiting Kafka',
  ],
  ['its last line, without an error', ['INFO starting', 'Killed'], 'Killed'],
])('a broker that exits while it starts is reported with %s', async (_, log, reason) => {
  expect(await waitForDead(log)).toMatchObject({
    exitCode: 1,
    message: `unable to start broker 2: Kafka exited: ${reason}`,
    hints: [expect.stringMatching(/^read its log: .*kafka\.log$/)],
  });
});

test('a broker that exits because its port was taken names the port', async () => {
  const line = 'KafkaException: Socket server failed to bind to 127.0.0.1:9092: Address already in use.';
  expect(await waitForDead([line, '[main] ERROR Exiting Kafka'])).toMatchObject({
    exitCode: 6,
    code: 'PORT_IN_USE',
    message: 'unable to start the sandbox "box": port 9092 is in use',
  });
});

test('a broker that exits without a log is reported', async () => {
  const directory = temporaryDirectory();
  const listener = { name: 'INTERNAL', bind: { host: '127.0.0.1', port: 1 } };
  const node = { id: 1, directory, seenAs: directory, listeners: [], internal: listener, controller: listener };
  await expect(
    untilReady(machine, [{ node, sandbox: 'box', isAlive: async () => false }], ({ bind }) => bind),
  ).rejects.toMatchObject({
    exitCode: 1,
    hints: [`read its log: ${join(directory, 'kafka.log')}`],
  });
});

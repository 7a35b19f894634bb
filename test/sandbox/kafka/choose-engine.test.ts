import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { chooseEngine } from '../../../src/sandbox/kafka/choose-engine.ts';
import type { Machine } from '../../../src/sandbox/machine.ts';
import { temporaryDirectory } from '../../world.ts';
import { bareMachine } from '../machine.ts';

/** A machine with Java and the libraries of one version of Kafka, but without Maven. */
async function machineWith(kafkaVersion: string): Promise<Machine> {
  const directory = temporaryDirectory();
  await mkdir(join(directory, 'weir/kafka', kafkaVersion), { recursive: true });
  await writeFile(join(directory, 'java'), `#!/bin/sh\necho 'openjdk version "21.0.1"' >&2\n`);
  await chmod(join(directory, 'java'), 0o755);
  return bareMachine({ env: { XDG_CACHE_HOME: directory, PATH: directory } });
}

const request = { brokers: 1, engine: 'java', tls: false, mtls: false, sasl: undefined, port: undefined } as const;

test.each([
  ['4.0.0', '4.0.0'],
  ['4.1.1', undefined],
])('Maven is not needed for the libraries that are there: %s for --kafka-version %s', async (stored, kafkaVersion) => {
  expect(await chooseEngine(await machineWith(stored), { ...request, kafkaVersion })).toBe('java');
});

test.each([
  ['4.1.1', '4.0.0'],
  ['4.0.0', undefined],
])('the libraries of another version do not help: %s for --kafka-version %s', async (stored, kafkaVersion) => {
  await expect(chooseEngine(await machineWith(stored), { ...request, kafkaVersion })).rejects.toThrow('no Maven');
});

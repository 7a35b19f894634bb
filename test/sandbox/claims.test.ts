import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { adminState } from '../../src/sandbox/admin/part.ts';
import { readClaims, whileChoosingPorts } from '../../src/sandbox/claims.ts';
import { controlPlaneState, planControlPlane } from '../../src/sandbox/cloud/part.ts';
import { kafkaState } from '../../src/sandbox/kafka/state.ts';
import { registryState } from '../../src/sandbox/registry/part.ts';
import { temporaryDirectory } from '../world.ts';
import { newMachine } from './machine.ts';

/** Writes the state of a Kafka with these brokers, each as its three ports. */
async function writeKafka(root: string, name: string, brokers: readonly (readonly [number, number, number])[]) {
  await kafkaState.write(join(root, name, 'kafka'), {
    kafkaVersion: '4.1.1',
    engine: 'java',
    clusterId: 'c',
    user: null,
    security: { tls: false, mtls: false, sasl: null },
    brokers: brokers.map(([port, internalPort, controllerPort], at) => {
      return { id: at + 1, port, internalPort, controllerPort, process: null, container: null };
    }),
  });
}

test('every port of every sandbox is claimed by its name, and ports that are not used by nobody', async () => {
  const home = temporaryDirectory();
  const root = join(home, '.local/state/weir/sandbox');
  await writeKafka(root, 'a', [
    [1, 2, 3],
    [4, 5, 6],
  ]);
  await writeKafka(root, 'b', [[7, 0, 0]]);
  const plan = { ...(await planControlPlane()), port: 8 };
  await controlPlaneState.write(join(root, 'b', 'control-plane'), plan);
  await registryState.write(join(root, 'b', 'registry'), { version: '3.0.9', port: 9, process: null });
  await adminState.write(join(root, 'b', 'admin'), { port: 10, process: null });
  mkdirSync(join(root, 'broken/kafka'), { recursive: true });
  writeFileSync(join(root, 'broken/kafka/kafka.json'), '{');
  const claims = await readClaims(newMachine({ home }), ['a', 'b', 'broken', 'none']);
  expect([...claims].map(([port, name]) => `${port}${name}`)).toEqual([
    '1a',
    '2a',
    '3a',
    '4a',
    '5a',
    '6a',
    '7b',
    '8b',
    '9b',
    '10b',
  ]);
  expect([...(await readClaims(newMachine({ home }), ['b'])).keys()]).toEqual([7, 8, 9, 10]);
});

test('only one sandbox chooses ports at a time', async () => {
  const machine = newMachine({ home: temporaryDirectory() });
  const order: string[] = [];
  const choose = (name: string) =>
    whileChoosingPorts(machine, async () => {
      order.push(`${name} starts`);
      await new Promise((resolve) => setTimeout(resolve, 20));
      order.push(`${name} ends`);
      return name;
    });
  expect(await Promise.all([choose('a'), choose('b')])).toEqual(['a', 'b']);
  expect([order[0]?.split(' ')[0], order[2]?.split(' ')[0]]).toEqual([order[1], order[3]].map((x) => x?.split(' ')[0]));
  expect(readdirSync(join(String(machine.home), '.local/state/weir/sandbox'))).toEqual([]);
});

import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { adminState, createAdminPart, planAdmin } from '../../../src/sandbox/admin/part.ts';
import { readProgramOptions } from '../../../src/sandbox/admin/program-options.ts';
import type { Part } from '../../../src/sandbox/part.ts';
import { freePorts } from '../../../src/sandbox/ports.ts';
import { keptCode } from '../../kept-code.ts';
import { temporaryDirectory } from '../../world.ts';
import { newMachine } from '../machine.ts';

const entry = fileURLToPath(new URL('../../../src/sandbox/admin/entry.ts', import.meta.url));
const env = { ...process.env, ...keptCode };

let directory: string;
beforeEach(() => {
  directory = temporaryDirectory();
});

/** Opens an Admin API beside three brokers that are not there. */
async function open(program = entry): Promise<Part> {
  const state = (await adminState.read(directory)) ?? (await planAdmin(3));
  const brokers = (await freePorts(3)).map((port, index) => ({ id: index + 1, host: '127.0.0.1', port }));
  const options = { brokers: brokers.map(({ port }) => `127.0.0.1:${port}`).join(',') };
  const part = createAdminPart({ directory, entry: program, sandbox: 'test', kafka: { options, brokers } }, state);
  onTestFinished(() => part.stop('atOnce'));
  return part;
}

const hostsOf = (part: Part) => part.options()['admin.hosts']?.split(',') ?? [];

test('it starts one process with a node per broker, even if no broker can be reached', async () => {
  const part = await open();
  await part.start(newMachine({ env }));
  const members = await part.status();
  expect(members.map(({ id, state }) => [id, state])).toEqual([1, 2, 3].map((id) => [id, 'running']));
  expect(members.map(({ address }) => address)).toEqual(hostsOf(part));
  const health = await fetch(`http://${hostsOf(part)[2]}/v1/cluster/health_overview`);
  expect(await health.json()).toMatchObject({ is_healthy: false, nodes_down: [1, 2, 3] });
  await part.start(newMachine({ env })); // a second start changes nothing
  expect(await part.status()).toEqual(members);
  for (const file of ['admin.json', 'options.json'])
    expect((await stat(join(directory, file))).mode & 0o777).toBe(0o600);
  await part.stop('gently');
  expect((await part.status()).map(({ state }) => state)).toEqual(['stopped', 'stopped', 'stopped']);
});

test.each([0, 2])('a port that is in use at address %d is reported', async (index) => {
  const part = await open();
  const [host, port] = hostsOf(part)[index]?.split(':') ?? [];
  const other = createServer().listen(Number(port), host);
  onTestFinished(() => void other.close());
  await once(other, 'listening');
  await expect(part.start(newMachine({ env }))).rejects.toMatchObject({
    code: 'PORT_IN_USE',
    target: port,
  });
  expect((await part.status())[0]?.state).toBe('stopped');
});

test('a program that exits immediately is an error', async () => {
  const part = await open(join(directory, 'missing.js'));
  const starting = part.start(newMachine({ env }));
  await expect(starting).rejects.toThrow('unable to start the Admin API: the program exited: Error: Cannot find');
});

test.each(['{}', '{"kafka":{}}', '{"kafka":{"brokers":[]}}', 'nonsense'])(
  'the program refuses the options %s',
  (text) => {
    expect(() => readProgramOptions(text)).toThrow();
  },
);

import { expect, test } from 'vitest';
import type { Engine, Running } from '../../../src/sandbox/kafka/engine.ts';
import { openKafkaPart } from '../../../src/sandbox/kafka/part.ts';
import { freePorts } from '../../../src/sandbox/ports.ts';
import { temporaryDirectory } from '../../world.ts';
import { bareMachine } from '../machine.ts';

const machine = bareMachine();

const process = { pid: 1, startedAt: 'then' };
const dead: Running = { process: null, container: null };

/** Starts two brokers, of which these run already, with an engine whose new brokers exit at once. */
async function startWith(running: readonly number[]) {
  const directory = temporaryDirectory();
  const ports = await freePorts(6);
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = ports;
  const state = (id: number) => (running.includes(id) ? { process, container: null } : dead);
  const brokers = [
    { id: 1, port: a, internalPort: b, controllerPort: c, ...state(1) },
    { id: 2, port: d, internalPort: e, controllerPort: f, ...state(2) },
  ];
  const seen = { internalPorts: [] as number[], launched: [] as number[], stopped: 0 };
  const engine: Engine = {
    layout: () => ({ directory, bindHost: '127.0.0.1', innerHost: '127.0.0.1' }),
    async prepare(_, nodes) {
      seen.internalPorts = nodes.map(({ internal }) => internal.bind.port);
    },
    async launch(_, node) {
      seen.launched.push(node.id);
      return { process: null, container: `new ${node.id}` };
    },
    isRunning: async (broker) => broker.process !== null,
    async stop(broker) {
      if (broker.container !== null) seen.stopped += 1;
    },
  };
  const part = openKafkaPart(
    { directory, engine, sandbox: 'sandbox' },
    {
      kafkaVersion: '4.1.1',
      engine: 'java',
      clusterId: 'id',
      security: { tls: false, mtls: false, sasl: null },
      user: null,
      brokers,
    },
  );
  const outcome = await part.start(machine).catch((error: Error) => error.message);
  return { ...seen, outcome, before: [b, e] };
}

test('a broker that is missing is started with the ports that the running one knows', async () => {
  const { internalPorts, before, launched, stopped, outcome } = await startWith([1]);
  expect({ internalPorts, launched, stopped }).toEqual({ internalPorts: before, launched: [2], stopped: 1 });
  expect(outcome).toContain('unable to start broker 2: Kafka exited');
});

test('when no broker runs, all get new internal ports, because the old ones may be taken', async () => {
  const { internalPorts, before, launched, stopped } = await startWith([]);
  expect(internalPorts).toHaveLength(2);
  expect(internalPorts.filter((port) => before.includes(port))).toEqual([]);
  expect({ launched, stopped }).toEqual({ launched: [1, 2], stopped: 2 });
});

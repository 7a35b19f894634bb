import { writeClassArchive } from '../class-archive.ts';
import type { Machine } from '../machine.ts';
import { freePorts } from '../ports.ts';
import { countBrokers } from './answers.ts';
import { brokerArguments, prepare } from './cluster.ts';
import { localAddress } from './layout.ts';
import { innerListeners, type Node } from './properties.ts';
import { newClusterId, type Runtime } from './storage.ts';

/** Prepares faster starts of Kafka, once for each Java. */
export async function trainKafka(machine: Machine, runtime: Runtime): Promise<void> {
  const [client = 0, internal = 0, controller = 0] = await freePorts(3);
  const bind = (port: number) => ({ host: localAddress, port });
  await writeClassArchive(machine, runtime, {
    name: 'Kafka',
    async begin(directory) {
      const node: Node = {
        id: 1,
        directory,
        seenAs: directory,
        listeners: [{ name: 'PLAINTEXT', bind: bind(client) }],
        internal: { name: innerListeners.internal, bind: bind(internal) },
        controller: { name: innerListeners.controller, bind: bind(controller) },
      };
      await prepare(machine, runtime, [node], { clusterId: newClusterId(), users: [] });
      return brokerArguments(runtime, node);
    },
    isReady: async () => (await countBrokers(bind(internal))) === 1,
    // A broker that answers has loaded almost everything.
    use: async () => {},
  });
}

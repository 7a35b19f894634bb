import { usageError } from '../../errors.ts';
import { isRunning } from '../../files/process-id.ts';
import { writeClassArchive } from '../class-archive.ts';
import { findJava, findProgram, oldestJava } from '../java.ts';
import type { Machine } from '../machine.ts';
import { freePorts } from '../ports.ts';
import { stop } from '../process.ts';
import { countBrokers } from './answers.ts';
import { brokerArguments, launchBroker, prepare } from './cluster.ts';
import type { Engine } from './engine.ts';
import { localAddress } from './layout.ts';
import { hasLibraries, resolveLibraries } from './libraries.ts';
import { innerListeners, type Node } from './properties.ts';
import { newClusterId, type Runtime } from './storage.ts';

/** Runs Kafka as Java processes on this machine. */
export function javaEngine(kafkaVersion: string, brokers: number): Engine {
  let runtime: Promise<Runtime> | undefined;
  const get = (machine: Machine): Promise<Runtime> => {
    runtime ??= findRuntime(machine, kafkaVersion, brokers === 1 ? 512 : 384);
    return runtime;
  };
  return {
    layout: (directory) => ({ directory, bindHost: localAddress, innerHost: localAddress }),
    async prepare(machine, nodes, format) {
      await prepare(machine, await get(machine), nodes, format);
    },
    async launch(machine, node) {
      return { process: await launchBroker(machine, await get(machine), node), container: null };
    },
    isRunning: async ({ process }) => process !== null && (await isRunning(process)),
    async stop({ process }, graceMs) {
      if (process !== null) await stop(process, { graceMs });
    },
  };
}

async function findRuntime(machine: Machine, kafkaVersion: string, heapMb: number): Promise<Runtime> {
  const java = await findJava(machine);
  if (java === undefined || java.major < oldestJava) {
    throw usageError(`unable to start Kafka: it needs Java ${oldestJava} or newer`, {
      hints: ['set JAVA_HOME, or add java to PATH'],
    });
  }
  const isFirst = !(await hasLibraries(machine, kafkaVersion));
  const libraries = await resolveLibraries(machine, kafkaVersion, await findProgram(machine, 'mvn'));
  const runtime = { java: java.file, libraries, heapMb };
  // The first start has waited for the download, and may be the only one.
  if (!isFirst) await trainKafka(machine, runtime);
  return runtime;
}

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

import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { execa } from 'execa';
import { CliError, exitCodes } from '../../errors.ts';
import { findProgram } from '../java.ts';
import { execution, type Machine } from '../machine.ts';
import { writeConfigurations } from './cluster.ts';
import type { Engine } from './engine.ts';
import type { Node } from './properties.ts';
import { type Format, formatArguments } from './storage.ts';

/** The mount point of the part's directory inside a container. */
const inside = '/sandbox';

/** What a container is created from. */
export interface ContainerSpec {
  readonly program: 'docker' | 'podman';
  /** The sandbox's name. Containers are named `weir-NAME-ID` and their network `weir-NAME`. */
  readonly sandbox: string;
  readonly kafkaVersion: string;
  /** The owner of the files; absent on systems without user ids. */
  readonly user?: { readonly uid: number; readonly gid: number };
}

/** Runs Kafka in Docker or Podman containers. */
export function containerEngine(spec: ContainerSpec, env: Machine['env']): Engine {
  const run = (args: readonly string[], signal?: AbortSignal): Promise<string> => runProgram(spec, args, env, signal);
  return {
    layout: (_directory, _state, broker) => ({
      directory: inside,
      bindHost: '0.0.0.0',
      innerHost: containerName(spec, broker.id),
    }),
    async prepare(machine, nodes, format) {
      await writeConfigurations(nodes);
      for (const node of nodes) await writeScript(node, format);
      await run(['image', 'inspect', imageOf(spec)], machine.signal).catch(() => {
        machine.progress(`pulling image ${imageOf(spec)}`);
        return run(['pull', imageOf(spec)], machine.signal);
      });
      await run(['network', 'create', networkOf(spec)], machine.signal).catch(() => undefined); // it may already exist
    },
    async launch(machine, node) {
      // Not interrupted: a container whose id is not known could not be removed.
      const container = (await run(createArguments(spec, node))).trim().split('\n').at(-1) ?? '';
      try {
        machine.signal.throwIfAborted();
        await run(['start', container], machine.signal);
      } catch (error) {
        await run(['rm', '--force', container]).catch(() => undefined);
        throw error;
      }
      return { process: null, container };
    },
    async isRunning({ container }) {
      if (container === null) return false;
      const answer = await run(['inspect', '--format', '{{.State.Running}}', container]).catch(() => 'false');
      return answer.trim() === 'true';
    },
    async stop({ container }, graceMs) {
      if (container === null) return;
      await run(['stop', '--time', String(Math.ceil(graceMs / 1000)), container]).catch(() => undefined);
      await run(['rm', '--force', container]).catch(() => undefined);
      await run(['network', 'rm', networkOf(spec)]).catch(() => undefined); // fails while other brokers use it
    },
  };
}

/** The user who should own the files that containers write; empty on systems without user ids. */
export function owner(): Pick<ContainerSpec, 'user'> {
  const { uid, gid } = userInfo();
  return uid < 0 ? {} : { user: { uid, gid } };
}

/** Checks whether the program is installed and its engine answers. */
export async function hasEngine(machine: Machine, program: 'docker' | 'podman'): Promise<boolean> {
  const file = await findProgram(machine, program);
  if (file === undefined) return false;
  const { failed } = await execa(file, ['version'], {
    ...execution(machine),
    timeout: 10_000,
  });
  return !failed;
}

/** The arguments that make `docker` create a broker's container. Passwords are in the mounted files, not here. */
export function createArguments(spec: ContainerSpec, node: Node): readonly string[] {
  const ports = [...node.listeners, node.internal].map(({ bind }) => `127.0.0.1:${bind.port}:${bind.port}`);
  const place = basename(node.directory);
  const asUser = spec.user === undefined ? [] : ['--user', `${spec.user.uid}:${spec.user.gid}`];
  return [
    'create',
    '--name',
    containerName(spec, node.id),
    '--network',
    networkOf(spec),
    ...ports.flatMap((port) => ['--publish', port]),
    '--volume',
    `${dirname(node.directory)}:${inside}${spec.program === 'podman' ? ':Z' : ''}`,
    ...(spec.program === 'podman' ? ['--userns', 'keep-id'] : asUser),
    '--env',
    'KAFKA_HEAP_OPTS=-Xmx512m',
    '--env',
    `LOG_DIR=${inside}/${place}/logs`,
    '--entrypoint',
    '/bin/bash',
    imageOf(spec),
    `${inside}/${place}/run.sh`,
  ];
}

/** The script that a container runs: it formats the data directory if necessary, then runs the broker. */
export function containerScript(node: Node, format: Format): string {
  const config = `${node.seenAs}/server.properties`;
  const words = formatArguments(config, format).map((word) => `'${word}'`);
  return `exec >>'${node.seenAs}/kafka.log' 2>&1
/opt/kafka/bin/kafka-storage.sh ${words.join(' ')} && exec /opt/kafka/bin/kafka-server-start.sh '${config}'
`;
}

async function writeScript(node: Node, format: Format): Promise<void> {
  const file = join(node.directory, 'run.sh');
  await mkdir(node.directory, { recursive: true, mode: 0o700 });
  await writeFile(file, containerScript(node, format), { mode: 0o700 });
  await chmod(file, 0o700);
}

function imageOf(spec: ContainerSpec): string {
  return `apache/kafka:${spec.kafkaVersion}`;
}

function networkOf(spec: ContainerSpec): string {
  return `weir-${spec.sandbox}`;
}

function containerName(spec: ContainerSpec, id: number): string {
  return `weir-${spec.sandbox}-${id}`;
}

async function runProgram(
  spec: ContainerSpec,
  args: readonly string[],
  env: Machine['env'],
  signal?: AbortSignal,
): Promise<string> {
  // By its path: Windows would look in the working directory first, which may be full of files of someone else.
  const file = (await findProgram({ env }, spec.program)) ?? spec.program;
  const { failed, stdout, stderr } = await execa(file, [...args], {
    env: { ...env },
    extendEnv: false,
    reject: false,
    stdin: 'ignore',
    // What must not be interrupted is out of reach of Ctrl-C on the terminal as well.
    ...(signal === undefined ? { detached: true } : { cancelSignal: signal }),
  });
  signal?.throwIfAborted();
  if (!failed) return stdout;
  const telling = stderr.trim().split('\n').at(-1) ?? '';
  throw new CliError(exitCodes.failure, `unable to start Kafka: ${spec.program} ${args[0] ?? ''} failed: ${telling}`);
}

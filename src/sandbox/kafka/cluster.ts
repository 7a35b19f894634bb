import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { CliError, exitCodes, unreachableError } from '../../errors.ts';
import type { ProcessId } from '../../files/process-id.ts';
import { sharedClasses } from '../class-archive.ts';
import { lastLines } from '../logs.ts';
import type { Machine } from '../machine.ts';
import { portInUseError } from '../ports.ts';
import { launch } from '../process.ts';
import { answers, countBrokers, type Question } from './answers.ts';
import { type Node, serverProperties } from './properties.ts';
import { type Format, formatStorage, javaOptions, type Runtime } from './storage.ts';

/** How long a cluster may take to start answering, in milliseconds. */
const startLimitMs = 120_000;

/** The log file of a node. */
export function logOf(directory: string): string {
  return join(directory, 'kafka.log');
}

/**
 * Writes the configuration of every node and formats the data directories that are missing. When it fails, nothing is
 * being written any more, so that the directories can be removed.
 */
export async function prepare(
  machine: Machine,
  runtime: Runtime,
  nodes: readonly Node[],
  format: Format,
): Promise<void> {
  await writeConfigurations(nodes);
  const formatted = await Promise.allSettled(nodes.map((node) => formatStorage(machine, runtime, node, format)));
  for (const one of formatted) if (one.status === 'rejected') throw one.reason;
}

/** Writes the configuration of every node. */
export async function writeConfigurations(nodes: readonly Node[]): Promise<void> {
  for (const node of nodes) {
    await mkdir(node.directory, { recursive: true, mode: 0o700 });
    await writeFile(join(node.directory, 'server.properties'), serverProperties(node, nodes), { mode: 0o600 });
  }
}

/** Starts the broker of a prepared node; it outlives this process. */
export async function launchBroker(machine: Machine, runtime: Runtime, node: LaunchedNode): Promise<ProcessId> {
  return launch({
    file: runtime.java,
    args: [...(await sharedClasses(runtime)), ...brokerArguments(runtime, node)],
    cwd: node.directory,
    env: machine.env,
    log: logOf(node.directory),
  });
}

/** What the arguments of a broker depend on. */
type LaunchedNode = Pick<Node, 'directory'> & Partial<Pick<Node, 'listeners'>>;

/** The arguments of Java that run the broker of a prepared node, without an archive of classes. */
export function brokerArguments(runtime: Runtime, { directory, listeners }: LaunchedNode): readonly string[] {
  const encrypts = listeners?.some(({ tls }) => tls !== undefined) ?? false;
  return [
    ...javaOptions(runtime.heapMb, { encrypts }),
    '-Dorg.slf4j.simpleLogger.showDateTime=true',
    '-Dorg.slf4j.simpleLogger.dateTimeFormat=yyyy-MM-dd HH:mm:ss,SSS',
    '-Dorg.slf4j.simpleLogger.log.org.apache.kafka.common.config=warn',
    '-Dorg.slf4j.simpleLogger.log.kafka.server.KafkaConfig=warn',
    '-cp',
    `${runtime.libraries}/*`,
    'kafka.Kafka',
    join(directory, 'server.properties'),
  ];
}

/** A started broker and a check that it is still alive. */
export interface Started {
  readonly node: Node;
  /** The sandbox's name, for messages. */
  readonly sandbox: string;
  isAlive(): Promise<boolean>;
}

/**
 * Waits until every broker answers on all its listeners and knows all other brokers.
 * @throws CliError with the end of the log when a broker exits first
 */
export async function untilReady(machine: Machine, brokers: readonly Started[], ask: Asker): Promise<void> {
  const giveUpAt = performance.now() + startLimitMs;
  for (const { node } of brokers) {
    const firstMissing = () => silentListener(node, brokers.length, ask);
    for (let missing = await firstMissing(); missing !== undefined; missing = await firstMissing()) {
      machine.signal.throwIfAborted();
      await checkAlive(brokers);
      if (performance.now() > giveUpAt) throw await silent(node, missing);
      await delay(100, undefined, { signal: machine.signal }).catch(() => machine.signal.throwIfAborted());
    }
  }
}

async function checkAlive(brokers: readonly Started[]): Promise<void> {
  for (const broker of brokers) if (!(await broker.isAlive())) throw await ended(broker);
}

/** Tells how to probe a listener from this machine. */
export type Asker = (listener: Node['internal']) => Question;

/** Returns the name of the first listener that does not answer yet; undefined when all answer. */
async function silentListener(node: Node, brokers: number, ask: Asker): Promise<string | undefined> {
  if ((await countBrokers(ask(node.internal))) !== brokers) return node.internal.name;
  for (const listener of node.listeners) if (!(await answers(ask(listener)))) return listener.name;
  return undefined;
}

async function ended({ node, sandbox }: Started): Promise<CliError> {
  const lines = await lastLines(logOf(node.directory), 200);
  const bound = lines.findLast((line) => line.includes('Address already in use'));
  // "Socket server failed to bind to HOST:PORT: Address already in use.", followed by a cause without the port
  const [port] = lines.flatMap((line) => /:(\d+): Address already in use/.exec(line)?.[1] ?? []);
  if (port !== undefined) return portInUseError(sandbox, Number(port));
  const reason = bound ?? lines.findLast((line) => / ERROR |Exception|Error:/.test(line)) ?? lines.at(-1) ?? '';
  return new CliError(exitCodes.failure, `unable to start broker ${node.id}: Kafka exited: ${reason.trim()}`, {
    hints: [`read its log: ${logOf(node.directory)}`],
    cause: new Error(lines.join('\n')),
  });
}

async function silent(node: Node, listener: string): Promise<CliError> {
  const lines = await lastLines(logOf(node.directory), 200);
  const message = `broker ${node.id} was started but its listener ${listener} did not answer within ${startLimitMs / 1000}s`;
  return unreachableError(message, {
    hints: [`read its log: ${logOf(node.directory)}`],
    cause: new Error(lines.join('\n')),
  });
}

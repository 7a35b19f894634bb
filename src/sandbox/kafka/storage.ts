import { randomBytes } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { CliError, exitCodes } from '../../errors.ts';
import type { Machine } from '../machine.ts';
import type { Mechanism, Node, User } from './properties.ts';

/** What a Java process of Kafka is started with. */
export interface Runtime {
  /** Path of the `java` program. */
  readonly java: string;
  /** The directory of the jars. */
  readonly libraries: string;
  readonly heapMb: number;
}

/** What a data directory is made with. */
export interface Format {
  readonly clusterId: string;
  /** Users that SCRAM knows from the first start on. */
  readonly users: readonly User[];
}

/** A new cluster id: 16 random bytes in base64url, never beginning with a dash (it stands on a command line). */
export function newClusterId(): string {
  const id = randomBytes(16).toString('base64url');
  return id.startsWith('-') ? newClusterId() : id;
}

/**
 * Options of the Java machine that make it start fast and stay small. Its quick compiler alone saves 0.4 s of a start,
 * but knows no AES instructions: a broker that encrypts has the other one as well, 300 MB/s instead of 30.
 */
export function javaOptions(heapMb: number, { encrypts = false } = {}): readonly string[] {
  const quick = encrypts ? [] : ['-XX:TieredStopAtLevel=1'];
  return [`-Xmx${heapMb}m`, ...quick, '-XX:+UseSerialGC', '-Xshare:auto', '-Djava.awt.headless=true'];
}

/** The words after `StorageTool` (or `kafka-storage.sh`) that make a data directory where there is none. */
export function formatArguments(config: string, { clusterId, users }: Format): readonly string[] {
  const scram: readonly Mechanism[] = ['SCRAM-SHA-256', 'SCRAM-SHA-512'];
  const credentials = users.flatMap(({ name, password }) =>
    scram.flatMap((mechanism) => ['--add-scram', `${mechanism}=[name=${name},password=${password}]`]),
  );
  return ['format', '--ignore-formatted', '--cluster-id', clusterId, '--config', config, ...credentials];
}

/** Makes the data directory of a node with Kafka's own tool. The passwords go through a file, not over the command line. */
export async function formatStorage(machine: Machine, runtime: Runtime, node: Node, format: Format): Promise<void> {
  const words = [
    ...javaOptions(128),
    '-cp',
    `${runtime.libraries}/*`,
    'kafka.tools.StorageTool',
    ...formatArguments(join(node.directory, 'server.properties'), format),
  ];
  const argumentFile = join(node.directory, 'format.args');
  await writeFile(argumentFile, words.map(quote).join('\n'), { mode: 0o600 });
  try {
    const { failed, all } = await execa(runtime.java, [`@${argumentFile}`], {
      env: { ...machine.env },
      extendEnv: false,
      stdin: 'ignore',
      all: true,
      reject: false,
      cancelSignal: machine.signal,
    });
    machine.signal.throwIfAborted();
    if (failed) throw unformatted(all);
  } finally {
    await rm(argumentFile, { force: true });
  }
}

/** A word of a Java argument file (JDK, "java Command-Line Argument Files"). */
function quote(word: string): string {
  return `"${word.replace(/[\\"]/g, '\\$&')}"`;
}

function unformatted(output: string): CliError {
  const telling = output.split('\n').findLast((line) => line.trim() !== '') ?? 'no output';
  return new CliError(exitCodes.failure, `unable to prepare Kafka's data directory: ${telling.trim()}`, {
    cause: new Error(output),
  });
}

/** The last lines of a log; empty when there is no log. */
export async function tail(log: string, lines: number): Promise<readonly string[]> {
  const text = await readFile(log, 'utf8').catch(() => '');
  return text.trimEnd().split('\n').slice(-lines);
}

import { randomBytes } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { CliError, exitCodes } from '../../errors.ts';
import { sharedClasses } from '../class-archive.ts';
import { execution, type Machine } from '../machine.ts';
import { exists } from '../maven.ts';
import type { Mechanism, Node, User } from './properties.ts';

/** What is needed to run Kafka's Java programs. */
export interface Runtime {
  /** Path of the `java` program. */
  readonly java: string;
  /** The directory that holds the jars. */
  readonly libraries: string;
  readonly heapMb: number;
}

/** What a data directory is formatted with. */
export interface Format {
  readonly clusterId: string;
  /** The users whose SCRAM credentials exist from the first start. */
  readonly users: readonly User[];
}

/** Creates a cluster id: 16 random bytes in base64url, never starting with a dash (it is used on a command line). */
export function newClusterId(): string {
  const id = randomBytes(16).toString('base64url');
  return id.startsWith('-') ? newClusterId() : id;
}

/**
 * The JVM options for a fast start and a small footprint. Using only the quick compiler (C1) saves 0.4 s at startup,
 * but C1 does not use AES instructions. A broker with TLS therefore also gets C2, for 300 MB/s instead of 30. Counters for
 * `jps` and `jstat` cost 0.1 s.
 */
export function javaOptions(heapMb: number, { encrypts = false } = {}): readonly string[] {
  const quick = encrypts ? [] : ['-XX:TieredStopAtLevel=1'];
  const always = ['-XX:+UseSerialGC', '-XX:-UsePerfData', '-Xshare:auto', '-Djava.awt.headless=true'];
  return [`-Xmx${heapMb}m`, ...quick, ...always];
}

/** The arguments that make `StorageTool` (or `kafka-storage.sh`) format a data directory if necessary. */
export function formatArguments(config: string, { clusterId, users }: Format): readonly string[] {
  const scram: readonly Mechanism[] = ['SCRAM-SHA-256', 'SCRAM-SHA-512'];
  const credentials = users.flatMap(({ name, password }) =>
    scram.flatMap((mechanism) => ['--add-scram', `${mechanism}=[name=${name},password=${password}]`]),
  );
  return ['format', '--ignore-formatted', '--cluster-id', clusterId, '--config', config, ...credentials];
}

/**
 * Formats a node's data directory with Kafka's own tool, unless it is formatted. Passwords are passed in a file, not on the
 * command line.
 */
export async function formatStorage(machine: Machine, runtime: Runtime, node: Node, format: Format): Promise<void> {
  // The tool writes this file last, and does nothing to a directory that has it. It takes half a second to say so.
  if (await exists(join(node.directory, 'data/meta.properties'))) return;
  const words = [
    ...(await sharedClasses(runtime)),
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
      ...execution(machine),
      all: true,
    });
    machine.signal.throwIfAborted();
    if (failed) throw unformatted(all);
  } finally {
    await rm(argumentFile, { force: true });
  }
}

/** Quotes a word for a Java argument file (JDK, "java Command-Line Argument Files"). */
function quote(word: string): string {
  return `"${word.replace(/[\\"]/g, '\\$&')}"`;
}

function unformatted(output: string): CliError {
  // The output ends with a stack trace; the last line before that says why.
  const reason = output.split('\n').findLast((line) => !/^\s*(at |\.\.\. |$)/.test(line)) ?? 'no output';
  return new CliError(exitCodes.failure, `unable to format the data directory of Kafka: ${reason.trim()}`, {
    cause: new Error(output),
  });
}

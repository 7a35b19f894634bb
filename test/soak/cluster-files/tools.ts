import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { execa } from 'execa';
import fc from 'fast-check';
import { stringify } from 'yaml';
import { kafkaToolsClassPath } from '../../bench/kafka-tools.ts';
import { randomFiles } from '../../cluster-file/random-files.ts';
import { startWeir, type WeirProcess } from '../weir-process.ts';

/** A weir that has ended. */
export interface Ended {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly peakMb: number;
  readonly seconds: number;
}

/** Starts weir with a file as its standard input; its output can be waited for. */
export function begin(
  brokers: string,
  words: readonly string[],
  file: string,
): WeirProcess & { ended: Promise<Ended> } {
  const running = startWeir(brokers, words, { stdin: 'pipe', stdout: 'pipe', env: { PASSWORD: 'secret' } });
  // One that is killed does not read its input to the end.
  running.child.stdin?.on('error', () => undefined).end(file);
  const stdout = text(running.child.stdout as Readable);
  return { ...running, ended: running.done.then(async (done) => ({ ...done, stdout: await stdout })) };
}

/** Runs weir with a file as its standard input. */
export async function weir(brokers: string, words: readonly string[], file = ''): Promise<Ended> {
  return await begin(brokers, words, file).ended;
}

/** The flags with which a file replaces whatever it owns. */
export const whole = ['--prune', '--max-deletes', '100000'];

/** Applies a file until the end, and finds that nothing differs afterwards. */
export async function converge(brokers: string, file: string, flags: readonly string[] = whole): Promise<Ended> {
  const applied = await weir(brokers, ['apply', '-', '--yes', ...flags], file);
  if (applied.exitCode !== 0)
    throw new Error(`apply ended with ${applied.exitCode}: ${applied.stderr}\n${applied.stdout}`);
  await findNothing(brokers, file, flags);
  return applied;
}

/** Requires that a file and the cluster do not differ. */
export async function findNothing(brokers: string, file: string, flags: readonly string[] = whole): Promise<void> {
  const left = await weir(brokers, ['diff', '-', ...flags], file);
  if (left.exitCode === 0 && left.stdout === '') return;
  throw new Error(`diff ended with ${left.exitCode}: ${left.stderr}\n${left.stdout}\n${file}`);
}

/** The number of rows in which a file and the cluster differ. */
export async function differences(brokers: string, file: string, flags: readonly string[] = whole): Promise<number> {
  const { exitCode, stdout, stderr } = await weir(brokers, ['diff', '-', '--format', 'json', ...flags], file);
  if (exitCode !== 0 && exitCode !== 10) throw new Error(`diff ended with ${exitCode}: ${stderr}`);
  return JSON.parse(stdout).length;
}

/** A file without schemas that owns what begins with a prefix, and has as many random parts with names of their own as `parts`. */
export function randomFile(prefix: string, seed: number, parts: number): string {
  const { subjects: _, ...owns } = randomFiles(prefix).owns;
  const merged: Record<string, unknown> = { weir: 1, owns };
  for (let part = 0; part < parts; part += 1) {
    const [{ schemas: __, ...sections } = {}] = fc.sample(randomFiles(`${prefix}-${part}`).files, {
      seed: seed * 1000 + part,
      numRuns: 1,
    });
    for (const [name, section] of Object.entries(sections)) {
      const before = merged[name];
      merged[name] = Array.isArray(section)
        ? [...((before ?? []) as unknown[]), ...section]
        : { ...(before as object | undefined), ...(section as object) };
    }
  }
  return stringify(merged);
}

/** The names of Kafka's scripts, and what they run. */
const scripts = {
  'kafka-topics': 'org.apache.kafka.tools.TopicCommand',
  'kafka-acls': 'org.apache.kafka.tools.AclCommand',
  'kafka-configs': 'kafka.admin.ConfigCommand',
} as const;

/** Runs one of Kafka's scripts, and returns what it prints. */
export async function kafkaScript(
  brokers: string,
  name: keyof typeof scripts,
  ...words: readonly string[]
): Promise<string> {
  const classPath = kafkaToolsClassPath(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'));
  if (classPath === undefined) throw new Error("the soak needs Kafka's tools, which Maven brings");
  const java = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-Dorg.slf4j.simpleLogger.defaultLogLevel=error'];
  const { stdout } = await execa('java', [
    ...java,
    '-cp',
    classPath,
    scripts[name],
    '--bootstrap-server',
    brokers,
    ...words,
  ]);
  return stdout;
}

import { execa } from 'execa';
import { services } from '../../services/services.ts';
import { withoutSlowLines } from '../../slow-lines.ts';
import { type Outcome, run, type World } from '../../world.ts';

let made = 0;

/** Runs a command line against the plaintext broker of this run; stderr is without lines that only slow runs have. */
export async function weir(line: string | readonly string[], world: World = {}): Promise<Outcome> {
  const outcome = await run(line, { ...world, env: { WEIR_BROKERS: services().plaintext, ...world.env } });
  return { ...outcome, stderr: withoutSlowLines(outcome.stderr) };
}

/** Creates a topic that no other test has and returns its name. */
export async function newTopic(partitions = 1, ...configs: string[]): Promise<string> {
  made += 1;
  const name = `records-${process.pid}-${made}-${Math.random().toString(36).slice(2, 8)}`;
  // Half a minute after its start a broker looks for records that are too old, and those of tests may be from any year.
  const flags = ['retention.ms=-1', ...configs].flatMap((config) => ['-c', config]);
  const { exitCode, stderr } = await weir(['topic', 'create', name, '-p', String(partitions), ...flags]);
  if (exitCode !== 0) throw new Error(stderr);
  return name;
}

/** Writes lines to a topic silently; fails the test if that fails. */
export async function fill(topic: string, lines: readonly string[], ...flags: string[]): Promise<void> {
  const stdin = lines.map((line) => `${line}\n`).join('');
  const { exitCode, stderr } = await weir(['topic', 'produce', topic, '-o', '', ...flags], { stdin });
  if (exitCode !== 0) throw new Error(stderr);
}

/** Deletes the records of a partition before an offset. */
export async function trim(topic: string, partition: number, offset: number): Promise<void> {
  const { exitCode, stderr } = await weir(`topic trim-prefix ${topic} -p ${partition} -o ${offset} --yes`);
  if (exitCode !== 0) throw new Error(stderr);
}

/** The lines of an output. */
export function linesOf(text: string): readonly string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}

/** Runs kcat, which must be installed. */
export async function kcat(words: readonly string[], input = ''): Promise<string> {
  const { stdout } = await execa('kcat', ['-b', services().plaintext, ...words], { input, stripFinalNewline: false });
  return stdout;
}

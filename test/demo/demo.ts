// The whole path once, on this machine: sandbox → profile → topic → produce → consume → config → cloud → stop.
// `npm run demo`. Everything lives in directories of its own and is removed at the end.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { fastClock } from '../fast-clock.ts';
import { playCloudAct } from './cloud-act.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const weir = join(root, 'bin/weir.js');
const ordersFile = 'test/demo/orders.tsv';
const interrupt = new AbortController();

/** How many lines of a step's output are worth showing. */
interface Shown {
  readonly input?: string;
  readonly lines?: number;
}

const directory = await mkdtemp(join(tmpdir(), 'weir-demo-'));
const env = {
  XDG_CONFIG_HOME: join(directory, 'config'),
  XDG_STATE_HOME: join(directory, 'state'),
  XDG_CACHE_HOME: join(directory, 'cache'),
  NODE_OPTIONS: fastClock,
};
process.once('SIGINT', () => interrupt.abort());
process.once('SIGTERM', () => interrupt.abort());

const startedAt = Date.now();
let isBelowComment = false;
try {
  await tell();
  say(`\nThe demo took ${Math.round((Date.now() - startedAt) / 1000)} seconds; nothing is left running.`);
} catch (error) {
  say(`\nThe demo failed: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = interrupt.signal.aborted ? 130 : 1;
} finally {
  await execa('node', [weir, 'sandbox', 'purge', '--yes', '--quiet'], { env: ownWorld(), reject: false });
  await rm(directory, { recursive: true, force: true });
}

async function tell(): Promise<void> {
  const orders = await readFile(join(root, ordersFile), 'utf8');
  const records = orders.trimEnd().split('\n').length;

  say('# Kafka on this machine, with a profile that points to it');
  await step(['sandbox', 'start']);
  say('# Where does each setting come from?');
  await step(['config', 'show', 'brokers', 'tls.enabled', 'globals.command_timeout', 'globals.retry_timeout']);
  say('# A topic, and the orders of one day in it: the part before the tab is the key');
  await step(['topic', 'create', 'orders', '-p', '3']);
  await step(['topic', 'produce', 'orders', '-f', '%k\\t%v\\n'], { input: ordersFile, lines: 3 });
  say('# Back again, in a format of our own');
  await step(['topic', 'consume', 'orders', '-n', '5', '-f', '%p/%o %k %v\\n']);
  await step(['topic', 'consume', 'orders', '-n', '1', '-f', 'json']);
  say(`# All ${records} of them, compared with the file`);
  const consumed = await step(['topic', 'consume', 'orders', '-o', ':end', '-f', '%k\\t%v\\n'], { lines: 2 });
  if (sorted(consumed) !== sorted(orders)) throw new Error('what came back is not what was sent');
  say(`  equal: ${records} records, every byte`);
  say('# The cluster');
  await step(['cluster', 'info']);
  await playCloudAct({ say, step, look });
  say('# And away');
  await step(['sandbox', 'stop']);
  await step(['sandbox', 'purge', '--yes']);
}

/** Shows a command as one would type it, runs it, shows what it printed, and returns its standard output. */
async function step(args: readonly string[], { input, lines }: Shown = {}): Promise<string> {
  say(`${isBelowComment ? '' : '\n'}$ weir ${args.map(quote).join(' ')}${input === undefined ? '' : ` < ${input}`}`);
  const child = await execa('node', [weir, ...args], {
    cwd: root,
    env: ownWorld(),
    ...(input === undefined ? { stdin: 'ignore' } : { inputFile: join(root, input) }),
    stderr: 'inherit',
    reject: false,
    stripFinalNewline: false,
    maxBuffer: 64 * 1024 * 1024,
    cancelSignal: interrupt.signal,
  });
  show(String(child.stdout), lines);
  if (child.exitCode !== 0) throw new Error(`weir ${args.join(' ')} ended with exit code ${child.exitCode}`);
  return String(child.stdout);
}

/** What a command prints as JSON, without showing it. */
async function look(args: readonly string[]): Promise<unknown> {
  const words = [weir, ...args, '--format', 'json'];
  return JSON.parse(
    (await execa('node', words, { cwd: root, env: ownWorld(), cancelSignal: interrupt.signal })).stdout,
  );
}

function show(output: string, lines = 40): void {
  const all = output.trimEnd().split('\n');
  for (const line of all.slice(0, lines)) say(line);
  if (all.length > lines) say(`… and ${all.length - lines} lines more`);
}

/** The environment of every step: no setting of the person who runs the demo may leak in. */
function ownWorld(): Record<string, string | undefined> {
  const foreign = Object.keys(process.env).filter((name) => name.startsWith('WEIR_'));
  return { ...Object.fromEntries(foreign.map((name) => [name, undefined])), ...env };
}

function sorted(text: string): string {
  return text.trimEnd().split('\n').sort().join('\n');
}

function quote(word: string): string {
  return /^[\w./:=-]+$/.test(word) ? word : `'${word}'`;
}

/** A comment stands right above its first command, with an empty line before it. */
function say(line: string): void {
  isBelowComment = line.startsWith('# ');
  process.stdout.write(`${isBelowComment ? '\n' : ''}${line}\n`);
}

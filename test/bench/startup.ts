import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { table } from '../../src/format/table.ts';
import { kafkaToolsClassPath } from './kafka-tools.ts';
import { alternate, type Contender, isInstalled, type Timing } from './measure.ts';

const node = resolve('node_modules/node/bin/node');
const weir = resolve('bin/weir.js');
const rounds = 21;
/** Milliseconds above bare node that a command without a client may take. */
const allowed = 15;

const lines = [
  ['--version'],
  ['--help'],
  ['-X', 'list'],
  ['config', 'show'],
  ['profile', 'prompt'],
  ['topic', 'create', '--help'],
];

/** Measures what weir takes above bare node before it does anything, and `topic list` beside its peers. */
export async function run(): Promise<string> {
  const home = mkdtempSync(join(tmpdir(), 'weir-bench-'));
  const env = worldIn(home);
  try {
    return `${withoutCluster(env)}\n${withCluster(env)}`;
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** The person's own configuration stays out; what was downloaded for a sandbox is used again. */
function worldIn(home: string): Record<string, string | undefined> {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('WEIR_') && !name.startsWith('NODE_'));
  return {
    ...Object.fromEntries(own),
    XDG_CONFIG_HOME: join(home, 'config'),
    XDG_STATE_HOME: join(home, 'state'),
    XDG_CACHE_HOME: process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'),
  };
}

function withoutCluster(env: Contender['env'] & {}): string {
  const bare = { name: 'node -e 0', file: node, args: ['-e', '0'], env };
  const timings = alternate(
    [bare, ...lines.map((args) => ({ name: `weir ${args.join(' ')}`, file: node, args: [weir, ...args], env }))],
    rounds,
  );
  const base = timings[0]?.median ?? Number.NaN;
  const rows = timings.map((timing) => [...cells(timing), `+${(timing.median - base).toFixed(1)}`]);
  return table(['command', 'median ms', 'min', 'max', 'above node'], rows) + `allowed above node: ${allowed} ms\n`;
}

function withCluster(env: Record<string, string | undefined>): string {
  const given = process.env.WEIR_BENCH_BROKERS;
  if (given !== undefined) return topicLists(given, env);
  const start = weirIn(env, 'sandbox', 'start', '--name', 'bench', '--format', 'json');
  if (start.status !== 0) return `topic list: no broker to measure against: ${start.stderr}`;
  try {
    const shown = weirIn(env, 'config', 'show', 'brokers', '--format', 'json');
    return topicLists(JSON.parse(shown.stdout)[0].value.join(','), env);
  } finally {
    weirIn(env, 'sandbox', 'purge', '--name', 'bench', '--yes');
  }
}

function weirIn(env: Contender['env'] & {}, ...args: readonly string[]) {
  return spawnSync(node, [weir, ...args], { env, encoding: 'utf8' });
}

function topicLists(brokers: string, env: Record<string, string | undefined>): string {
  const own = { name: 'weir topic list', file: node, args: [weir, 'topic', 'list', '-X', `brokers=${brokers}`], env };
  const classPath = kafkaToolsClassPath(env.XDG_CACHE_HOME ?? '');
  const tool = ['org.apache.kafka.tools.TopicCommand', '--bootstrap-server', brokers, '--list'];
  const peers: readonly (Contender & { readonly there: boolean })[] = [
    { name: 'node -e 0', file: node, args: ['-e', '0'], there: true },
    { name: 'kcat -L', file: 'kcat', args: ['-L', '-b', brokers], there: isInstalled('kcat') },
    {
      name: "Kafka's kafka-topics",
      file: 'java',
      args: ['-cp', classPath ?? '', ...tool],
      there: classPath !== undefined,
    },
    {
      name: 'rpk topic list',
      file: 'rpk',
      args: ['topic', 'list', '-X', `brokers=${brokers}`],
      there: isInstalled('rpk'),
    },
  ];
  const timings = alternate([own, ...peers.filter(({ there }) => there)], 11);
  const weirs = timings[0]?.median ?? Number.NaN;
  const rows = timings.map((timing) => [...cells(timing), `${(timing.median / weirs).toFixed(2)}x`]);
  const missing = peers.filter(({ there }) => !there).map(({ name }) => name);
  const note = missing.length === 0 ? '' : `not found on this machine: ${missing.join(', ')}\n`;
  return table(['command', 'median ms', 'min', 'max', 'of weir'], rows) + note;
}

function cells({ name, median, min, max }: Timing): string[] {
  return [name, median.toFixed(1), min.toFixed(1), max.toFixed(1)];
}

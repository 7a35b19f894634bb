import { spawnSync } from 'node:child_process';
import { closeSync, cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Contender } from './measure.ts';
import { deleteQuickly } from './quick-deletes.ts';

/** The Node.js that weir is also measured on. */
export const node: string = resolve('node_modules/node/bin/node');
/** Weir as people get it, a file without Node.js: a copy, so that a new build does not affect a running benchmark. */
export const weir: string = join(tmpdir(), 'weir-bench-build/weir'); // always the same place, for the compile cache
/** Weir on Node.js, as the npm package has it. */
export const script: string = join(tmpdir(), 'weir-bench-build/bin/weir.js');

copyBuild(join(tmpdir(), 'weir-bench-build'));

function copyBuild(copy: string): void {
  rmSync(copy, { recursive: true, force: true });
  for (const path of ['bin', 'dist/main.js', 'dist/chunks', 'package.json'])
    cpSync(path, join(copy, path), { recursive: true });
  cpSync('dist/weir', weir);
  symlinkSync(resolve('node_modules'), join(copy, 'node_modules'));
}

/** The same command line by weir's two builds. */
export function weirs(args: readonly string[], env: Environment): readonly Contender[] {
  return [
    { name: 'weir', file: weir, args, env },
    { name: 'weir on Node.js', file: node, args: [script, ...args], env },
  ];
}

/** The environment of what is measured. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Calls `work` with an environment without the user's own configuration; sandbox downloads are reused.
 */
export async function inWorld<T>(work: (env: Environment) => T | Promise<T>): Promise<T> {
  const home = mkdtempSync(join(tmpdir(), 'weir-bench-'));
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('WEIR_') && !name.startsWith('NODE_'));
  try {
    return await work({
      ...Object.fromEntries(own),
      XDG_CONFIG_HOME: join(home, 'config'),
      XDG_STATE_HOME: join(home, 'state'),
      XDG_CACHE_HOME: process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'),
    });
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** A broker and the environment to reach it from. */
export interface Place {
  readonly env: Environment;
  /** As `-X brokers=` takes them. */
  readonly brokers: string;
  /** The PEM file of the brokers' CA; without it they use plain TCP. */
  readonly ca?: string;
}

/** Runs weir outside the measurement; a failure ends the benchmark with weir's output. */
export function runWeir(env: Environment, args: readonly string[], stdin: 'ignore' | number = 'ignore'): string {
  const stdio = [stdin, 'pipe', 'pipe'] as const;
  const { status, stdout, stderr } = spawnSync(weir, args, { env, stdio: [...stdio], encoding: 'utf8' });
  if (status !== 0) throw new Error(`weir ${args.join(' ')} ended with ${status}: ${stderr}`);
  return stdout;
}

/** The same against the broker. */
export function requireWeir({ env, brokers }: Place, ...args: readonly string[]): string {
  return runWeir(env, [...args, '-X', `brokers=${brokers}`]);
}

/** Writes the file behind the descriptor to a topic and closes it. */
export function produceFile({ env, brokers }: Place, file: number, topic: string, ...args: readonly string[]): void {
  try {
    runWeir(env, ['topic', 'produce', topic, '-o', '', ...args, '-X', `brokers=${brokers}`], file);
  } finally {
    closeSync(file);
  }
}

/** Calls `work` with a broker: the one that WEIR_BENCH_BROKERS names, or a sandbox that is purged afterwards. */
export async function withBroker<T>(env: Environment, work: (brokers: string) => T | Promise<T>): Promise<T> {
  const given = process.env.WEIR_BENCH_BROKERS;
  if (given !== undefined) return await work(given);
  return await withSandbox(env, { name: 'bench' }, async () => {
    const brokers = shownOption(env, 'brokers');
    await deleteQuickly(brokers);
    return await work(brokers);
  });
}

/** Calls `work` with a separate sandbox whose brokers use TLS; its profile is selected during the call. */
export async function withTlsBroker<T>(env: Environment, work: (place: Place) => T | Promise<T>): Promise<T> {
  return await withSandbox(env, { name: 'bench-tls', flags: ['--tls'] }, () =>
    work({ env, brokers: shownOption(env, 'brokers'), ca: shownOption(env, 'tls.ca') }),
  );
}

/**
 * Calls `work` with a separate sandbox of three brokers, none of which is short of memory or of file handles: each
 * partition keeps one open.
 */
export async function withCluster<T>(env: Environment, work: (brokers: string) => T | Promise<T>): Promise<T> {
  const spec = { name: 'bench-cluster', flags: ['--brokers', '3'], java: ['-Xmx1g'] };
  return await withSandbox(env, spec, () => work(shownOption(env, 'brokers')));
}

// A sandbox's Java is tuned for a fast start and encrypts at only 30 MB/s, which would dominate the measurement.
const likeServers = '-XX:TieredStopAtLevel=4';

interface SandboxSpec {
  readonly name: string;
  readonly flags?: readonly string[];
  /** More options of the brokers' Java. */
  readonly java?: readonly string[];
}

async function withSandbox<T>(
  env: Environment,
  { name, flags = [], java = [] }: SandboxSpec,
  work: () => T | Promise<T>,
): Promise<T> {
  const purge = (): void => void runWeir(env, ['sandbox', 'purge', '--name', name, '--yes']);
  const interrupted = (): void => {
    purge();
    process.exit(130);
  };
  runWeir({ ...env, _JAVA_OPTIONS: [likeServers, ...java].join(' ') }, ['sandbox', 'start', '--name', name, ...flags]);
  process.on('SIGINT', interrupted).on('SIGTERM', interrupted);
  try {
    return await work();
  } finally {
    process.off('SIGINT', interrupted).off('SIGTERM', interrupted);
    purge();
  }
}

/** An option of the selected profile; lists are joined with commas. */
function shownOption(env: Environment, option: string): string {
  return [JSON.parse(runWeir(env, ['config', 'show', option, '--format', 'json']))[0].value].flat().join(',');
}

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import type { Config } from '../../../src/config/config.ts';
import { resolveConfig } from '../../../src/config/resolve.ts';
import type { ConfigArguments } from '../../../src/config/sources/selection.ts';
import { CliError, CliErrors } from '../../../src/errors.ts';
import type { Host } from '../../../src/host/host.ts';
import { atEndOfFile } from '../../at-end.ts';

/** A new empty directory, removed after the tests of the file. */
export function emptyDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'weir-config-'));
  atEndOfFile(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** A made-up host without anything from the real environment. */
export function hostOf(parts: Partial<Host>): Host {
  const home = parts.home ?? emptyDirectory();
  const stream = new PassThrough();
  return {
    argv: [],
    env: {},
    cwd: home,
    home,
    platform: 'linux',
    runtime: { name: 'Node.js 24.0.0', arch: 'x64' },
    stdin: { stream, chunks: stream, isTerminal: false },
    stdout: { stream, isTerminal: false, columns: undefined },
    stderr: { stream, isTerminal: false, columns: undefined },
    openTerminal: () => undefined,
    now: () => 0,
    uptimeMs: () => 0,
    raise: () => undefined,
    abandonOutput: () => undefined,
    onTerminalChange: () => () => {},
    suspend: () => undefined,
    favorMemory: () => undefined,
    onSignal: () => () => {},
    spawn: () => Promise.reject(new Error('no child')),
    spawnSelf: () => undefined,
    dispose() {},
    ...parts,
  };
}

/** What the five sources hold in a test. */
export interface Sources extends Partial<ConfigArguments> {
  readonly env?: Readonly<Record<string, string>>;
  /** The profile file's text. */
  readonly file?: string;
  /** Directory of the files; a new one by default. */
  readonly home?: string;
  /** The broker configuration file's text. */
  readonly broker?: string;
}

/** The same sources in files of a made-up home. */
export function worldOf(sources: Sources): {
  readonly host: Host;
  readonly given: ConfigArguments;
  readonly path: string;
} {
  const home = sources.home ?? emptyDirectory();
  const path = join(home, '.config', 'weir', 'weir.yaml');
  if (sources.file !== undefined) writeWhole(path, sources.file);
  const brokerPath = join(home, 'redpanda.yaml');
  if (sources.broker !== undefined) writeWhole(brokerPath, sources.broker);
  const named = sources.broker === undefined ? {} : { brokerConfigFile: brokerPath };
  return {
    host: hostOf({ home, env: sources.env ?? {} }),
    given: { x: [], deprecated: [], ...named, ...sources },
    path,
  };
}

/** Resolves the configuration of made-up sources. */
export async function resolveSources(sources: Sources): Promise<Config> {
  const { host, given } = worldOf(sources);
  return await resolveConfig(host, given);
}

/** The errors of a promise; empty if it succeeds. */
export async function errorsOf(work: Promise<unknown>): Promise<readonly CliError[]> {
  try {
    await work;
    return [];
  } catch (error) {
    if (error instanceof CliErrors) return error.errors;
    if (error instanceof CliError) return [error];
    throw error;
  }
}

/** Writes a file that only its owner can read. */
export function writeWhole(path: string, text: string | Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true });
  rmSync(path, { force: true }); // ext4 flushes a file that is overwritten in place to the disk
  writeFileSync(path, text, { mode: 0o600 });
}

/** A profile file with one selected profile `prod`; `options` are lines. */
export function profileFile(...options: readonly string[]): string {
  const lines = options.map((line) => `      ${line}\n`).join('');
  return `version: 1\ncurrent_profile: prod\nprofiles:\n  - name: prod\n    options:\n${lines}`;
}

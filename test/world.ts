import { mkdtempSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { afterAll } from 'vitest';
import type { Entry } from '../src/cli/command.ts';
import { runLine } from '../src/cli/program.ts';
import { commands as weirCommands } from '../src/commands/index.ts';
import { createContext } from '../src/context.ts';
import type { Host, Signal, SpawnOptions, SpawnResult } from '../src/host.ts';
import { main } from '../src/main.ts';
import { checkRecorded } from './json-schema.ts';

/** The outside world of one command line; what is left out is an empty machine without a terminal. */
export interface World {
  /** Nothing of the real environment shines through. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** A new temporary directory when left out. */
  readonly home?: string;
  readonly cwd?: string;
  readonly platform?: NodeJS.Platform;
  /** What stands on standard input; empty when left out. */
  readonly stdin?: string | Uint8Array | Readable;
  /** Which streams have a terminal; a number is its width in columns. */
  readonly terminal?: {
    readonly stdin?: boolean;
    readonly stdout?: boolean | number;
    readonly stderr?: boolean | number;
    /** What is typed on the controlling terminal, where standard input is not that terminal. */
    readonly typed?: string | Readable;
  };
  readonly now?: number;
  /** The user that weir runs as; that of the test when left out. */
  readonly uid?: number;
  /** Runs child processes; by default none can be started. */
  readonly spawn?: Host['spawn'];
  /** Receives a function that sends a signal to the command while it runs. */
  readonly onStart?: (kill: (signal: Signal) => void) => void;
  /** A command tree in place of weir's own, for tests of the framework. */
  readonly commands?: readonly Entry[];
  /** Sees what is written to stdout while the command runs. */
  readonly onStdout?: (text: string) => void;
  /** The same for stderr. */
  readonly onStderr?: (text: string) => void;
}

/** What a command line left behind. */
export interface Outcome {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

const made: string[] = [];

/** A new empty directory, removed after the test file. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'weir-test-'));
  made.push(directory);
  return directory;
}

afterAll(async () => {
  const { rm } = await import('node:fs/promises');
  for (const directory of made.splice(0)) await rm(directory, { recursive: true, force: true });
});

/** Runs one command line in-process: `run('topic list')` or, for words with spaces, `run(['topic', 'list'])`. */
export async function run(line: string | readonly string[], world: World = {}): Promise<Outcome> {
  const stdout = collector(world.onStdout);
  const stderr = collector(world.onStderr);
  const stdin = input(world.stdin);
  const listeners = new Set<(signal: Signal) => void>();
  const host: Host = {
    argv: typeof line === 'string' ? splitLine(line) : line,
    env: world.env ?? {},
    cwd: world.cwd ?? world.home ?? temporaryDirectory(),
    home: world.home ?? temporaryDirectory(),
    platform: world.platform ?? 'linux',
    runtime: { node: '24.0.0', arch: 'x64', uid: world.uid ?? userInfo().uid },
    stdin: { stream: stdin, chunks: stdin, isTerminal: world.terminal?.stdin ?? false },
    stdout: { stream: stdout.stream, ...terminalOf(world.terminal?.stdout) },
    stderr: { stream: stderr.stream, ...terminalOf(world.terminal?.stderr) },
    openTerminal() {
      const { typed, stdin: hasTerminal } = world.terminal ?? {};
      if (typed === undefined && hasTerminal !== true) return undefined;
      return {
        input: typed === undefined ? stdin : input(typed),
        // Only one screen: what is asked stands among the messages.
        write: (text) => void stderr.stream.write(text),
        close() {},
      };
    },
    now: () => world.now ?? Date.now(),
    onSignal(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    raise(signal) {
      for (const listener of listeners) listener(signal);
    },
    spawn: world.spawn ?? noChild,
    dispose() {},
  };
  world.onStart?.((signal) => {
    for (const listener of listeners) listener(signal);
  });
  const { commands } = world;
  const exitCode = await (commands === undefined
    ? main(host)
    : runLine(host, { commands, createContext, version: '0.0.0' }));
  await checkRecorded(commands ?? weirCommands, host.argv, stdout.text());
  return { stdout: stdout.text(), stderr: stderr.text(), exitCode };
}

function terminalOf(terminal: boolean | number | undefined): { isTerminal: boolean; columns: number | undefined } {
  if (typeof terminal === 'number') return { isTerminal: true, columns: terminal };
  return { isTerminal: terminal ?? false, columns: terminal === true ? 80 : undefined };
}

function input(stdin: World['stdin']): Readable {
  if (stdin instanceof Readable) return stdin;
  return Readable.from(stdin === undefined || stdin.length === 0 ? [] : [Buffer.from(stdin)]);
}

function collector(listener?: (text: string) => void): { stream: Writable; text(): string } {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _, callback) {
      chunks.push(Buffer.from(chunk));
      listener?.(chunk.toString());
      callback();
    },
  });
  return { stream, text: () => Buffer.concat(chunks).toString() };
}

async function noChild(file: string, _: readonly string[], __: SpawnOptions): Promise<SpawnResult> {
  throw new Error(`this world has no ${file}`);
}

/** Splits a line as a shell would: at spaces, with single and double quotes and backslashes. */
export function splitLine(line: string): readonly string[] {
  const words: string[] = [];
  for (const [whole] of line.matchAll(/(?:'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^\s'"\\])+/gs)) {
    words.push(
      whole.replace(/'([^']*)'|"((?:\\.|[^"\\])*)"|\\(.)/gs, (_, single, double, escaped) => {
        return single ?? (double === undefined ? escaped : double.replace(/\\(["\\$`])/g, '$1'));
      }),
    );
  }
  return words;
}

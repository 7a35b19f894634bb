import type { Readable, Writable } from 'node:stream';

/** Standard output or error, with what a renderer must know about it. */
export interface OutputStream {
  readonly stream: Writable;
  /** Whether a terminal is on the other end. */
  readonly isTerminal: boolean;
  /** Columns of that terminal; undefined when there is none. */
  readonly columns: number | undefined;
}

/** Standard input. */
export interface InputStream {
  readonly stream: Readable;
  readonly isTerminal: boolean;
}

/** A signal that a command may be told of. */
export type Signal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

/** How a child process is started; a thin view of execa's options. */
export interface SpawnOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** `inherit`: the child has this process's terminal; `capture`: its output is returned. */
  readonly stdio: 'inherit' | 'capture';
  readonly signal?: AbortSignal;
}

/** How a child process ended. */
export interface SpawnResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * The outside world, handed in. Nothing else in `src/` names `process` or `console`, so that a test
 * can run any command with a world of its own.
 */
export interface Host {
  /** The words after the program name. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** The user's home directory; undefined when there is none. */
  readonly home: string | undefined;
  readonly platform: NodeJS.Platform;
  readonly stdin: InputStream;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls back on each signal until the returned function is called. */
  onSignal(listener: (signal: Signal) => void): () => void;
  /** Runs a child process to its end. Rejects when it cannot be started. */
  spawn(file: string, args: readonly string[], options: SpawnOptions): Promise<SpawnResult>;
}

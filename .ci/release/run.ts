import { spawnSync } from 'node:child_process';
import { env as environment } from 'node:process';

/** How to run a program. */
interface RunOptions {
  readonly cwd?: string;
  /** The whole environment; by default that of this process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** What it reads from standard input. */
  readonly input?: string;
}

/** Runs a program and returns what it printed, standard error last; fails with all of it unless the exit code is 0. */
export function run(file: string, args: readonly string[], { cwd, env = environment, input = '' }: RunOptions = {}) {
  const { status, stdout, stderr, error } = spawnSync(file, args, {
    cwd,
    env,
    input,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  if (status === 0) return stdout + stderr;
  throw new Error(`${[file, ...args].join(' ')} failed: ${error?.message ?? `${stdout}${stderr}`}`);
}

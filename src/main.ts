import { runLine } from './cli/program.ts';
import { commands } from './commands/index.ts';
import { createContext } from './context.ts';
import type { ExitCode } from './errors.ts';
import { type Host, realHost } from './host.ts';
import { version } from './version.ts';

/** Runs one command line on the given host and returns the exit code. */
export async function main(host: Host): Promise<ExitCode> {
  try {
    return await runLine(host, { commands, createContext, version });
  } finally {
    host.dispose();
  }
}

/** Runs the command line of this process. */
export function mainOfProcess(): Promise<ExitCode> {
  return main(realHost());
}

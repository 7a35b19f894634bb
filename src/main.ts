import { runLine } from './cli/program.ts';
import { commands } from './commands/index.ts';
import { openContext } from './context.ts';
import type { ExitCode } from './errors.ts';
import { endProcess, type Host, realHost } from './host/host.ts';
import { version } from './version.ts';

/** Runs one command line on the given host and returns the exit code. */
export async function main(host: Host): Promise<ExitCode> {
  try {
    return await runLine(host, { commands, openContext, version, neededFor });
  } finally {
    host.dispose();
  }
}

/** Loaded only after a broker has refused something. */
async function neededFor(path: readonly string[]): Promise<string | undefined> {
  return (await import('./commands/security/permissions-help.ts')).neededFor(path);
}

/** Runs the command line of this process and ends it. */
export async function runProcess(): Promise<void> {
  endProcess(await main(realHost()));
}

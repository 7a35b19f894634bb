import type { ContextParts, OpenContext } from '../context.ts';
import type { Host } from '../host/host.ts';
import type { Entry } from './command.ts';
import type { Printer } from './output/output.ts';

/** What `main` gives the framework, which imports neither commands nor clients. */
export interface Program {
  readonly commands: readonly Entry[];
  readonly version: string;
  openContext(parts: ContextParts): OpenContext;
  /** What a command needs of the brokers, in words; undefined if nobody has said so. */
  readonly neededFor?: (path: readonly string[]) => Promise<string | undefined>;
}

/** The run of one command line. */
export interface Session {
  readonly host: Host;
  readonly program: Program;
  readonly printer: Printer;
  /** Start time, in milliseconds since the epoch. */
  readonly startedAt: number;
}

/** The line that `--version` prints. */
export function versionLine({ program }: Session): string {
  return `weir ${program.version}\n`;
}

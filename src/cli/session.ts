import type { ContextParts, OpenContext } from '../context.ts';
import type { Host } from '../host.ts';
import type { Entry } from './command.ts';
import type { Printer } from './output/output.ts';

/** What the framework is given: it imports neither commands nor clients. */
export interface Program {
  readonly commands: readonly Entry[];
  readonly version: string;
  createContext(parts: ContextParts): OpenContext;
}

/** One command line being run. */
export interface Session {
  readonly host: Host;
  readonly program: Program;
  readonly printer: Printer;
  /** When it began, in milliseconds since the epoch. */
  readonly startedAt: number;
}

/** The one line of `--version`. */
export function versionLine({ program }: Session): string {
  return `weir ${program.version}\n`;
}

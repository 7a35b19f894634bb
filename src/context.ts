import type { Config } from './config/config.ts';
import type { ProfileSelection } from './config/selection.ts';
import type { Deadline } from './deadline.ts';
import type { Host } from './host.ts';
import type { Kafka } from './kafka/kafka.ts';

/** The flags every command has, as given. */
export interface GlobalFlags {
  readonly format: 'text' | 'wide' | 'json' | 'yaml' | 'schema';
  /** 0, 1 (`-v`: steps) or 2 (`-vv`: detail and stacks). */
  readonly verbosity: number;
  readonly quiet: boolean;
  /** `--no-input`, or no terminal, or CI: nothing may ask. */
  readonly noInput: boolean;
  readonly yes: boolean;
  readonly noHeaders: boolean;
  readonly color: 'auto' | 'always' | 'never';
}

/** What a command may use. Clients are made when first asked for and closed at the end. */
export interface Context {
  readonly host: Host;
  readonly flags: GlobalFlags;
  /** The resolved configuration; files are read at the first call. */
  config(): Promise<Config>;
  /** Which files and profile this command line names; nothing is read. For the commands that work on the file itself. */
  profileSelection(): ProfileSelection;
  /** The command's one deadline; its clock runs since the command started. */
  deadline(): Promise<Deadline>;
  /** The broker data API. */
  kafka(): Promise<Kafka>;
  /** A line for a person, on stderr; silent with `--quiet`. */
  notice(line: string): void;
  /** A step, on stderr with `-v`. */
  step(line: string): void;
  /** A warning, on stderr, once per distinct text; silent with `--quiet`. */
  warn(line: string): void;
}

import type { Machine } from './machine.ts';

/** One process or container of a sandbox. */
export interface Member {
  /** The part it belongs to, for example `kafka`. */
  readonly part: string;
  readonly id: number;
  /** The `host:port` that clients connect to. */
  readonly address: string;
  /** `starting`: it is running but does not answer yet. */
  readonly state: 'running' | 'starting' | 'stopped';
  /** Undefined when the member is stopped or runs in a container. */
  readonly pid: number | undefined;
  readonly container: string | undefined;
  /** The path of its log file. */
  readonly log: string;
}

/** Where a part is. */
export interface PartPlace {
  /** The part's own directory. */
  readonly directory: string;
  /** The sandbox's name, for messages. */
  readonly sandbox: string;
}

/** Where a part is that runs a program of weir's own. */
export interface ProgramPlace extends PartPlace {
  /** The file of the program: `entry.ts` or its bundle. */
  readonly entry: string;
}

/** A service of a sandbox, such as Kafka or the control plane. */
export interface Part {
  readonly name: string;
  /** Starts every stopped member and waits until it answers; on failure, stops whatever it started. */
  start(machine: Machine): Promise<void>;
  status(): Promise<readonly Member[]>;
  /** Stops the running members; `atOnce` when their data is about to be removed anyway. */
  stop(how: 'gently' | 'atOnce'): Promise<void>;
  /** The options that a profile needs to connect to it, as text by key. */
  options(): Readonly<Record<string, string>>;
}

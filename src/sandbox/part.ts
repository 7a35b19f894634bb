import type { Machine } from './machine.ts';

/** One process or container of a sandbox. */
export interface Member {
  /** The part it belongs to, for example `kafka`. */
  readonly part: string;
  readonly id: number;
  /** `host:port` as clients reach it. */
  readonly address: string;
  /** `starting`: it runs but does not answer (yet). */
  readonly state: 'running' | 'starting' | 'stopped';
  /** Undefined when it is stopped or runs in a container. */
  readonly pid: number | undefined;
  readonly container: string | undefined;
  /** The file of its log. */
  readonly log: string;
}

/** A service of a sandbox: Kafka today; a registry, an Admin API or a control plane may stand beside it. */
export interface Part {
  readonly name: string;
  /** Starts what is not running and waits until it answers; when that fails, what it started is ended again. */
  start(machine: Machine): Promise<void>;
  status(): Promise<readonly Member[]>;
  /** Stops what is running, and nothing else; `atOnce` when its data goes anyway. */
  stop(how: 'gently' | 'atOnce'): Promise<void>;
  /** The options by which a profile reaches it, as text by key. */
  options(): Readonly<Record<string, string>>;
}

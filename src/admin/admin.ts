import type { Deadline } from '../deadline.ts';
import type { Address } from '../net/address.ts';
import type { Credentials } from '../net/http-call.ts';
import type { HttpTrace } from '../net/http-trace.ts';
import type { TlsOptions } from '../net/tls.ts';
import type { Broker, DecommissionState, Health, MaintenanceState } from './rows.ts';

/** The options of the client of the Admin API. */
export interface AdminOptions {
  /** Tried in this order when a connection fails. */
  readonly addresses: readonly Address[];
  /** Whether addresses without a scheme use TLS. */
  readonly usesTls: boolean;
  readonly tls: TlsOptions;
  readonly credentials: Credentials | undefined;
  /** Whether an address that nobody answers at ends the command at once (default), or is retried. */
  readonly firstContact?: 'stop' | 'retry';
  /** The environment, used only for the proxy variables. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly userAgent: string;
  readonly deadline: Deadline;
  warn(line: string): void;
  /** Called once per request, for `--trace`. */
  readonly trace?: (event: HttpTrace) => void;
}

/** The client of the Admin API. Every call throws CliError if it fails as a whole. */
export interface Admin {
  /** The brokers, sorted by id. */
  brokers(): Promise<readonly Broker[]>;
  /** Starts to move everything away from a broker; it leaves the cluster when that is done. */
  decommission(id: number): Promise<void>;
  /** How far a decommission is; undefined if the broker is not being decommissioned. */
  decommissionState(id: number): Promise<DecommissionState | undefined>;
  /** Stops a decommission. */
  recommission(id: number): Promise<void>;
  /** Turns the maintenance mode of a broker on (its leaderships move away) or off. */
  setMaintenance(id: number, isOn: boolean): Promise<void>;
  /** The maintenance mode of each broker, sorted by id. */
  maintenance(): Promise<readonly MaintenanceState[]>;
  /** What the controller knows of the health of the cluster. */
  health(): Promise<Health>;
  /** Closes all connections. */
  close(): void;
}

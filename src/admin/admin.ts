import type { WaitOptions } from '../net/poll.ts';
import type { AccessCalls } from './access/access-rows.ts';
import type {
  Broker,
  DecommissionState,
  FormerBroker,
  Health,
  HeldPartition,
  MaintenanceState,
} from './brokers/broker-rows.ts';
import type { ConfigCalls } from './config/config-rows.ts';
import type { BundleCalls } from './debug/bundle-rows.ts';
import type { NodeCalls } from './debug/node-rows.ts';
import type { LicenseCalls } from './license/license-rows.ts';
import type { PartitionCalls } from './partitions/partition-rows.ts';
import type { SelfTestCalls } from './self-test/self-test-rows.ts';
import type { StorageCalls } from './storage/storage-rows.ts';
import type { TransformCalls } from './transforms/transform-rows.ts';

/** The client of the Admin API. Every call throws CliError if it fails as a whole. */
export interface Admin
  extends PartitionCalls,
    LicenseCalls,
    SelfTestCalls,
    StorageCalls,
    AccessCalls,
    TransformCalls,
    ConfigCalls,
    BundleCalls,
    NodeCalls {
  /** The brokers, sorted by id. */
  brokers(): Promise<readonly Broker[]>;
  /** The brokers that have left the cluster, sorted by id; none if older versions do not list them. */
  formerBrokers(): Promise<readonly FormerBroker[]>;
  /**
   * The partitions with a replica on a broker, except that of the controller; undefined if older versions do not list
   * them.
   */
  partitionsOn(id: number): Promise<readonly HeldPartition[] | undefined>;
  /** Starts to move everything away from a broker; it leaves the cluster when that is done. */
  decommission(id: number): Promise<void>;
  /**
   * How far a decommission is, also of a broker that has left; undefined if the broker is not being decommissioned.
   * @throws ApiError (404, exit 3) for an unknown broker
   */
  decommissionState(id: number): Promise<DecommissionState | undefined>;
  /**
   * Polls until the broker has left the cluster.
   * @throws CliError (exit 6) if the decommission is stopped meanwhile, (exit 5) on a timeout
   */
  waitForDecommission(id: number, options: WaitOptions<DecommissionState>): Promise<DecommissionState>;
  /** Stops a decommission. */
  recommission(id: number): Promise<void>;
  /** Turns the maintenance mode of a broker on (its leaderships move away) or off. */
  setMaintenance(id: number, isOn: boolean): Promise<void>;
  /** The maintenance mode of each broker, sorted by id. */
  maintenance(): Promise<readonly MaintenanceState[]>;
  /**
   * Polls until a broker in maintenance mode leads no partition that another broker can lead.
   * @throws CliError (exit 6) if the maintenance mode is turned off meanwhile, (exit 3) if the broker is gone, (exit 5)
   * on a timeout
   */
  waitForDrain(id: number, options: WaitOptions<MaintenanceState>): Promise<MaintenanceState>;
  /** What the controller knows of the health of the cluster. */
  health(): Promise<Health>;
  /** Closes all connections. */
  close(): void;
}

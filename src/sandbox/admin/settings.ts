/** A release of Redpanda, in the order of its text. */
export type Release = '24.3' | '25.3' | '26.1' | '26.2';

/** How long the simulated work takes, and how the simulator answers where the documents differ. Times are virtual. */
export interface Settings {
  /** From the loss of a leader to the election of the next, in milliseconds. */
  readonly electionMs: number;
  /** From a configuration change to the moment when the other nodes apply it, in milliseconds. */
  readonly configPropagationMs: number;
  /** From a migration that the leader of the controller has accepted to the moment when the other nodes show it, in milliseconds. */
  readonly replicationMs: number;
  /** The pause between two leadership transfers of a drain, in milliseconds. */
  readonly transferMs: number;
  /** The speed at which each partition moves, in bytes per second. */
  readonly moveBytesPerS: number;
  /** How long the partitions are balanced after a request to do so, in milliseconds. */
  readonly balanceMs: number;
  /** How long a debug bundle is collected, in milliseconds. */
  readonly bundleMs: number;
  /** From the end of a debug bundle to its expiry, in milliseconds. */
  readonly bundleLifetimeMs: number;
  /** The end of the next debug bundles. */
  readonly bundleOutcome: 'success' | 'error';
  /** Each step of a mount or unmount, in milliseconds. */
  readonly migrationStepMs: number;
  /** How long a restore from object storage takes, in milliseconds. */
  readonly recoveryMs: number;
  /** The end of the next restores of the cluster. */
  readonly recoveryOutcome: 'success' | 'error';
  /** The longest time that one measurement of a self-test takes, in milliseconds, however long it is asked to be. */
  readonly selfTestMs: number;
  /** From the deployment of a transform to its first running processor, in milliseconds. */
  readonly transformStartMs: number;
  /** How many partitions the health overview lists; its counts are not limited. */
  readonly healthListLimit: number;
  /** The status for an unknown `key` of `GET /v1/cluster_config`: 400 in the documented version, 404 in newer ones. */
  readonly unknownKeyStatus: number;
  /** Whether roles and migrations are refused without a license, as after the trial of a new cluster. */
  readonly licenseNeeded: boolean;
  /** The release whose statuses and fields the nodes answer with: they differ where a later release names them apart. */
  readonly release: Release;
  /** The answer to the progress of a decommission that has ended: the sources do not agree on it. */
  readonly endedDecommission: 'finished' | 'not-found';
}

/** The default settings. Work takes seconds: tests move the clock, users wait. */
export const defaultSettings: Settings = {
  electionMs: 1_000,
  configPropagationMs: 500,
  replicationMs: 150,
  transferMs: 500,
  moveBytesPerS: 32 << 20,
  balanceMs: 5_000,
  bundleMs: 10_000,
  bundleLifetimeMs: 6 * 3_600_000,
  bundleOutcome: 'success',
  migrationStepMs: 1_000,
  recoveryMs: 10_000,
  recoveryOutcome: 'success',
  selfTestMs: 250,
  transformStartMs: 1_000,
  healthListLimit: 128,
  unknownKeyStatus: 400,
  licenseNeeded: false,
  release: '24.3',
  endedDecommission: 'finished',
};

import type { Settings } from '../../src/sandbox/broker/settings.ts';
import type { TestLimits } from '../services/scripted-client.ts';
import type { ConsumePlan } from './consuming.ts';
import type { FaultEvent } from './faults.ts';
import type { ProducePlan } from './producing.ts';

/** The events of one run, all determined by the seed. */
export interface Scenario {
  readonly seed: number;
  readonly kind: 'produce' | 'consume' | 'group';
  /**
   * `safe`: no acknowledged record may be lost, and all work must complete. `lossy`: lagging replicas become leaders,
   * which loses acknowledged records. `trimmed`: records are deleted or compacted, also unread ones. `impatient`: short limits may make
   * work fail. `unsure`: acks 0 or 1.
   */
  readonly mode: 'safe' | 'lossy' | 'trimmed' | 'impatient' | 'unsure';
  readonly brokers: number;
  /** The id of the first broker. */
  readonly firstBroker: number;
  readonly latencyMs: number;
  readonly topic: {
    readonly partitions: number;
    readonly replicas: number;
    readonly configs: Readonly<Record<string, string>>;
  };
  readonly settings: Partial<Settings>;
  readonly limits: Required<TestLimits>;
  readonly producers: readonly ProducePlan[];
  /** The number of transactions written before the first fault. */
  readonly transactions: number;
  /** The number of transactions written during the run. */
  readonly liveTransactions: number;
  /** Topics that are created later; consumers with a pattern read them. */
  readonly grown: readonly GrownTopic[];
  /** The time from which metadata contains topic ids; undefined if it always does. */
  readonly idsFrom: number | undefined;
  /** How long SyncGroup fails from the start; undefined if it does not. */
  readonly syncFailsMs: number | undefined;
  /** Whether records are written while they are read. */
  readonly isLive: boolean;
  /** The time when the second topic is deleted; undefined without a second topic. */
  readonly sideTopicUntil: number | undefined;
  readonly consumers: readonly ConsumePlan[];
  /** The time when each member of the group stops as if by Ctrl-C; undefined for members that stay to the end. */
  readonly stops: readonly (number | undefined)[];
  /** The time when each member disappears like a killed process; undefined for members that do not. */
  readonly crashes: readonly (number | undefined)[];
  readonly faults: readonly FaultEvent[];
  /** The time after which there are no faults. */
  readonly healAt: number;
  /** The time after which all brokers are down; undefined if that does not happen. */
  readonly diesAt: number | undefined;
}

/** A topic that is created while others are read. */
export interface GrownTopic {
  readonly at: number;
  readonly partitions: number;
  /** What is written to it as soon as it exists. */
  readonly plan: ProducePlan;
}

/** The kinds of runs. */
export const kinds: readonly Scenario['kind'][] = ['produce', 'consume', 'group'];

/** The main topic, the pattern that matches it and later ones, the second topic, and the group. */
export const names = { topic: 'orders', pattern: '^orders', sideTopic: 'stock', group: 'billing' } as const;

/** Returns the topics that are read completely: the main topic and those created later. */
export function topicsOf({ grown }: Pick<Scenario, 'grown'>): readonly string[] {
  return [names.topic, ...grown.map(({ plan }) => plan.topic)];
}

/** Checks whether elections may cut off records that were read while no broker can tell where. */
export function isBlind({ mode, settings }: Pick<Scenario, 'mode' | 'settings'>): boolean {
  return mode === 'lossy' && settings.missingApis?.includes('OffsetForLeaderEpoch') === true;
}

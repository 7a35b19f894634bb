import type { Settings } from '../../src/sandbox/broker/settings.ts';
import type { TestLimits } from '../services/scripted-client.ts';
import type { ConsumePlan } from './consuming.ts';
import type { FaultEvent } from './faults.ts';
import type { ProducePlan } from './producing.ts';

/** What happens in one run, all of it by the seed. */
export interface Scenario {
  readonly seed: number;
  readonly kind: 'produce' | 'consume' | 'group';
  /**
   * `safe`: nothing that was acknowledged may be lost, and all work comes to its end. `lossy`: replicas that lag become
   * leaders, so that acknowledged records go. `trimmed`: retention takes records that were not read yet. `impatient`:
   * limits are so short that work may fail. `unsure`: acks 0 or 1.
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
  /** Transactions written before anything goes wrong. */
  readonly transactions: number;
  /** Transactions written while all else happens. */
  readonly liveTransactions: number;
  /** Topics that come later, and are read by who reads by a pattern. */
  readonly grown: readonly GrownTopic[];
  /** From then on metadata names the ids of topics; undefined: from the beginning. */
  readonly idsFrom: number | undefined;
  /** SyncGroup fails from the beginning, for so long; undefined: it does not. */
  readonly syncFailsMs: number | undefined;
  /** What is read is written at the same time. */
  readonly isLive: boolean;
  /** When the other topic that is read is deleted; undefined: there is none. */
  readonly sideTopicUntil: number | undefined;
  readonly consumers: readonly ConsumePlan[];
  /** When a member of the group stops as by Ctrl-C; undefined for those that stay to the end. */
  readonly stops: readonly (number | undefined)[];
  /** When a member is gone without a word, as a process that is killed. */
  readonly crashes: readonly (number | undefined)[];
  readonly faults: readonly FaultEvent[];
  /** From then on nothing goes wrong. */
  readonly healAt: number;
  /** From then on no broker runs; undefined: that does not happen. */
  readonly diesAt: number | undefined;
}

/** A topic that is created while others are read. */
export interface GrownTopic {
  readonly at: number;
  readonly partitions: number;
  /** What is written to it as soon as it is there. */
  readonly plan: ProducePlan;
}

/** What a run can be about. */
export const kinds: readonly Scenario['kind'][] = ['produce', 'consume', 'group'];

/** The topic that everything is about, the pattern for it and those that come later, the one besides, the group. */
export const names = { topic: 'orders', pattern: '^orders', sideTopic: 'stock', group: 'billing' } as const;

/** Every topic of which all is read: the one that everything is about, and those that come later. */
export function topicsOf({ grown }: Pick<Scenario, 'grown'>): readonly string[] {
  return [names.topic, ...grown.map(({ plan }) => plan.topic)];
}

/** Whether an election can cut off what was read, and no broker could tell readers where. */
export function isBlind({ mode, settings }: Pick<Scenario, 'mode' | 'settings'>): boolean {
  return mode === 'lossy' && settings.missingApis?.includes('OffsetForLeaderEpoch') === true;
}

import type { CliError } from '../../errors.ts';
import type { Client } from '../client/client.ts';
import { kafkaError, kafkaErrorText } from '../errors.ts';
import type { CoordinatorRequests } from './coordinator-requests.ts';
import type { Heartbeats } from './heartbeats.ts';
import type { MembershipOptions } from './member.ts';
import type { TopicPartitions } from './subscription.ts';
import { groupCodes } from './verdicts.ts';

/** No generation: never joined, or put out of it. */
export const noGeneration = -1;

/**
 * Where a member of the classic protocol is:
 *
 *     outside ── join ──► joining ── assignment ──► stable
 *        ▲                  ▲                       │    │
 *        │                  └───────── join ────────┘    │
 *        └───────────────── lost, forgotten ─────────────┘        any ── leave ──► left
 *
 * A member that is lost has no claim any more; one that is forgotten has no id either. While it is joining, both only
 * make it begin again.
 */
export type Phase = 'outside' | 'joining' | 'stable' | 'left';

/** What the member has, and the generation that handed it out. */
export interface Claim {
  readonly share: readonly TopicPartitions[];
  readonly generation: number;
}

/** What a member of the classic protocol knows about itself. */
export interface State {
  phase: Phase;
  /** '' before the coordinator has given one. */
  memberId: string;
  /** Of the last JoinGroup. */
  generation: number;
  protocol: string;
  isLeader: boolean;
  claim: Claim | undefined;
  watched: ReadonlyMap<string, number>;
  needsRejoin: boolean;
  failure: unknown;
  /** Settled when no join is under way. */
  settled: Promise<void>;
}

/** A member, and what it works with. */
export interface Member {
  readonly client: Client;
  readonly options: MembershipOptions;
  readonly state: State;
  readonly requests: CoordinatorRequests;
  readonly heartbeats: Heartbeats;
}

/** A member that has not joined yet. */
export function initialState(): State {
  return {
    ...{ phase: 'outside', memberId: '', generation: noGeneration, protocol: '', isLeader: false, claim: undefined },
    ...{ watched: new Map(), needsRejoin: false, failure: undefined, settled: Promise.resolve() },
  };
}

/** The generation has passed without the member: others may have its partitions by now. */
export function loseClaim(state: State): void {
  state.claim = undefined;
  state.generation = noGeneration;
  if (state.phase === 'stable') state.phase = 'outside';
}

/** The coordinator does not know the member any more. */
export function forget(state: State): void {
  loseClaim(state);
  state.memberId = '';
}

/** A code of the coordinator that ends the membership. */
export function memberError(options: MembershipOptions, code: number): CliError {
  const hints = code === groupCodes.fencedInstance ? [`another member uses --instance-id ${options.instanceId}`] : [];
  return kafkaError(code, `unable to stay in group "${options.group}": ${kafkaErrorText(code)}`, {
    target: options.group,
    hints,
  });
}

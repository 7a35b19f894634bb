import type { CliError } from '../../../errors.ts';
import type { Client } from '../../protocol/client/client.ts';
import { kafkaError, kafkaErrorText } from '../../protocol/errors.ts';
import { codes } from '../../protocol/wire/error-codes.ts';
import type { CoordinatorRequests } from './coordinator-requests.ts';
import type { Heartbeats } from './heartbeats.ts';
import type { MembershipOptions } from './member.ts';
import type { TopicPartitions } from './subscription.ts';

/** The generation of a member that has never joined or has lost its generation. */
export const noGeneration = -1;

/**
 * The phase of a member of the classic protocol:
 *
 *     outside ── join ──► joining ── assignment ──► stable
 *        ▲                  ▲                       │    │
 *        │                  └───────── join ────────┘    │
 *        └───────────────── lost, forgotten ─────────────┘        any ── leave ──► left
 *
 * A lost member no longer has a claim; a forgotten one has no id either. While the member is joining, both only make it
 * join again.
 */
export type Phase = 'outside' | 'joining' | 'stable' | 'left';

/** The share of a member, and the generation in which it was assigned. */
export interface Claim {
  readonly share: readonly TopicPartitions[];
  readonly generation: number;
}

/** The state of a member of the classic protocol. */
export interface State {
  phase: Phase;
  /** '' until the coordinator has assigned one. */
  memberId: string;
  /** The generation of the last JoinGroup. */
  generation: number;
  protocol: string;
  isLeader: boolean;
  claim: Claim | undefined;
  watched: ReadonlyMap<string, number>;
  needsRejoin: boolean;
  failure: unknown;
  /** Settles when no join is in progress. */
  settled: Promise<void>;
}

/** A member with its state, client and requests. */
export interface Member {
  readonly client: Client;
  readonly options: MembershipOptions;
  readonly state: State;
  readonly requests: CoordinatorRequests;
  readonly heartbeats: Heartbeats;
}

/** The state of a member that has not joined yet. */
export function initialState(): State {
  return {
    phase: 'outside',
    memberId: '',
    generation: noGeneration,
    protocol: '',
    isLeader: false,
    claim: undefined,
    watched: new Map(),
    needsRejoin: false,
    failure: undefined,
    settled: Promise.resolve(),
  };
}

/** Drops the claim: the generation has passed without the member, and others may own its partitions now. */
export function loseClaim(state: State): void {
  state.claim = undefined;
  state.generation = noGeneration;
  if (state.phase === 'stable') state.phase = 'outside';
}

/** Drops the claim and the member id: the coordinator no longer knows the member. */
export function forget(state: State): void {
  loseClaim(state);
  state.memberId = '';
}

/** Makes the error for a code that ends the membership. */
export function memberError(options: MembershipOptions, code: number): CliError {
  const hints =
    code === codes.FENCED_INSTANCE_ID ? [`use another --instance-id: a member already uses ${options.instanceId}`] : [];
  return kafkaError(code, `unable to stay in group "${options.group}": ${kafkaErrorText(code)}`, {
    target: options.group,
    hints,
  });
}

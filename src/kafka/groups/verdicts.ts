/** Error codes of the group APIs that a member acts on, from the protocol guide. */
export const groupCodes = {
  unknownTopic: 3,
  illegalGeneration: 22,
  inconsistentProtocol: 23,
  unknownMember: 25,
  rebalanceInProgress: 27,
  groupNotFound: 69,
  memberIdRequired: 79,
  fencedInstance: 82,
  unstableOffsets: 88,
  unknownTopicId: 100,
  /** This code and the following ones belong to the consumer protocol. */
  fencedEpoch: 110,
  unreleasedInstance: 111,
  unsupportedAssignor: 112,
  staleEpoch: 113,
} as const;

/**
 * What an error code means for a membership. `rebalance`: still a member, which must join again. `lost`: its
 * generation has passed without it, and others may own its partitions. `forgotten`: the same, and its id or epoch is
 * void. `stale`: still a member, in an epoch that it has not received yet.
 */
export type Verdict = 'rebalance' | 'lost' | 'forgotten' | 'stale';

const verdicts: ReadonlyMap<number, Verdict> = new Map([
  [groupCodes.rebalanceInProgress, 'rebalance'],
  [groupCodes.illegalGeneration, 'lost'],
  [groupCodes.unknownMember, 'forgotten'],
  [groupCodes.fencedEpoch, 'forgotten'],
  [groupCodes.staleEpoch, 'stale'],
]);

/** What `code` means for the membership; undefined for 0 and for codes about other things. */
export function verdictOf(code: number): Verdict | undefined {
  return verdicts.get(code);
}

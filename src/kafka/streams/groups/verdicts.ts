import { codes } from '../../protocol/wire/error-codes.ts';
/**
 * What an error code means for a membership. `rebalance`: still a member, which must join again. `lost`: its
 * generation has passed without it, and others may own its partitions. `forgotten`: the same, and its id or epoch is
 * void. `stale`: still a member, in an epoch that it has not received yet.
 */
export type Verdict = 'rebalance' | 'lost' | 'forgotten' | 'stale';

const verdicts: ReadonlyMap<number, Verdict> = new Map([
  [codes.REBALANCE_IN_PROGRESS, 'rebalance'],
  [codes.ILLEGAL_GENERATION, 'lost'],
  [codes.UNKNOWN_MEMBER_ID, 'forgotten'],
  [codes.FENCED_MEMBER_EPOCH, 'forgotten'],
  [codes.STALE_MEMBER_EPOCH, 'stale'],
]);

/** What `code` means for the membership; undefined for 0 and for codes about other things. */
export function verdictOf(code: number): Verdict | undefined {
  return verdicts.get(code);
}

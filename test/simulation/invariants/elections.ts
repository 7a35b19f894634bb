import type { Election } from '../../../src/sandbox/broker/cluster-parts.ts';

/** Where a record was written, and in which leader epoch. */
export interface Written {
  readonly offset: number;
  readonly leaderEpoch: number;
}

/** Checks whether the log of the elected leader lacks a record of an earlier leader. */
export function cutsOff({ leaderEpoch, epochs, endOffset }: Election, record: Written): boolean {
  if (record.leaderEpoch >= leaderEpoch) return false;
  const index = epochs.findIndex(({ epoch }) => epoch === record.leaderEpoch);
  const end = index < 0 ? -1 : (epochs[index + 1]?.startOffset ?? endOffset);
  return record.offset >= end;
}

/** Returns the leader epoch at a time; -1 before the first election. */
export function epochAt(elections: readonly Election[], at: number): number {
  return elections.findLast((election) => election.at <= at)?.leaderEpoch ?? -1;
}

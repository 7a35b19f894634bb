import type { Election } from '../../../src/sandbox/broker/replication/partition.ts';

/** A record by where a leader wrote it, and in which epoch. */
export interface Written {
  readonly offset: number;
  readonly leaderEpoch: number;
}

/** Whether the log of the elected leader lacks a record that a leader before it had written. */
export function cutsOff({ leaderEpoch, epochs, endOffset }: Election, record: Written): boolean {
  if (record.leaderEpoch >= leaderEpoch) return false;
  const index = epochs.findIndex(({ epoch }) => epoch === record.leaderEpoch);
  const end = index < 0 ? -1 : (epochs[index + 1]?.startOffset ?? endOffset);
  return record.offset >= end;
}

/** The epoch in which the leader of a moment led; -1 before the first one. */
export function epochAt(elections: readonly Election[], at: number): number {
  return elections.findLast((election) => election.at <= at)?.leaderEpoch ?? -1;
}

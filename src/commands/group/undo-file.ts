import type { SeekPlan } from '../../kafka/group-admin/seek-rows.ts';

/** The lines of an undo file: the offsets that are committed before a seek, as `group seek --to-file` reads them. */
export function undoLines({ group, moves }: SeekPlan): string {
  const lines = moves.map(({ topic, partition, prior_offset: prior }) => `${topic} ${partition} ${prior ?? '-'}`);
  return [
    `# committed offsets of group ${JSON.stringify(group)} before a seek: topic, partition, offset`,
    ...lines,
    '',
  ].join('\n');
}

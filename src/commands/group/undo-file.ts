import type { SeekPlan } from '../../kafka/group-admin/seek-rows.ts';
import { isDataFile } from '../text-file.ts';

/**
 * An undo file: the offsets that are committed before a seek, as `group seek --to-file` reads a file with this name. That
 * takes a name such as undo.json for JSON, which is YAML too. The topic ids keep the offsets from those of a topic that is
 * created again with the same name.
 */
export function undoFile(path: string, { group, moves }: SeekPlan): string {
  const places = moves.map(({ topic, topic_id: id, partition, prior_offset: prior }) => ({
    ...{ topic, partition },
    offset: prior === null ? '-' : String(prior),
    ...(id !== null && { topic_id: id }),
  }));
  if (isDataFile(path)) return `[\n${places.map((place) => `  ${JSON.stringify(place)}`).join(',\n')}\n]\n`;
  return [
    `# committed offsets of group ${JSON.stringify(group)} before a seek: topic, partition, offset, topic id`,
    ...places.map((place) => Object.values(place).join(' ')),
    '',
  ].join('\n');
}

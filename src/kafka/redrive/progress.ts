import { CliError, exitCodes } from '../../errors.ts';
import { foreignOffsets, type StoredOffset } from '../copy/stored-progress.ts';
import type { TopicPartition } from '../groups/subscription.ts';
import { createSettled, type Settled } from './settled.ts';

/**
 * A redrive keeps its progress in a group, as offsets of the topic with the dead letters: the offset of a partition is
 * that of the first dead letter that was left, and the metadata says which after it were sent.
 */
const form = 'weir-redrive:1';
/** The size of metadata that every broker stores, in bytes (`offset.metadata.max.bytes` is 4,096 by default). */
const mostMetadata = 4_000;

/** What of a partition is settled by what a group has stored; the log begins at `logStart`. */
export function settledBy(
  stored: StoredOffset | undefined,
  { group, topicId, logStart }: { readonly group: string; readonly topicId: string; readonly logStart: bigint },
): Settled {
  const nothing = createSettled(logStart);
  if (stored === undefined) return nothing;
  const { topic, partition, offset, metadata } = stored;
  const [mark, id = '-', text = ''] = metadata.split(' ');
  if (mark !== form) throw foreignOffsets(group, topic);
  // Of a topic that was deleted since.
  if (id !== '-' && topicId !== '' && id !== topicId) return nothing;
  try {
    const settled = createSettled(offset, text);
    settled.add(offset, logStart);
    return settled;
  } catch {
    throw new CliError(
      exitCodes.conflict,
      `group "${group}" has damaged progress for topic "${topic}" partition ${partition}`,
      { code: 'PROGRESS_DAMAGED', target: group, hints: ['put all dead letters back, whatever was before: --restart'] },
    );
  }
}

/** The code of the error for a set of offsets that is too large to be stored. */
export const tooManyGaps = 'TOO_MANY_GAPS';

/** The offset and metadata to store. @throws CliError if no broker would store so much; `before` is what it would store */
export function storedOf(
  item: TopicPartition,
  { topicId, settled, before }: { readonly topicId: string; readonly settled: Settled; readonly before: bigint },
): StoredOffset {
  const text = settled.encode();
  const metadata = [form, topicId || '-', ...(text === '' ? [] : [text])].join(' ');
  if (metadata.length <= mostMetadata) return { ...item, offset: settled.floor, metadata };
  const { topic, partition } = item;
  const message = `unable to remember dead letters of topic "${topic}" partition ${partition} from offset ${before} on: too many were left between those that were put back`;
  throw new CliError(exitCodes.conflict, message, {
    code: tooManyGaps,
    target: topic,
    hints: [
      'put back more of those that were left, so that there are fewer gaps',
      `or go on under another name: -g NAME -p ${partition} -o ${before}:`,
    ],
  });
}

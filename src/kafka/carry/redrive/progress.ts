import { CliError, exitCodes } from '../../../errors.ts';
import type { TopicPartition } from '../../streams/groups/subscription.ts';
import { foreignOffsets, type StoredOffset } from '../stored-offsets.ts';
import { createSettledOffsets, type SettledOffsets } from './settled-offsets.ts';

/**
 * A redrive keeps its progress in a group, as offsets of the topic with the dead letters: the offset of a partition is
 * that of the first dead letter that was left, and the metadata says which after it were sent.
 */
const form = 'weir-redrive:1';
/** The size of metadata that every broker stores, in bytes (`offset.metadata.max.bytes` is 4,096 by default). */
const mostMetadata = 4_000;

/** Stands in front of the leader epoch. */
const epochMark = '@';

/** What earlier runs have done in a partition. */
export interface Progress {
  readonly settled: SettledOffsets;
  /** The leader epoch of the record before the end of `settled`, or a later one that was read; -1 when unknown. */
  readonly epoch: number;
}

/** Reads what a group has stored of a partition, whose log begins at `logStart`. */
export function progressBy(
  stored: StoredOffset | undefined,
  { group, topicId, logStart }: { readonly group: string; readonly topicId: string; readonly logStart: bigint },
): Progress {
  const nothing = { settled: createSettledOffsets(logStart), epoch: -1 };
  if (stored === undefined) return nothing;
  const { topic, partition, offset, metadata } = stored;
  const [mark, id = '-', ...words] = metadata.split(' ');
  if (mark !== form) throw foreignOffsets(group, topic);
  const epoch = words.find((word) => word.startsWith(epochMark))?.slice(epochMark.length);
  // Of a topic that was deleted since.
  if (id !== '-' && topicId !== '' && id !== topicId) return nothing;
  try {
    const settled = createSettledOffsets(
      offset,
      words.find((word) => !word.startsWith(epochMark)),
    );
    settled.add(offset, logStart);
    return { settled, epoch: epoch === undefined ? -1 : Number(epoch) };
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
  { topicId, settled, epoch, before }: Progress & { readonly topicId: string; readonly before: bigint },
): StoredOffset {
  const words = [epoch < 0 ? '' : `${epochMark}${epoch}`, settled.encode()];
  const metadata = [form, topicId || '-', ...words.filter((word) => word !== '')].join(' ');
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

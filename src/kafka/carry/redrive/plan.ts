import { usageError } from '../../../errors.ts';
import type { Client, TopicMetadata } from '../../protocol/client/client.ts';
import { noUuid } from '../../protocol/wire/primitives.ts';
import { existingTopics, planStarts } from '../../streams/consume/plan.ts';
import type { PartitionStart } from '../../streams/consume/position.ts';
import { rewindPlaces } from '../../streams/consume/truncation.ts';
import { destinationTopic } from '../../streams/produce/topics.ts';
import { readStored } from '../stored-offsets.ts';
import { type Progress, progressBy } from './progress.ts';
import type { RedriveRequest } from './request.ts';

/** What stays the same during a redrive. */
export interface RedrivePlan {
  readonly request: RedriveRequest;
  readonly topic: TopicMetadata;
  /** '' where brokers report none. */
  readonly topicId: string;
  readonly group: string;
  /** The range of each partition. */
  readonly starts: readonly PartitionStart[];
  readonly logStarts: ReadonlyMap<number, bigint>;
}

/** Where to begin in a partition, and what was done in it. */
interface Beginning extends Progress {
  readonly start: PartitionStart;
}

/** Checks the topics, and looks up the range of each partition. */
export async function planRedrive(client: Client, request: RedriveRequest): Promise<RedrivePlan> {
  const { topic: name, to, partitions, range, warn } = request;
  if (typeof to === 'object' && 'topic' in to) {
    if (to.topic === name) throw usageError(`unable to redrive topic "${name}" into itself`, { target: name });
    await destinationTopic(client, to.topic);
  }
  const topics = await existingTopics(client, [name], partitions);
  const [topic] = topics;
  if (topic === undefined) throw new Error(`no topic ${name}`);
  const [starts, whole] = await Promise.all([
    planStarts(client, { topics, range, readCommitted: true, warn }),
    planStarts(client, { topics, range: { start: { at: 'start' }, end: undefined }, readCommitted: true, warn }),
  ]);
  return {
    request,
    topic,
    topicId: topic.id === undefined || topic.id === noUuid ? '' : topic.id,
    group: request.group ?? `weir-redrive-${name}`,
    starts,
    logStarts: new Map(whole.map(({ partition, offset }) => [partition, offset])),
  };
}

/** Reads what earlier runs have settled, of what is still in the log. */
export async function readBeginnings(
  client: Client,
  plan: RedrivePlan,
  { isStable, warn }: { readonly isStable: boolean; readonly warn: (line: string) => void },
): Promise<readonly Beginning[]> {
  const { request, group, topic, topicId, starts, logStarts } = plan;
  const stored = await readStored(client, group, starts, isStable);
  const earlier = starts.map(({ partition }) => {
    const context = { group, topicId, logStart: logStarts.get(partition) ?? 0n };
    // Also with --restart: nobody else's offsets are replaced.
    const progress = progressBy(
      stored.find((one) => one.partition === partition),
      context,
    );
    return { partition, ...(request.restarts ? progressBy(undefined, context) : progress) };
  });
  const ends = earlier.map(({ partition, settled, epoch }) => ({ partition, offset: settled.ceiling, epoch }));
  const rewound = await rewindPlaces(client, topic.name, ends, warn);
  return starts.flatMap((start, at) => {
    const [progress, end] = [earlier[at], rewound[at]];
    return progress === undefined || end === undefined ? [] : [beginningOf(start, progress, end)];
  });
}

/** @param kept up to where the log still has what earlier runs have read, and the epoch there */
function beginningOf(
  start: PartitionStart,
  { settled }: Progress,
  kept: { readonly offset: bigint; readonly epoch: number },
): Beginning {
  // Where the log was cut, other dead letters have the offsets of those that were sent.
  if (kept.offset < settled.ceiling) settled.cut(kept.offset);
  const { end = start.offset } = start;
  const offset = settled.floor > start.offset ? settled.floor : start.offset;
  const epoch = offset === settled.ceiling ? kept.epoch : -1;
  return { settled, epoch: kept.epoch, start: { ...start, offset: offset > end ? end : offset, epoch } };
}

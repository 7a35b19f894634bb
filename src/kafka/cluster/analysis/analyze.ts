import { CliError, type ItemError, itemErrorOf } from '../../../errors.ts';
import type { Client, TopicMetadata } from '../../protocol/client/client.ts';
import { kafkaItemError } from '../../protocol/errors.ts';
import { readSelection } from '../../protocol/partitions/topic-selection.ts';
import { consume } from '../../streams/consume/open.ts';
import type { AnalyzeCall, TopicAnalysis } from './analysis-rows.ts';
import { createTally, type Tally } from './tally.ts';

const fetchMaxBytes = 8 << 20;
const fetchMaxPartitionBytes = 1 << 20;

/**
 * Reads a sample of each topic, one after the other; returns rows in the order of the call. Only the counts of one topic are
 * in memory at a time.
 */
export async function analyzeTopics(client: Client, call: AnalyzeCall): Promise<TopicAnalysis[]> {
  const { topics } = await readSelection(client, { topics: call.topics, regex: false, internal: true });
  const rows: TopicAnalysis[] = [];
  for (const topic of topics) rows.push(await analyzeTopic(client, topic, call));
  return rows;
}

async function analyzeTopic(client: Client, topic: TopicMetadata, call: AnalyzeCall): Promise<TopicAnalysis> {
  const tally = createTally(call);
  const rowOf = (isCut: boolean, error: ItemError | null): TopicAnalysis => {
    return { topic: topic.name, partitions: topic.partitions.length, ...tally.result(isCut), error };
  };
  if (topic.errorCode !== 0) return rowOf(false, kafkaItemError(topic.errorCode));
  try {
    return rowOf(await read(client, topic.name, { call, tally }), null);
  } catch (error) {
    if (!(error instanceof CliError) || client.options.deadline.signal.aborted) throw error;
    return rowOf(true, itemErrorOf(error));
  }
}

/**
 * Reads the sample as `topic consume` does, and counts instead of printing. One record more than the limit is read, to
 * tell whether there is one.
 * @returns whether there are more records than the limit
 */
async function read(
  client: Client,
  topic: string,
  { call, tally }: { readonly call: AnalyzeCall; readonly tally: Tally },
): Promise<boolean> {
  let read = 0;
  const consumption = await consume(client, {
    topics: [topic],
    regex: false,
    partitions: [],
    range: call.range,
    limit: call.limit + 1,
    group: undefined,
    format(...record) {
      read += 1;
      if (read <= call.limit) tally.count(...record);
    },
    readCommitted: false,
    printControl: false,
    fetchMaxBytes,
    fetchMaxPartitionBytes,
    fetchMaxWaitMs: client.options.deadline.limits.fetchMaxWaitMs,
    rack: '',
    warn: call.warn,
    onPrinted: () => undefined,
  });
  await consumption.pump({ write: () => undefined });
  return read > call.limit;
}

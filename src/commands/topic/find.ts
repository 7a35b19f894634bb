import { flag, many, one } from '../../cli/command.ts';
import { listCommand } from '../../cli/forms/read.ts';
import type { Context } from '../../context.ts';
import { CliError, invalidError } from '../../errors.ts';
import type { DetailedTopic } from '../../kafka/cluster/topics/topic-rows.ts';
import { type KeyPartitioner, keyPartitioners } from '../../kafka/records/batches/partitioner.ts';
import { integer, maxInt32, oneOf, text } from '../../kinds.ts';
import { maybe, row, string, whole, word } from '../../shape/shape.ts';
import { topicName } from './topic-name.ts';

const partitioners = Object.keys(keyPartitioners) as KeyPartitioner[];

/** Where a key goes. */
const foundKey = row({
  topic: string,
  key: string,
  partitioner: word(...partitioners),
  partitions: whole,
  partition: whole,
  /** Null if the topic has no such partition. */
  leader: maybe(whole),
});

const encodings = ['text', 'hex', 'base64'] as const;
type Encoding = (typeof encodings)[number];

/** `topic find` */
export const find = listCommand({
  summary: 'Show which partition a key goes to',
  description: `Computes the partition of each key as a producer does. Clients differ: murmur2 is what weir, rpk and Java clients
use by default, crc32 is librdkafka's (kcat, Python, C#), fnv1a is Sarama's. A producer that names a partition, or that
has a partitioner of its own, may write a key elsewhere.

To find records, by key or by what is in them, use topic search. With --partitions, computes for another number of partitions, for example before topic add-partitions.`,
  examples: [
    ['The partition of a key', 'topic find orders customer-17'],
    ['Where two keys would be with twelve partitions', 'topic find orders a b --partitions 12'],
    ['A binary key of a producer that uses librdkafka', 'topic find orders --encoding hex --partitioner crc32 00ff'],
  ],
  apis: ['kafka'],
  args: { topic: one(topicName, 'TOPIC', 'name of the topic'), keys: many(text, 'KEY', 'keys of records') },
  flags: {
    partitioner: flag(oneOf('partitioner', partitioners), {
      help: 'how the producer chooses partitions',
      fallback: 'murmur2' as KeyPartitioner,
    }),
    partitions: flag(integer({ min: 1, max: maxInt32 }), {
      short: 'n',
      help: 'number of partitions to compute with (default: those of the topic)',
    }),
    encoding: flag(oneOf('encoding', encodings), { help: 'how KEY is written', fallback: 'text' as Encoding }),
  },
  row: foundKey,
  async read(context, { topic, keys, partitioner, partitions, encoding }) {
    const bytes = keys.map((key) => decoded(key, encoding));
    const { partition_list: list } = await readTopic(context, topic);
    const size = partitions ?? list.length;
    return keys.map((key, at) => {
      const partition = keyPartitioners[partitioner](bytes[at] ?? Buffer.alloc(0), size);
      const leader = list.find((one) => one.partition === partition)?.leader ?? null;
      return { topic, key, partitioner, partitions: size, partition, leader };
    });
  },
  columns: ['key', 'partition', 'leader'],
  wide: ['key', 'partition', 'leader', 'partitions', 'partitioner'],
});

function decoded(key: string, encoding: Encoding): Buffer {
  if (encoding === 'text') return Buffer.from(key);
  const pattern = encoding === 'hex' ? /^(?:[0-9a-f]{2})*$/i : /^[A-Za-z0-9+/]*={0,2}$/;
  if (!pattern.test(key)) throw invalidError(`invalid key "${key}": it is not ${encoding}`, { target: 'KEY' });
  return Buffer.from(key, encoding);
}

async function readTopic(context: Context, topic: string): Promise<DetailedTopic> {
  const kafka = await context.kafka();
  const [row] = await kafka.listTopics({ topics: [topic], regex: false, internal: true });
  if (row !== undefined && row.error === null) return row;
  const {
    code = 'NOT_FOUND',
    message = 'unknown topic',
    exit_code: exitCode = 3,
    retryable = false,
  } = row?.error ?? {};
  throw new CliError(exitCode, `unable to read topic "${topic}": ${code}: ${message}`, {
    code,
    target: topic,
    retryable,
  });
}

import kafkajs, { type Message } from 'kafkajs';

const { CompressionTypes, Kafka, logLevel, Partitioners } = kafkajs;

// `kafkajs-produce SEEDS TOPIC PARTITIONS CODEC`: kafkajs's own producer writes the lines of standard input, in batches
// as large as the broker takes them.
const [seeds = '', topic = '', partitions = '1', codec = 'none'] = process.argv.slice(2);
const compression = codec === 'gzip' ? CompressionTypes.GZIP : CompressionTypes.None;
/** Bytes of one call: kafkajs makes one batch per partition of it, and brokers accept 1 MiB by default. */
const mostBytes = 900_000 * Number(partitions);
/** Largest overhead of a record besides its value, in bytes. */
const overhead = 16;
const kafka = new Kafka({ clientId: 'bench', brokers: seeds.split(','), logLevel: logLevel.ERROR });
const producer = kafka.producer({ createPartitioner: Partitioners.DefaultPartitioner });
let messages: Message[] = [];
let bytes = 0;

async function send(): Promise<void> {
  if (messages.length > 0) await producer.sendBatch({ topicMessages: [{ topic, messages }], acks: -1, compression });
  messages = [];
  bytes = 0;
}

await producer.connect();
let rest: Buffer = Buffer.alloc(0);
for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
  const text = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
  let from = 0;
  for (let end = text.indexOf(10); end >= 0; end = text.indexOf(10, from)) {
    messages.push({ value: text.subarray(from, end) });
    bytes += end - from + overhead;
    from = end + 1;
    if (bytes >= mostBytes) await send();
  }
  rest = text.subarray(from);
}
if (rest.length > 0) messages.push({ value: rest });
await send();
await producer.disconnect();

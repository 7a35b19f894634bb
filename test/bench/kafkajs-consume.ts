import { once } from 'node:events';
import kafkajs from 'kafkajs';

const { Kafka, logLevel } = kafkajs;

// `kafkajs-consume SEEDS TOPIC RECORDS`: kafkajs's own consumer, used as its documentation advises where speed counts
// (eachBatch), prints values as lines.
const [seeds = '', topic = '', records = ''] = process.argv.slice(2);
const nothing = Buffer.alloc(0);
const lineEnd = Buffer.from('\n');
const kafka = new Kafka({ clientId: 'bench', brokers: seeds.split(','), logLevel: logLevel.ERROR });
// A new group each time, so that it reads everything.
const consumer = kafka.consumer({
  groupId: `bench-kafkajs-${process.pid}-${Date.now()}`,
  maxBytesPerPartition: 4 << 20,
});
let left = Number(records);

await consumer.connect();
await consumer.subscribe({ topic, fromBeginning: true });
await consumer.run({
  async eachBatch({ batch }) {
    const lines = Buffer.concat(batch.messages.flatMap(({ value }) => [value ?? nothing, lineEnd]));
    left -= batch.messages.length;
    // Leaving the group cleanly is not measured.
    if (left <= 0) process.stdout.write(lines, () => process.exit());
    else if (!process.stdout.write(lines)) await once(process.stdout, 'drain');
  },
});

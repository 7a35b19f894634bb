import { once } from 'node:events';
import avro from 'avsc';
import kafkajs from 'kafkajs';

const { Kafka, logLevel } = kafkajs;

// `kafkajs-avro SEEDS TOPIC RECORDS REGISTRY`: kafkajs's own consumer with avsc, as a user would combine them, prints the
// decoded values as lines of JSON.
const [seeds = '', topic = '', records = '', registry = ''] = process.argv.slice(2);
const answer = await fetch(`${registry}/schemas/ids/1`);
const { schema } = (await answer.json()) as { schema: string };
const type = avro.Type.forSchema(JSON.parse(schema));
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
    const lines = batch.messages.map(({ value }) => {
      return `${JSON.stringify(type.fromBuffer((value ?? Buffer.alloc(5)).subarray(5)))}\n`;
    });
    left -= batch.messages.length;
    // Leaving the group cleanly is not measured.
    if (left <= 0) process.stdout.write(lines.join(''), () => process.exit());
    else if (!process.stdout.write(lines.join(''))) await once(process.stdout, 'drain');
  },
});

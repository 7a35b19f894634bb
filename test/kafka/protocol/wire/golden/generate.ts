import { writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { defaultKafkaVersion } from '../../../../../src/sandbox/kafka/libraries.ts';
import { accessCases } from './access-cases.ts';
import { type GoldenCase, messagesOf } from './case.ts';
import { clusterCases } from './cluster-cases.ts';
import { groupCases } from './group-cases.ts';
import { topicCases } from './topic-cases.ts';

/** Records the bytes that Kafka's own classes write: `node test/kafka/protocol/wire/golden/generate.ts`. */
async function record(cases: readonly GoldenCase[]): Promise<string> {
  const messages = messagesOf(cases);
  const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache');
  const libraries = join(cache, 'weir/kafka', defaultKafkaVersion, '*');
  const { stdout } = await execa('java', ['-cp', libraries, join(import.meta.dirname, 'KafkaBytes.java')], {
    input: JSON.stringify(messages.map(({ name, version, message }) => [name, version, message.kafka])),
  });
  const lines = stdout.split('\n');
  return `${JSON.stringify(Object.fromEntries(messages.map(({ key }, at) => [key, lines[at]])), null, 2)}\n`;
}

writeFileSync(join(import.meta.dirname, 'access.json'), await record(accessCases));
writeFileSync(join(import.meta.dirname, 'groups.json'), await record(groupCases));
writeFileSync(join(import.meta.dirname, 'topics.json'), await record(topicCases));
writeFileSync(join(import.meta.dirname, 'cluster.json'), await record(clusterCases));

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { defaultKafkaVersion } from '../../src/sandbox/kafka/libraries.ts';
import { isInstalled } from './measure.ts';
import type { Peer } from './peers.ts';
import type { Place } from './world.ts';

const copyPlugin = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy';

/**
 * The class path of Kafka's own command line tools: the sandbox's jars and the one that holds the tools,
 * fetched through Maven once. Undefined where Java, Maven or the sandbox's Kafka is missing.
 */
export function kafkaToolsClassPath(cache: string): string | undefined {
  const broker = join(cache, 'weir', 'kafka', defaultKafkaVersion);
  const tools = join(cache, 'weir', 'kafka-tools', defaultKafkaVersion);
  if (!isInstalled('java') || !existsSync(broker)) return undefined;
  if (!existsSync(tools)) {
    const artifact = `-Dartifact=org.apache.kafka:kafka-tools:${defaultKafkaVersion}`;
    const { status } = spawnSync('mvn', ['-q', '-B', copyPlugin, artifact, `-DoutputDirectory=${tools}`]);
    if (status !== 0) return undefined;
  }
  return `${broker}/*:${tools}/*`;
}

/** What one of Kafka's scripts runs, with the memory that the scripts give it; `main` is in Kafka's package of tools. */
export function kafkaScript({ env, brokers }: Place, main: string, ...args: readonly string[]): Peer {
  const classPath = kafkaToolsClassPath(env.XDG_CACHE_HOME ?? '');
  const java = ['-Xmx512m', '-cp', classPath ?? '', `org.apache.kafka.tools.${main}`, '--bootstrap-server', brokers];
  return { name: "Kafka's scripts", file: 'java', args: [...java, ...args], there: classPath !== undefined };
}

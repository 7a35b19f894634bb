import { resolve } from 'node:path';
import { execa } from 'execa';
import { sharedClasses } from '../../../src/sandbox/class-archive.ts';
import { kafkaToolsClassPath } from '../../bench/kafka-tools.ts';
import { services } from '../../services/services.ts';

/** Represents null in the console tools' input and output. */
export const nullText = '<null>';

/** How long the console consumer waits for a record, in milliseconds: on a busy machine its start alone takes a minute. */
const quietMs = '200000';

/** Optimized for a fast start; logs only errors; text is UTF-8 even without a locale. */
const javaFlags = [
  ...['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-XX:-UsePerfData', '-Dfile.encoding=UTF-8'],
  '-Dorg.slf4j.simpleLogger.defaultLogLevel=error',
];

function classPath(): string {
  // The jars are in <cache>/weir/kafka/<version>.
  const found = kafkaToolsClassPath(resolve(services().runtime.libraries, '../../..'));
  if (found !== undefined) return found;
  throw new Error('the tests need the jar of the console tools, which Maven brings');
}

/** The command line of one of Kafka's tools, without the program; a class of the package `tools` needs no package. */
async function toolWords(main: string, words: readonly string[], brokers = services().plaintext): Promise<string[]> {
  // The classes of the brokers, which are first on the path of the tools, are loaded already.
  const shared = await sharedClasses(services().runtime);
  const name = main.startsWith('kafka.') ? main : `org.apache.kafka.tools.${main}`;
  return [...shared, ...javaFlags, '-cp', classPath(), name, '--bootstrap-server', brokers, ...words];
}

async function java(main: string, words: readonly string[], input: string, brokers?: string): Promise<Buffer> {
  const { stdout } = await execa(services().runtime.java, await toolWords(main, words, brokers), {
    input,
    encoding: 'buffer',
    stripFinalNewline: false,
  });
  return Buffer.from(stdout);
}

/** The output of Kafka's tool for ACLs. */
export async function kafkaAcls(...words: readonly string[]): Promise<string> {
  return (await java('AclCommand', words, '')).toString();
}

/** The output of Kafka's tool for configs, which also manages users. */
export async function kafkaConfigs(...words: readonly string[]): Promise<string> {
  return await kafkaConfigsAt(services().plaintext, ...words);
}

/** The same at a listener of its own. */
export async function kafkaConfigsAt(brokers: string, ...words: readonly string[]): Promise<string> {
  return (await java('kafka.admin.ConfigCommand', words, '', brokers)).toString();
}

/** The output of Kafka's tool for topics at a listener of its own. */
export async function kafkaTopics(brokers: string, ...words: readonly string[]): Promise<string> {
  return (await java('TopicCommand', words, '', brokers)).toString();
}

/** A record as the console tools write it: fields of text, `nullText` for null, headers `a:1,b:2`. */
export interface ConsoleRecord {
  readonly headers: string;
  readonly key: string;
  readonly value: string;
}

/** Writes records with Kafka's console producer. */
export async function consoleProduces(topic: string, codec: string, records: readonly ConsoleRecord[]): Promise<void> {
  const reader = ['parse.headers=true', 'parse.key=true', `null.marker=${nullText}`, 'ignore.error=false'];
  const words = ['--topic', topic, '--compression-codec', codec, ...reader.flatMap((one) => ['--property', one])];
  const lines = records.map(({ headers, key, value }) => `${headers}\t${key}\t${value}\n`);
  await java('ConsoleProducer', words, lines.join(''));
}

/** What Kafka's console consumer prints of a topic: time, partition, offset, headers, key, value, bytes as they are. */
export async function consoleConsumes(topic: string, count: number): Promise<Buffer> {
  const shown = ['timestamp', 'partition', 'offset', 'headers', 'key', 'value'];
  const printer = [...shown.map((name) => `print.${name}=true`), `null.literal=${nullText}`];
  const words = ['--topic', topic, '--from-beginning', '--max-messages', String(count), '--timeout-ms', quietMs];
  return java('consumer.ConsoleConsumer', [...words, ...printer.flatMap((one) => ['--property', one])], '');
}

/** A read of partition 0 by Kafka's console consumer; `properties` are those of the Java consumer. */
export interface ConsoleReading {
  readonly start: number;
  readonly committed: boolean;
  readonly count: number;
  readonly properties: readonly string[];
}

/** Reads that many records with Kafka's console consumer: a line `OFFSET=VALUE` for each. */
export async function consoleReads(topic: string, reading: ConsoleReading): Promise<readonly string[]> {
  const { start, committed, count, properties } = reading;
  const place = ['--topic', topic, '--partition', '0', '--offset', String(start), '--max-messages', String(count)];
  const level = ['--isolation-level', committed ? 'read_committed' : 'read_uncommitted', '--timeout-ms', quietMs];
  const shown = ['--property', 'print.offset=true', '--property', 'key.separator=\t'];
  const more = properties.flatMap((one) => ['--consumer-property', one]);
  const text = (await java('consumer.ConsoleConsumer', [...place, ...level, ...shown, ...more], '')).toString();
  return text
    .trimEnd()
    .split('\n')
    .map((line) => line.replace(/^Offset:(\d+)\t/, '$1='));
}

/** What Kafka's tool for groups prints, as lines of words, without its headers and empty lines. */
export async function consumerGroups(words: readonly string[]): Promise<readonly (readonly string[])[]> {
  const text = (await java('consumer.group.ConsumerGroupCommand', words, '')).toString();
  const lines = text.split('\n').map((line) => line.trim().split(/\s+/));
  return lines.filter(([first = '']) => first !== '' && first !== 'GROUP' && first !== 'Consumer');
}

/** A console consumer that is a member of a group until it is stopped. */
export interface ConsoleMember {
  /** Its output: lines of partition, tab, key. */
  stdout(): string;
  /** Ends it as Ctrl-C does: it commits and leaves. */
  stop(): Promise<void>;
}

/** Starts Kafka's console consumer as a member of a group; `settings` are properties of the Java consumer. */
export async function consoleMember(topic: string, group: string, settings: readonly string[]): Promise<ConsoleMember> {
  const printer = ['print.partition=true', 'print.key=true', 'print.value=false'];
  const words = ['--topic', topic, '--group', group, '--from-beginning'];
  const more = [
    ...printer.flatMap((one) => ['--property', one]),
    ...settings.flatMap((one) => ['--consumer-property', one]),
  ];
  const child = execa(services().runtime.java, await toolWords('consumer.ConsoleConsumer', [...words, ...more]), {
    reject: false,
  });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  return {
    stdout: () => text,
    async stop() {
      child.kill('SIGTERM');
      await child;
    },
  };
}

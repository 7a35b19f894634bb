/** The summaries of what `weir help SUBJECT` explains, by subject. */
export const subjectSummaries = {
  flags: 'flags that every command has',
  formats: 'record formats for -f of consume and produce',
  offsets: 'values of --offset',
  where: 'conditions of --where',
  environment: 'environment variables that weir reads',
  'exit-codes': 'meanings of the exit codes',
  permissions: 'what the user of a command must be allowed to do',
  rpk: 'commands of rpk that have another name',
  kcat: 'lines of kcat, and what to type instead',
  kaf: 'the same for kaf',
  kafkactl: 'the same for kafkactl',
  confluent: "the same for Confluent's CLI and console programs",
  'kafka-scripts': "the same for Kafka's scripts, such as kafka-topics.sh",
} as const;

/** A subject of `weir help`. */
export type Subject = keyof typeof subjectSummaries;

/** Whether the word names a subject. */
export function isSubject(word: string): word is Subject {
  return Object.hasOwn(subjectSummaries, word);
}

/** A program whose lines a subject translates. */
export type OtherTool = Extract<Subject, 'rpk' | 'kcat' | 'kaf' | 'kafkactl' | 'confluent' | 'kafka-scripts'>;

/** The subject about a program that people come from; undefined if there is none. */
export function subjectOfTool(word: string): OtherTool | undefined {
  if (word === 'kafkacat') return 'kcat';
  if (word === 'confluent' || /^kafka-(?:avro|protobuf|json-schema)-console-/.test(word)) return 'confluent';
  if (/^kafka-[a-z-]+(?:\.sh)?$/.test(word)) return 'kafka-scripts';
  return word === 'rpk' || word === 'kcat' || word === 'kaf' || word === 'kafkactl' ? word : undefined;
}

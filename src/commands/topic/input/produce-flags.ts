import { flag, list, optional, toggle, type ValuesOf } from '../../../cli/command.ts';
import { compressions } from '../../../kafka/records/batches/compression/compressions.ts';
import { duration, integer, type Kind, keyValue, maxInt32, oneOf, size, text } from '../../../kinds.ts';
import { subjectName } from '../../registry/kinds.ts';
import { recordContextFlags } from '../../schema-context.ts';
import { ratePerSecond } from '../rate.ts';
import { isRecordLayout } from '../records/flags.ts';
import type { SchemaChoice } from '../records/schemas.ts';
import { topicName } from '../topic-name.ts';

const maxId = 0xffff_ffff;

/** A schema id, or the word `topic`; an empty text is none, as in rpk. */
const schemaChoice: Kind<SchemaChoice | undefined> = {
  name: 'schema',
  hint: 'ID|topic',
  parse(text) {
    if (text === '') return undefined;
    if (text.toLowerCase() === 'topic') return 'topic';
    if (!/^\d{1,10}$/.test(text) || Number(text) > maxId) throw new Error('use a schema id, or the word topic');
    return Number(text);
  },
  show: (choice) => String(choice ?? ''),
};

/** What to make records of: samples that need no schema, or a schema. */
const generateChoice: Kind<'sample' | SchemaChoice> = {
  name: 'schema or sample',
  hint: 'sample|topic|SUBJECT|ID',
  completes: 'subject',
  offers: ['sample', 'topic'],
  parse(text) {
    if (text === 'sample' || text === 'topic') return text;
    if (/^\d{1,10}$/.test(text) && Number(text) <= maxId) return Number(text);
    return { subject: subjectName.parse(text) };
  },
  show: (choice) => (typeof choice === 'object' ? choice.subject : String(choice)),
};

/** Records that are made up, instead of input. */
const generateFlags = {
  generate: flag(generateChoice, {
    help: 'make up records instead of reading them: orders of a shop (sample), or values that fit a schema: the newest one of TOPIC-value (topic), the newest one of a subject, or the one with an id',
  }),
  num: flag(integer({ min: 1 }), { short: 'n', help: 'with --generate: the number of records' }),
  rate: flag(ratePerSecond, { help: 'with --generate: records per second (default: as many as possible)' }),
  for: flag(duration, { help: 'with --generate: how long' }),
  seed: flag(integer({ min: 0, max: maxId }), {
    help: 'with --generate: the same seed makes the same records (default: a random one, which is printed)',
  }),
};

/** Encoding by schemas of the registry. */
const schemaFlags = {
  schemaId: flag(schemaChoice, {
    help: 'encode JSON values with this schema: its id, or "topic" for the newest one of TOPIC-value',
  }),
  schemaKeyId: flag(schemaChoice, { help: 'the same for keys; "topic" is the newest schema of TOPIC-key' }),
  schemaType: flag(text, { help: 'full name of the Protobuf message of values, if the schema has several' }),
  schemaKeyType: flag(text, { help: 'the same for keys' }),
  ...recordContextFlags,
};

/** The arguments of `topic produce`. */
export const produceArgs = {
  topic: optional(topicName, 'TOPIC', 'topic of the records, or with %t, of those that name none'),
};

/** The flags of `topic produce`. */
export const produceFlags = {
  recordFormat: flag(text, {
    short: 'f',
    help: 'input format (default "%v\\n"), or the word json (the envelope) or csv (with a header line); --format also takes one that contains %',
    takesFormat: isRecordLayout,
  }),
  outputFormat: flag(text, {
    short: 'o',
    help: 'format to print for every written record; if empty, only their number is printed, at the end',
  }),
  value: flag(text, { help: 'write one record with this value, and read no input' }),
  key: flag(text, { short: 'k', help: 'key of records that have none in the input' }),
  header: list(keyValue, { short: 'H', help: 'header of every record, before those in the input' }),
  partition: flag(integer({ min: -1, max: maxInt32 }), {
    short: 'p',
    help: 'use %p of the input, and this partition for records without one; -1 means by key, and ignores %p',
    fallback: -1,
  }),
  compression: flag(oneOf('compression', compressions), {
    short: 'z',
    help: 'compression of batches',
    fallback: 'snappy' as const,
  }),
  acks: flag(oneOf('acks', ['all', '-1', '0', '1']), {
    help: 'who must acknowledge a batch: all in-sync replicas (all, -1), the leader (1) or nobody (0)',
    fallback: 'all' as const,
  }),
  deliveryTimeout: flag(duration, {
    help: 'how long a record may take, at least 1s; 0, the default, means globals.retry_timeout for each request',
  }),
  maxMessageBytes: flag(size({ min: -1, max: maxInt32 }), {
    help: 'maximum bytes of a batch before compression; larger records are refused',
    fallback: -1,
  }),
  tombstone: toggle({ short: 'Z', help: 'treat an empty value as null' }),
  allowAutoTopicCreation: toggle({ help: 'let the broker create a missing topic, if it allows that' }),
  ...schemaFlags,
  ...generateFlags,
  jvmPartitioner: toggle({
    short: 'j',
    help: 'deprecated: keys always go where the Java client puts them',
    hidden: true,
  }),
  timestamp: flag(text, { short: 't', help: 'deprecated: nothing', hidden: true }),
};

/** The arguments and flags of `topic produce`. */
export type ProduceValues = ValuesOf<typeof produceArgs & typeof produceFlags> & { readonly dryRun: boolean };

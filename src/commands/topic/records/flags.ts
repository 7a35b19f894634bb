import { flag, list, toggle } from '../../../cli/command.ts';
import { decodeErrorChoices } from '../../../kafka/records/language/decode-options.ts';
import { boolean, duration, int32Id, type Kind, maxInt32, oneOf, size, text } from '../../../kinds.ts';
import { recordContextFlags } from '../../schema-context.ts';

const maxBytes = size({ min: 1, max: maxInt32 });

/** The flags that choose topics and partitions to read. */
export const topicFlags = {
  partitions: list(int32Id, {
    short: 'p',
    help: 'read only these partitions of every topic',
    splits: true,
  }),
  regex: toggle({
    short: 'r',
    help: 'treat topics as regular expressions that match anywhere in a name; includes new topics',
  }),
};

/** The flag for the record format. */
export const formatFlags = {
  recordFormat: flag(text, {
    short: 'f',
    help: 'record format, for example "%k %v\\n", or the word json or csv; --format also takes one that contains %',
    takesFormat: isRecordLayout,
  }),
};

/** The flags for records as JSON. */
export const jsonFlags = {
  prettyPrint: flag(boolean, { help: 'print indented JSON (default: on a terminal only)', bare: 'true' }),
  parseJson: flag(boolean, {
    help: 'print keys and values that are JSON objects or arrays as JSON, not as strings (default: on a terminal only)',
    bare: 'true',
  }),
  metaOnly: toggle({ help: 'print JSON with the size of the value instead of the value' }),
  readCommitted: toggle({
    help: 'omit records of open and aborted transactions; a range to end stops before the first open one',
  }),
};

/** The flags for how records are fetched and decoded. */
export const readingFlags = {
  fetchMaxBytes: flag(maxBytes, { help: 'maximum bytes per fetch from a broker', fallback: 8 << 20 }),
  fetchMaxPartitionBytes: flag(maxBytes, { help: 'maximum bytes per partition in a fetch', fallback: 4 << 20 }),
  fetchMaxWait: flag(duration, { help: 'how long a broker waits for records (default: globals.fetch_max_wait)' }),
  rack: flag(text, { help: 'rack of this client, to read from a nearby replica', fallback: '' }),
  useSchemaRegistry: list({ ...text, hint: 'key|value', choices: ['key', 'value'] } as const, {
    help: 'decode keys and values (or only key or value) by the schemas that they name',
    bare: 'key,value',
    splits: true,
  }),
  onDecodeError: flag(oneOf('choice', decodeErrorChoices), {
    help: 'if a field cannot be decoded: print its bytes (raw, the default), leave the record out, or fail',
  }),
  ...recordContextFlags,
};

/** An expression that is true or false of a record; `weir help where` lists what it may contain. */
const expression: Kind<string> = {
  ...text,
  name: 'expression',
  hint: 'EXPRESSION',
  offers: ['key', 'value.', 'headers.', 'partition', 'offset', 'timestampMs', 'keyAsText', 'valueAsText', 'topic'],
};

/** The flags that choose records by what is in them; all conditions must hold. */
export const conditionFlags = {
  where: list(expression, {
    help: 'only records for which this expression is true, for example value.amount > 100; see weir help where',
  }),
  key: list(text, { help: 'only records with this key; several keys match any of them' }),
  header: list(
    { ...text, hint: 'NAME=VALUE' },
    { help: 'only records with this header; NAME alone matches any value' },
  ),
  contains: list(text, {
    help: 'only records with this text in the key, the value or a header; upper and lower case differ',
  }),
};

/** The flag that says how conditions are evaluated. */
export const explainFlag = {
  explain: toggle({ help: 'explain on stderr how records are found, and how many had to be examined' }),
};

/** Whether a value of `--format` is a record format: no output format contains a percent sign. */
export function isRecordLayout(value: string): boolean {
  return value.includes('%');
}

import { readYamlData } from '../../config/yaml/yaml-data.ts';
import type { Context } from '../../context.ts';
import { usageError } from '../../errors.ts';
import { maxInt32 } from '../../kinds.ts';
import { isData, nameOfFile, readTextFile } from '../text-file.ts';

/** A partition that a file names. */
export interface FilePartition {
  readonly topic: string;
  readonly partition: number;
  /** Null for `-`, and in a file without offsets. */
  readonly offset: bigint | null;
  /** The id of the topic that the offset belongs to; left out if the file does not say, or its form has none. */
  readonly topicId?: string;
}

/** What a file of partitions contains. */
export interface FileForm {
  /** The flag that names the file, for errors. */
  readonly flag: string;
  /** Whether each partition has an offset, and whether `-` may stand for it. */
  readonly offsets: 'none' | 'numbers' | 'numbers and -';
  /** The topic of the command line: a file may leave it out, but not name another one. */
  readonly topic?: string | undefined;
  /** Whether the id of the topic may follow. */
  readonly topicIds?: boolean;
}

/**
 * Reads partitions from a file, or from standard input (`-`): lines of `TOPIC PARTITION OFFSET`, in which `#` begins a
 * comment, or a JSON or YAML list of objects with the keys `topic`, `partition` and `offset`; with topic ids also of
 * `TOPIC PARTITION OFFSET TOPIC-ID`, or with the key `topic_id`.
 * @throws CliError (exit 2) with the place in the file, or when it does not exist; exit 1 when it cannot be read
 */
export async function readPartitionFile(
  context: Context,
  file: string,
  form: FileForm,
): Promise<readonly FilePartition[]> {
  const name = nameOfFile(file);
  const text = await readTextFile(context, file);
  const fields = isData(file, text) ? await readEntries(name, text) : readLines(text);
  const partitions = fields.map((entry) => partitionIn(entry, form, name));
  const fault = (what: string): Error => usageError(`unable to use ${name}: ${what}`, { target: form.flag });
  if (partitions.length === 0) throw fault('it names no partition');
  const seen = new Set<string>();
  for (const { topic, partition } of partitions) {
    const key = `${topic} ${partition}`;
    if (seen.has(key)) throw fault(`it names topic ${topic} partition ${partition} twice`);
    seen.add(key);
  }
  return partitions;
}

/** The fields of one partition, and where they are in the file. */
interface Entry {
  readonly place: string;
  readonly fields: Readonly<Partial<Record<Column, unknown>>> | readonly string[];
}

type Column = 'topic' | 'partition' | 'offset' | 'topic_id';

function readLines(text: string): readonly Entry[] {
  return text.split('\n').flatMap((line, at) => {
    const words = line.replace(/(#|^\s*\/\/).*/, '').trim();
    return words === '' ? [] : [{ place: `line ${at + 1}`, fields: words.split(/\s+/) }];
  });
}

async function readEntries(name: string, text: string): Promise<readonly Entry[]> {
  const data = await readYamlData(name, text);
  if (!Array.isArray(data)) throw usageError(`unable to use ${name}: it is not a list`, { target: name });
  return data.map((item: unknown, at) => ({
    place: `item ${at + 1}`,
    fields: typeof item === 'object' && item !== null ? item : {},
  }));
}

function partitionIn({ place, fields }: Entry, form: FileForm, name: string): FilePartition {
  const fault = (what: string): Error => {
    return usageError(`unable to use ${name}, ${place}: ${what}`, { target: form.flag });
  };
  const columns = 'length' in fields ? columnsOf(fields, form, fault) : fields;
  const topic = columns.topic ?? form.topic;
  if (typeof topic !== 'string' || topic === '') throw fault('the topic is missing');
  if (form.topic !== undefined && topic !== form.topic)
    throw fault(`topic "${topic}" is not the topic "${form.topic}" of the command line`);
  const partition = wholeNumber(columns.partition);
  if (partition === undefined || partition > maxInt32) throw fault('the partition is not a whole number');
  if (form.offsets === 'none') return { topic, partition: Number(partition), offset: null };
  const isRemoval = form.offsets === 'numbers and -' && columns.offset === '-';
  const offset = isRemoval ? null : wholeNumber(columns.offset);
  if (offset === undefined) throw fault('the offset is not a whole number');
  const id = form.topicIds === true ? topicIdOf(columns.topic_id, fault) : undefined;
  return { topic, partition: Number(partition), offset, ...(id !== undefined && { topicId: id }) };
}

function topicIdOf(id: unknown, fault: (what: string) => Error): string | undefined {
  if (id === undefined || (typeof id === 'string' && /^[\w-]{22}$/.test(id))) return id;
  throw fault('the topic id has not 22 letters, digits, - and _');
}

/** The words of a line by their columns; the topic is absent if the line has one word less. */
function columnsOf(words: readonly string[], form: FileForm, fault: (what: string) => Error) {
  const { offsets, topic, topicIds = false } = form;
  const columns: readonly Column[] = offsets === 'none' ? ['topic', 'partition'] : ['topic', 'partition', 'offset'];
  const missing = columns.length - words.length;
  const isShort = missing === 1 && topic !== undefined;
  const isLong = missing === -1 && topicIds;
  if (missing !== 0 && !isShort && !isLong)
    throw fault(`expected ${columns.join(' ').toUpperCase()}${topicIds ? ' [TOPIC-ID]' : ''}`);
  const shown: readonly Column[] = isShort ? columns.slice(1) : isLong ? [...columns, 'topic_id'] : columns;
  return Object.fromEntries(shown.map((column, at) => [column, words[at]])) as Partial<Record<Column, string>>;
}

/** The largest offset that the protocol can hold, which a group may have committed. */
const maxOffset = 2n ** 63n - 1n;

/** A number that a file holds, as digits or as a number without loss; undefined if it is none. */
function wholeNumber(value: unknown): bigint | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? BigInt(value) : undefined;
  const isNumber = typeof value === 'string' && /^\d{1,19}$/.test(value) && BigInt(value) <= maxOffset;
  return isNumber ? BigInt(value) : undefined;
}

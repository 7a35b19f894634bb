import { readYamlData } from '../../config/yaml/yaml-data.ts';
import type { Context } from '../../context.ts';
import { notFoundError, usageError } from '../../errors.ts';
import { absolutePath } from '../../files/locations.ts';
import { ReadRefusal, readSmallFile, readStream } from '../../files/read.ts';
import type { TrimTarget } from '../../kafka/topics/trim.ts';

const largest = 4 << 20;

/**
 * Reads the partitions to trim from a file, or from standard input (`-`): lines of `TOPIC PARTITION OFFSET`, or a JSON
 * or YAML list of objects with `topic`, `partition` and `offset`. The topic may be left out if `topic` is given.
 * @throws CliError (exit 2 or 3) with the file and the place in it
 */
export async function readTrimFile(
  context: Context,
  file: string,
  topic: string | undefined,
): Promise<readonly TrimTarget[]> {
  const name = file === '-' ? 'standard input' : file;
  const text = await readText(context, file, name);
  const isData = /\.(json|ya?ml)$/i.test(file) || /^\s*(\[|\{|- |---)/.test(text);
  const entries = isData ? await readEntries(name, text) : readLines(name, text);
  const targets = entries.map(({ place, ...fields }) => targetOf(fields, topic, `${name}, ${place}`));
  if (targets.length === 0) throw usageError(`unable to use ${name}: it names no partition`, { target: '--from-file' });
  const seen = new Set<string>();
  for (const { topic: of, partition } of targets) {
    const key = `${of} ${partition}`;
    if (seen.has(key)) throw usageError(`unable to use ${name}: it names topic ${of} partition ${partition} twice`);
    seen.add(key);
  }
  return targets;
}

async function readText({ host, signal }: Context, file: string, name: string): Promise<string> {
  try {
    const bytes = await (file === '-'
      ? readStream(host.stdin.stream, largest, signal)
      : readSmallFile(absolutePath(host, file), largest, signal));
    return bytes.toString('utf8');
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ReadRefusal) throw usageError(`unable to use ${name}: ${error.message}`);
    const reason = error instanceof Error ? error.message : String(error);
    throw notFoundError(`unable to read ${name}: ${reason}`, { target: '--from-file', cause: error });
  }
}

/** The fields of one partition, and where they are in the file. */
interface Entry {
  readonly place: string;
  readonly topic: unknown;
  readonly partition: unknown;
  readonly offset: unknown;
}

function readLines(name: string, text: string): readonly Entry[] {
  return text.split('\n').flatMap((line, at) => {
    const words = line.replace(/#.*/, '').trim().split(/\s+/);
    const place = `line ${at + 1}`;
    if (words[0] === '') return [];
    if (words.length === 2) return [{ place, topic: undefined, partition: words[0], offset: words[1] }];
    if (words.length === 3) return [{ place, topic: words[0], partition: words[1], offset: words[2] }];
    throw usageError(`unable to use ${name}, ${place}: expected TOPIC PARTITION OFFSET`, { target: '--from-file' });
  });
}

async function readEntries(name: string, text: string): Promise<readonly Entry[]> {
  const data = await readYamlData(name, text);
  if (!Array.isArray(data)) throw usageError(`unable to use ${name}: it is not a list`, { target: '--from-file' });
  return data.map((item: unknown, at) => {
    const fields: Partial<Entry> = typeof item === 'object' && item !== null ? item : {};
    const { topic, partition, offset } = fields;
    return { place: `item ${at + 1}`, topic, partition, offset };
  });
}

function targetOf(fields: Omit<Entry, 'place'>, given: string | undefined, place: string): TrimTarget {
  const topic = fields.topic ?? given;
  const [partition, offset] = [wholeNumber(fields.partition), wholeNumber(fields.offset)];
  const wrong =
    typeof topic !== 'string' || topic === ''
      ? 'the topic is missing'
      : given !== undefined && topic !== given
        ? `topic "${topic}" is not the topic "${given}" of the command line`
        : partition === undefined || partition > 2_147_483_647n
          ? 'the partition is not a whole number'
          : offset === undefined
            ? 'the offset is not a whole number'
            : undefined;
  if (wrong !== undefined) throw usageError(`unable to use ${place}: ${wrong}`, { target: '--from-file' });
  return { topic: String(topic), partition: Number(partition), to: { at: 'exact', offset: offset ?? 0n } };
}

/** A number that a file holds, as digits or as a number without loss; undefined if it is none. */
function wholeNumber(value: unknown): bigint | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? BigInt(value) : undefined;
  return typeof value === 'string' && /^\d{1,18}$/.test(value) ? BigInt(value) : undefined;
}

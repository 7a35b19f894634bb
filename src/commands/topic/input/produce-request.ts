import { Readable } from 'node:stream';
import type { Context } from '../../../context.ts';
import { usageError } from '../../../errors.ts';
import { durationToMs } from '../../../format/duration.ts';
import { shellWord } from '../../../format/shell-word.ts';
import type { RecordHeader } from '../../../kafka/records/batches/batch-records.ts';
import { type CompiledFormat, compileFormat } from '../../../kafka/records/language/format.ts';
import {
  type CompiledParser,
  compileParser,
  defaultInputLayout,
  defaultJsonLayout,
} from '../../../kafka/records/language/parse.ts';
import { compileReport } from '../../../kafka/records/language/report-format.ts';
import type { ProduceRequest } from '../../../kafka/streams/produce/request.ts';
import { topicContexts } from '../records/record-context.ts';
import { encodingLookup, schemaLookup } from '../records/schemas.ts';
import { envelopesOfCsv } from './csv-input.ts';
import { checkGenerated, generated, generatedParser } from './generated-input.ts';
import type { ProduceValues } from './produce-flags.ts';

const oneSecond = 1_000_000_000n;
/** Batches stay below the default of `max.message.bytes` of a topic, which is slightly more than 1 MiB. */
const defaultBatchBytes = 1_000_012;

/** The protocol's numbers for `--acks`. */
const acksOf = { all: -1, '-1': -1, '1': 1, '0': 0 } as const;

/** A request to produce, and whether its records are made up. */
export interface ProducePlan extends Omit<ProduceRequest, 'onDelivered'> {
  /** What makes the same records again; undefined if they are read. */
  readonly seed: number | undefined;
}

/** Turns the flags into a request; all errors in them are reported before any connection is made. */
export function produceRequest(context: Context, values: ProduceValues): ProducePlan {
  checkGenerated(context, values);
  checkValue(values);
  const parser = inputParser(context, values);
  if (values.topic === undefined && !parser.hasTopic) {
    throw usageError('missing topic: neither the arguments nor the record format has one', {
      hints: ['name it with "weir topic produce TOPIC", or read it from the input with %t'],
    });
  }
  const choices = schemaChoices(values);
  const deliveryTimeoutMs = deliveryTimeoutOf(values);
  if (values.partition < 0 && parser.hasPartition && values.recordFormat?.includes('%')) {
    context.warn('%p is ignored without --partition: add -p N to use it (N is for records without a partition)');
  }
  const schemas = schemaLookup(context, topicContexts(context, values));
  const isEncoded = choices.value !== undefined || choices.key !== undefined;
  const seed =
    values.generate === undefined ? undefined : (values.seed ?? Math.floor(context.clock.random() * 2 ** 32));
  return {
    topic: values.topic,
    parser,
    seed,
    encodingOf: isEncoded ? encodingLookup(schemas, choices) : undefined,
    // Of CSV, quotes tell an empty value from none.
    tombstones: values.tombstone && values.recordFormat !== 'csv',
    key: values.key === undefined ? undefined : Buffer.from(values.key),
    headers: values.header.map(([key, value]): RecordHeader => ({ key: Buffer.from(key), value: Buffer.from(value) })),
    partition: values.partition < 0 ? undefined : values.partition,
    compression: values.compression,
    acks: acksOf[values.acks],
    deliveryTimeoutMs,
    maxMessageBytes: values.maxMessageBytes > 0 ? values.maxMessageBytes : defaultBatchBytes,
    refusesLarger: values.maxMessageBytes > 0,
    createMissing: values.allowAutoTopicCreation,
    report: reportFormat(context, values),
    input: seed === undefined ? inputOf(context, values) : generated(context, values, { schemas, choices, seed }),
    warn: (line) => context.warn(line),
  };
}

/** The delivery timeout in milliseconds; undefined for none. */
function deliveryTimeoutOf({ deliveryTimeout: timeout }: ProduceValues): number | undefined {
  if (timeout === undefined || timeout === 0n) return undefined;
  if (timeout < oneSecond) throw usageError('--delivery-timeout is less than 1s');
  return durationToMs(timeout);
}

/** The schemas that encode keys and values, and the messages in them. */
function schemaChoices({ generate, schemaId, schemaKeyId, schemaType, schemaKeyType }: ProduceValues) {
  const valueSchema = generate === 'sample' ? undefined : (generate ?? schemaId);
  if (isGiven(schemaType) && valueSchema === undefined) throw usageError('--schema-type needs --schema-id');
  if (isGiven(schemaKeyType) && schemaKeyId === undefined) {
    throw usageError('--schema-key-type needs --schema-key-id');
  }
  return { key: schemaKeyId, value: valueSchema, keyMessage: schemaKeyType, valueMessage: schemaType };
}

/** The input: standard input, or the one value of the line, as an envelope. */
function inputOf(
  { host }: Context,
  { value, recordFormat, schemaId, tombstone }: ProduceValues,
): ProduceRequest['input'] {
  const { chunks } = host.stdin;
  if (value === undefined) return recordFormat === 'csv' ? envelopesOfCsv(chunks, tombstone) : chunks;
  return Readable.from([`{"value":${schemaId === undefined ? JSON.stringify(value) : value}}\n`]);
}

function checkValue({ value, recordFormat, generate, schemaId }: ProduceValues): void {
  if (recordFormat === 'csv' && schemaId !== undefined) {
    throw usageError('-f csv and --schema-id are mutually exclusive: the columns of CSV are texts');
  }
  if (value === undefined) return;
  if (recordFormat !== undefined) throw usageError('--value is the record itself: --record-format is for input');
  if (generate !== undefined) throw usageError('--value and --generate are mutually exclusive');
  if (schemaId === undefined) return;
  try {
    JSON.parse(value);
  } catch {
    throw usageError('--value is not JSON, which --schema-id encodes', { target: '--value' });
  }
}

/** Whether a name is given; an empty one stands for none. */
function isGiven(name: string | undefined): boolean {
  return name !== undefined && name !== '';
}

/** The input format: `-f`, otherwise the JSON envelope with `--format json`, otherwise one value per line. */
function inputParser({ flags }: Context, values: ProduceValues): CompiledParser {
  if (values.generate !== undefined) return generatedParser(values);
  const json = { key: values.schemaKeyId !== undefined, value: values.schemaId !== undefined };
  if (values.value !== undefined || values.recordFormat === 'csv') return compileParser('json', json);
  checkHasVerb(values);
  const plain = json.value ? defaultJsonLayout : defaultInputLayout;
  return compileParser(values.recordFormat ?? (flags.format === 'json' ? 'json' : plain), json);
}

/** A format without a verb makes no record: it may be meant as the name of a file. */
function checkHasVerb({ recordFormat: layout = '', topic = 'TOPIC' }: ProduceValues): void {
  if (layout === '' || layout === 'json' || layout.includes('%')) return;
  throw usageError(`--record-format ${shellWord(layout)} reads no part of a record`, {
    hints: [
      'write a verb for each part, for example: -f "%k %v\\n"',
      `to read a file, use standard input: weir topic produce ${shellWord(topic)} < ${shellWord(layout)}`,
    ],
  });
}

/** The output format: `-o`, otherwise that of `--format`; undefined with `--quiet` or an empty `-o`. */
function reportFormat({ flags }: Context, values: ProduceValues): CompiledFormat | undefined {
  const { outputFormat, acks, generate } = values;
  if (outputFormat !== undefined) return outputFormat === '' ? undefined : compileFormat(outputFormat);
  if (flags.quiet) return undefined;
  if (flags.format === 'json' || flags.format === 'yaml') return compileReport(flags.format);
  if (generate !== undefined) return undefined;
  return compileReport(acks === '0' ? 'unacknowledged' : 'text');
}

import { createPace } from '../../../clock.ts';
import type { Context } from '../../../context.ts';
import { usageError } from '../../../errors.ts';
import { grouped } from '../../../format/count.ts';
import { durationToMs, showDuration } from '../../../format/duration.ts';
import { compactJson } from '../../../format/json-indent.ts';
import { type CompiledParser, compileParser, defaultInputLayout } from '../../../kafka/records/language/parse.ts';
import { numberFor, textFor } from '../../../serde/example-names.ts';
import { below, type Random, seededRandom } from '../../../serde/random.ts';
import { type EncodeChoices, exampleMaker, type SchemaLookup } from '../records/schemas.ts';
import type { ProduceValues } from './produce-flags.ts';

/**
 * Checks the flags that make up records, in both directions.
 * @throws CliError (usage)
 */
export function checkGenerated(context: Context, values: ProduceValues): void {
  const { generate, num, rate, seed, recordFormat, schemaId, schemaKeyId, dryRun } = values;
  const limits = { '--rate': rate, '--for': values.for, '--seed': seed };
  if (generate === undefined) {
    const given = Object.entries(limits).find(([, value]) => value !== undefined);
    if (given !== undefined) throw usageError(`${given[0]} needs --generate`);
    if (num !== undefined) context.warn('--num is ignored without --generate');
    return;
  }
  if (recordFormat !== undefined) throw usageError('--record-format is for input, but --generate reads none');
  if (generate === 'sample' && schemaKeyId !== undefined) {
    throw usageError('--schema-key-id is for keys of a schema, but the sample records have their own');
  }
  if (schemaId !== undefined) throw usageError('--schema-id and --generate both choose a schema for values');
  if (num === undefined && rate === undefined && values.for === undefined) {
    throw usageError('--generate does not say how many records', {
      hints: ['add -n for a number of them, --for for a time, or --rate to go on until Ctrl-C'],
    });
  }
  if (dryRun && num === undefined && (rate === undefined || values.for === undefined)) {
    throw usageError('--dry-run of --generate needs -n, or --rate and --for');
  }
}

/** Returns the parser for records that are made up. */
export function generatedParser({ generate, schemaKeyId }: ProduceValues): CompiledParser {
  const hasSchema = generate !== 'sample';
  const hasKeySchema = schemaKeyId !== undefined;
  return compileParser(hasSchema && !hasKeySchema ? defaultInputLayout : '%k %v\\n', {
    key: hasKeySchema,
    value: hasSchema,
  });
}

/** What records are made of. */
interface Materials {
  readonly schemas: SchemaLookup;
  readonly choices: EncodeChoices;
  readonly seed: number;
}

/** Makes records as input. */
export async function* generated(
  context: Context,
  values: ProduceValues,
  materials: Materials,
): AsyncGenerator<string> {
  yield* generatedInput(await recordMaker(values, materials), limitsOf(values), context.clock, (made, total) => {
    const time = showDuration(values.for ?? 0n);
    context.warn(`the rate was not reached: ${grouped(made)} of ${grouped(total, 'record')} were made in ${time}`);
  });
}

async function recordMaker(values: ProduceValues, { schemas, choices, seed }: Materials): Promise<() => string> {
  const random = seededRandom(seed);
  const topic = values.topic ?? '';
  const { key, value, keyMessage, valueMessage } = choices;
  if (value === undefined) return sampleRecords(random);
  const ofValue = { message: valueMessage, flag: '--schema-type' };
  const makeValue = await exampleMaker(await schemas(value, topic, 'value'), random, ofValue);
  if (key === undefined) return schemaRecords(makeValue, undefined);
  const ofKey = { message: keyMessage, flag: '--schema-key-type' };
  return schemaRecords(makeValue, await exampleMaker(await schemas(key, topic, 'key'), random, ofKey));
}

function limitsOf({ rate, num, dryRun, for: time }: ProduceValues): GeneratedLimits {
  const limits = { rate, forMs: time === undefined ? undefined : durationToMs(time), num };
  // What would be written is counted without waiting.
  return dryRun ? { rate: undefined, forMs: undefined, num: totalOf(limits) } : limits;
}

/** How many records to make, and how fast. */
interface GeneratedLimits {
  /** Records a second; undefined for as many as possible. */
  readonly rate: number | undefined;
  /** Milliseconds; undefined for no limit. */
  readonly forMs: number | undefined;
  /** Records; undefined for no limit. */
  readonly num: number | undefined;
}

/** How many records the limits allow; infinite if only the time says so, or nothing. */
function totalOf({ rate, forMs, num = Number.POSITIVE_INFINITY }: GeneratedLimits): number {
  return forMs === undefined || rate === undefined ? num : Math.min(num, Math.ceil((forMs / 1000) * rate));
}

/** The most records of a chunk of the input. */
const mostOfChunk = 1000;
/** The longest pause, in milliseconds, after which a stop is noticed; what it has delayed is made after the time as well. */
const longestPauseMs = 100;

/**
 * Makes input as if somebody wrote it: as much as is due, then a pause. It stops when its reader does.
 * @param makeOne returns one record with the end of its line
 * @param onShort called at the end of the time if fewer records were made than the rate says
 */
export async function* generatedInput(
  makeOne: () => string,
  limits: GeneratedLimits,
  clock: Context['clock'],
  onShort: (made: number, total: number) => void,
): AsyncGenerator<string> {
  const { rate, forMs = Number.POSITIVE_INFINITY } = limits;
  const mostMs = forMs + (rate === undefined ? 0 : longestPauseMs);
  const startedAt = clock.now();
  const pace = rate === undefined ? undefined : createPace(rate, clock.now);
  const total = totalOf(limits);
  for (let made = 0; made < total; ) {
    if (clock.now() - startedAt >= mostMs) {
      if (rate !== undefined) onShort(made, total);
      return;
    }
    const count = Math.min(pace?.due() ?? total, total, made + mostOfChunk) - made;
    if (count > 0) yield Array.from({ length: count }, makeOne).join('');
    made += Math.max(count, 0);
    // Without a rate it waits too: the records that are made are sent meanwhile.
    await clock.sleep(Math.min(Math.max(pace?.waitMs(made) ?? 0, 0), longestPauseMs));
  }
}

/** Returns how to make records of a shop, a key and JSON on each line, which need no schema. */
function sampleRecords(random: Random): () => string {
  let order = 1000;
  return () => {
    const customer = `c-${1 + below(random, 500)}`;
    order += 1;
    const value = {
      order_id: order,
      customer_id: customer,
      customer: textFor('customer', random),
      email: textFor('email', random),
      country: textFor('country', random),
      product: textFor('product', random),
      quantity: Number(numberFor('quantity', random)),
      price: Number(numberFor('price', random)),
      currency: textFor('currency', random),
      status: ['new', 'paid', 'sent', 'returned'][below(random, 4)],
      created_at: textFor('created_at', random),
    };
    return `${customer} ${JSON.stringify(value)}\n`;
  };
}

/** Returns how to make records of examples of a schema, and of one for keys if there is one. */
function schemaRecords(value: () => string, key: (() => string) | undefined): () => string {
  return () => `${key === undefined ? '' : `${compactJson(key())} `}${compactJson(value())}\n`;
}

import type { Context } from '../../../context.ts';
import { usageError } from '../../../errors.ts';
import { grouped } from '../../../format/count.ts';
import { durationToMs, showDuration } from '../../../format/duration.ts';
import { type CompiledParser, compileParser, defaultInputLayout } from '../../../kafka/records/language/parse.ts';
import { seededRandom } from '../../../serde/random.ts';
import { type EncodeChoices, exampleMaker, type SchemaLookup } from '../records/schemas.ts';
import { type GeneratedLimits, generatedInput, sampleRecords, schemaRecords, totalOf } from './generated-records.ts';
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
  const makeValue = await exampleMaker(await schemas(value, `${topic}-value`), random, ofValue);
  if (key === undefined) return schemaRecords(makeValue, undefined);
  const ofKey = { message: keyMessage, flag: '--schema-key-type' };
  return schemaRecords(makeValue, await exampleMaker(await schemas(key, `${topic}-key`), random, ofKey));
}

function limitsOf({ rate, num, dryRun, for: time }: ProduceValues): GeneratedLimits {
  const limits = { rate, forMs: time === undefined ? undefined : durationToMs(time), num };
  // What would be written is counted without waiting.
  return dryRun ? { rate: undefined, forMs: undefined, num: totalOf(limits) } : limits;
}

import { list, type ValuesOf } from '../../../cli/command.ts';
import type { Context } from '../../../context.ts';
import { usageError } from '../../../errors.ts';
import { oneOf } from '../../../kinds.ts';
import { recordContextFlags } from '../../schema-context.ts';
import type { conditionFlags } from './flags.ts';
import { type RecordTopics, recordContext } from './record-context.ts';
import type { ConsumeDecoding } from './schemas.ts';

/** The flags for conditions on decoded fields of records that are written as they are. */
export const conditionDecodingFlags = {
  useSchemaRegistry: list(oneOf('field', ['key', 'value']), {
    help: 'decode keys and values (or only key or value) for conditions, by the schemas that they name',
    bare: 'key,value',
    splits: true,
  }),
  ...recordContextFlags,
};

type DecodingValues = ValuesOf<typeof conditionFlags & typeof conditionDecodingFlags>;

/** Decodes the fields that conditions look at; undefined if they are taken as JSON. */
export async function conditionDecoding(
  context: Context,
  values: DecodingValues & Pick<RecordTopics, 'topics' | 'regex'>,
): Promise<ConsumeDecoding | undefined> {
  const { useSchemaRegistry: fields } = values;
  if (fields.length === 0) return undefined;
  const { hasConditions } = await import('./conditions.ts');
  if (!hasConditions(values)) {
    throw usageError('--use-schema-registry is for conditions: add --where, --key, --header or --contains');
  }
  const { consumeDecoding } = await import('./schemas.ts');
  const [key, value] = [fields.includes('key'), fields.includes('value')];
  const options = { key, value, plainKeys: key && value, onError: 'raw' } as const;
  return consumeDecoding(context, options, { isForConditions: true, schemaContext: recordContext(context, values) });
}

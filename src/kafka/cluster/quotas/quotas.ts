import type { ItemError } from '../../../errors.ts';
import type { Client } from '../../protocol/client/client.ts';
import { answered, itemErrorOf, questionOf } from '../../protocol/client/question.ts';
import { untilVisible } from '../../protocol/client/visibility.ts';
import { kafkaError, kafkaErrorText } from '../../protocol/errors.ts';
import { alterClientQuotas } from '../../protocol/wire/apis/alter-client-quotas.ts';
import { describeClientQuotas } from '../../protocol/wire/apis/describe-client-quotas.ts';
import type { DescribeQuotasCall, Quota, QuotaAlteration, QuotaEntity } from './quota-rows.ts';
import { entityRow, entityText, quotaText } from './quota-words.ts';

const matchTypes = { name: 0, default: 1, any: 2 } as const;

/** An entity as brokers send it. */
function entityOfParts(
  parts: readonly { readonly entityType: string; readonly entityName: string | undefined }[],
): QuotaEntity {
  return parts.map(({ entityType: type, entityName: name }) => ({ type, name }));
}

/** Describes quotas with one request, sorted by entity. @throws CliError when the broker refuses */
export async function describeQuotas(client: Client, call: DescribeQuotasCall): Promise<Quota[]> {
  const components = call.filters.map(({ type: entityType, match }) => ({
    entityType,
    matchType: matchTypes[typeof match === 'string' ? match : 'name'],
    match: typeof match === 'string' ? undefined : match.name,
  }));
  const request = { components, strict: call.strict };
  const { errorCode, errorMessage, entries = [] } = await client.request(describeClientQuotas, request);
  if (errorCode !== 0) {
    throw kafkaError(errorCode, `unable to describe quotas: ${kafkaErrorText(errorCode, errorMessage)}`);
  }
  return entries
    .map(({ entity, values }) => ({
      entity: entityRow(entityOfParts(entity)),
      values: values
        .map(({ key, value }) => ({ key, value: quotaText(value) }))
        .sort((a, b) => (a.key < b.key ? -1 : 1)),
    }))
    .sort((a, b) => (entityText(a.entity) < entityText(b.entity) ? -1 : 1));
}

/** Alters quotas with one request; the broker makes all changes of an entity or none. Returns null or an error for each. */
export async function alterQuotas(
  client: Client,
  alterations: readonly QuotaAlteration[],
): Promise<readonly (ItemError | null)[]> {
  const errors = await send(client, alterations, false);
  const done = alterations.filter((_, at) => errors[at] === null);
  await untilVisible(client, () => isVisible(client, done));
  return errors;
}

/** Lets the broker check alterations without making them. Returns null or an error for each. */
export async function checkQuotas(
  client: Client,
  alterations: readonly QuotaAlteration[],
): Promise<readonly (ItemError | null)[]> {
  return await send(client, alterations, true);
}

async function send(client: Client, alterations: readonly QuotaAlteration[], validateOnly: boolean) {
  const question = questionOf({
    api: { ...alterClientQuotas, changes: !validateOnly },
    what: ({ entity }: QuotaAlteration) => `alter the quotas of ${entityText(entityRow(entity))}`,
    keyOf: ({ entity }: QuotaAlteration) => keyOf(entity),
    request: (items: readonly QuotaAlteration[]) => ({
      entries: items.map(({ entity, changes }) => ({
        entity: entity.map(({ type, name }) => ({ entityType: type, entityName: name })),
        ops: changes.map(({ key, value }) => ({ key, value: value ?? 0, remove: value === undefined })),
      })),
      validateOnly,
    }),
    rows: ({ entries }) => entries.map((entry) => [keyOf(entityOfParts(entry.entity)), entry] as const),
  });
  return answered(await client.ask(question, alterations)).map(itemErrorOf);
}

/** Whether a broker shows the changes. */
async function isVisible(client: Client, done: readonly QuotaAlteration[]): Promise<boolean> {
  const quotas = await describeQuotas(client, { filters: [], strict: false });
  const values = new Map(quotas.map(({ entity, values: limits }) => [JSON.stringify(entity), limits]));
  return done.every(({ entity, changes }) =>
    changes.every(({ key, value }) => {
      const shown = values.get(keyOf(entity))?.find((one) => one.key === key)?.value;
      return value === undefined ? shown === undefined : Number(shown) === value;
    }),
  );
}

/** The key of an entity, whose parts a broker may answer in another order. */
function keyOf(entity: QuotaEntity): string {
  return JSON.stringify(entityRow(entity));
}

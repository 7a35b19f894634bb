import { notFoundError } from '../../../errors.ts';
import { byName } from '../../../format/order.ts';
import type { Client } from '../../protocol/client/client.ts';
import { questionOf } from '../../protocol/client/question.ts';
import { describeConfigs, resourceTypes } from '../../protocol/wire/apis/describe-configs.ts';
import { configOperations, incrementalAlterConfigs } from '../../protocol/wire/apis/incremental-alter-configs.ts';

/** A logger of a broker; its level is in lower case. */
interface LoggerWithLevel {
  readonly name: string;
  readonly level: string;
}

const resourceType = resourceTypes.brokerLogger;

/** The loggers of a broker (KIP-412), sorted by name; of any broker if none is named. */
export async function loggers(client: Client, broker: number | undefined): Promise<readonly LoggerWithLevel[]> {
  const [outcome] = await client.ask(description, [await idOf(client, broker)]);
  if (outcome?.error !== undefined) throw outcome.error;
  return (outcome?.row?.configs ?? [])
    .map(({ name, value = '' }) => ({ name, level: value.toLowerCase() }))
    .toSorted(byName);
}

/** Changes the level of a logger until the broker restarts. */
export async function setLoggerLevel(
  client: Client,
  broker: number | undefined,
  { name, level }: LoggerWithLevel,
): Promise<void> {
  const alteration = questionOf({
    api: incrementalAlterConfigs,
    what: (id: number) => `set the level of the logger "${name}" of broker ${id}`,
    target: (node) => ({ node }),
    keyOf: String,
    request: (ids) => ({
      resources: ids.map((id) => ({
        resourceType,
        resourceName: String(id),
        configs: [{ name, configOperation: configOperations.set, value: level.toUpperCase() }],
      })),
      validateOnly: false,
    }),
    rows: ({ responses }) => responses.map((row) => [row.resourceName, row] as const),
  });
  const [outcome] = await client.ask(alteration, [await idOf(client, broker)]);
  if (outcome?.error !== undefined) throw outcome.error;
}

const description = questionOf({
  api: describeConfigs,
  what: (id: number) => `read the loggers of broker ${id}`,
  target: (node) => ({ node }),
  keyOf: String,
  request: (ids) => ({
    resources: ids.map((id) => ({ resourceType, resourceName: String(id), configurationKeys: undefined })),
  }),
  rows: ({ results }) => results.map((row) => [row.resourceName, row] as const),
});

async function idOf(client: Client, broker: number | undefined): Promise<number> {
  const ids = (await client.metadata([])).brokers.map(({ id }) => id).sort((a, b) => a - b);
  const id = broker ?? ids[0];
  if (id !== undefined && ids.includes(id)) return id;
  throw notFoundError(`broker ${broker} is not in the cluster`, {
    code: 'BROKER_NOT_FOUND',
    hints: ['list the brokers with: weir cluster info -b'],
  });
}

import { type CliError, notFoundError, rephrased, usageError } from '../../../errors.ts';
import { withoutSent } from '../../../net/secret.ts';
import type { Client } from '../../protocol/client/client.ts';
import { answered, itemErrorOf, questionOf } from '../../protocol/client/question.ts';
import type { Target } from '../../protocol/client/targets.ts';
import { untilVisible } from '../../protocol/client/visibility.ts';
import {
  configSourceName,
  type DescribedConfig,
  describeConfigs,
  resourceTypes,
} from '../../protocol/wire/apis/describe-configs.ts';
import { configOperations, incrementalAlterConfigs } from '../../protocol/wire/apis/incremental-alter-configs.ts';
import type {
  BrokerConfig,
  ConfigScope,
  DescribeBrokerConfigsCall,
  SetBrokerConfigCall,
} from './broker-config-rows.ts';

/** Describes configs with one request per broker, sorted by broker and key. */
export async function describeBrokerConfigs(
  client: Client,
  { scope, key }: DescribeBrokerConfigsCall,
): Promise<BrokerConfig[]> {
  const scopes = await scopesOf(client, scope);
  // Asked once: a broker that is down must not keep the answers of the others waiting.
  const outcomes = answered(await client.ask(description(key), scopes, 'once'));
  const rows = outcomes.flatMap((outcome): BrokerConfig[] => {
    const broker = outcome.item === 'cluster' ? null : outcome.item.broker;
    const error = itemErrorOf(outcome);
    const blank = { key: null, value: null, source: null, read_only: null, sensitive: null };
    if (error !== null) return [{ broker, ...blank, error }];
    return (outcome.row?.configs ?? []).map((config) => configRow(broker, config));
  });
  return rows.sort((a, b) => (a.broker ?? -1) - (b.broker ?? -1) || ((a.key ?? '') < (b.key ?? '') ? -1 : 1));
}

async function scopesOf(client: Client, scope: ConfigScope | undefined): Promise<readonly ConfigScope[]> {
  if (scope === 'cluster') return [scope];
  const { brokers } = await client.metadata([]);
  const scopes = brokers.map(({ id }) => ({ broker: id }));
  const chosen = scopes.filter(({ broker }) => scope === undefined || broker === scope.broker);
  if (chosen.length > 0 || scope === undefined) return chosen;
  throw notFoundError(`broker ${scope.broker} is not in the cluster`, {
    code: 'BROKER_NOT_FOUND',
    hints: ['list the brokers with: weir cluster info -b'],
  });
}

function configRow(
  broker: number | null,
  { name: key, value, configSource, readOnly, isSensitive: sensitive }: DescribedConfig,
): BrokerConfig {
  const source = configSourceName(configSource);
  return { broker, key, value: value ?? null, source, read_only: readOnly, sensitive, error: null };
}

/** The name of the resource; that of the defaults of the cluster is empty. */
function nameOf(scope: ConfigScope): string {
  return scope === 'cluster' ? '' : String(scope.broker);
}

/** A broker describes and checks its own configs; any broker knows the defaults of the cluster. */
function targetOf(scope: ConfigScope): Target {
  return scope === 'cluster' ? 'any' : { node: scope.broker };
}

function whose(scope: ConfigScope): string {
  return scope === 'cluster' ? 'of the cluster' : `of broker ${scope.broker}`;
}

function description(key: string | undefined) {
  return questionOf({
    api: describeConfigs,
    what: (scope: ConfigScope) => `read the configs ${whose(scope)}`,
    target: targetOf,
    keyOf: nameOf,
    request: (items) => ({
      resources: items.map((item) => ({
        resourceType: resourceTypes.broker,
        resourceName: nameOf(item),
        configurationKeys: key === undefined ? undefined : [key],
      })),
    }),
    rows: ({ results }) => results.map((row) => [row.resourceName, row] as const),
  });
}

/** Sets or removes one config. @throws CliError when the broker refuses */
export async function setBrokerConfig(client: Client, call: SetBrokerConfigCall): Promise<void> {
  await alter(client, call, false);
  // Redpanda answers when the change is made, and never shows it as dynamic (kafka/server/handlers/configs).
  if ((await client.isRedpanda()) !== true) await untilVisible(client, () => isVisible(client, call));
}

/**
 * Lets the broker check a change of one config without making it.
 * @throws CliError when the broker refuses, and (exit 2) for Redpanda, which makes the change
 * (`kafka/server/handlers/incremental_alter_configs.cc`: only topics are spared)
 */
export async function checkBrokerConfig(client: Client, call: SetBrokerConfigCall): Promise<void> {
  if ((await client.isRedpanda()) === true)
    throw usageError(
      '--dry-run cannot be used with the Kafka API of Redpanda, which changes configs of brokers even then',
      {
        target: call.key,
        hints: ['use the Admin API: --api admin'],
      },
    );
  await alter(client, call, true);
}

async function alter(client: Client, call: SetBrokerConfigCall, validateOnly: boolean): Promise<void> {
  const [outcome] = await client.ask(alteration(call, validateOnly), [call.scope]);
  if (outcome?.error !== undefined) throw withoutTexts(outcome.error, call.secrets ?? []);
}

/** Also without its cause, which -vv shows. */
function withoutTexts(error: CliError, secrets: readonly string[]): CliError {
  const message = withoutSent(error.message, secrets);
  return message === error.message ? error : rephrased(error, message, { cause: undefined });
}

function alteration({ key, value }: SetBrokerConfigCall, validateOnly: boolean) {
  const configOperation = value === undefined ? configOperations.delete : configOperations.set;
  return questionOf({
    api: { ...incrementalAlterConfigs, changes: !validateOnly },
    what: (scope: ConfigScope) => `set config "${key}" ${whose(scope)}`,
    target: targetOf,
    keyOf: nameOf,
    request: (items) => ({
      resources: items.map((item) => ({
        resourceType: resourceTypes.broker,
        resourceName: nameOf(item),
        configs: [{ name: key, configOperation, value }],
      })),
      validateOnly,
    }),
    rows: ({ responses }) => responses.map((row) => [row.resourceName, row] as const),
  });
}

const dynamicSources = { broker: 'DYNAMIC_BROKER_CONFIG', cluster: 'DYNAMIC_DEFAULT_BROKER_CONFIG' } as const;

/** Whether the broker shows the change; a sensitive value is never shown. */
async function isVisible(client: Client, { scope, key, value }: SetBrokerConfigCall): Promise<boolean> {
  const rows = await describeBrokerConfigs(client, { scope, key });
  const source = dynamicSources[scope === 'cluster' ? 'cluster' : 'broker'];
  const row = rows.find((one) => one.key === key && one.source === source);
  if (value === undefined) return row === undefined;
  return row !== undefined && (row.sensitive === true || row.value === value);
}

import { rawInteger } from '../format/exact-json.ts';
import { parseExactJson } from '../net/json.ts';
import { pathOf } from '../net/json-api/call.ts';
import { ApiError } from '../net/json-api/error.ts';
import { type PollParts, poll, type WaitOptions } from '../net/poll.ts';
import { isObject } from '../shape/object.ts';
import { anything, inside, listOf, Misfit, mapOf, mapped, sorted, whole } from '../shape/shape.ts';
import { type Api, calls } from './client/api.ts';
import {
  behind,
  type ConfigChange,
  type ConfigOutcome,
  ConfigStatus,
  type ConfigValue,
  distributionOf,
  propertyDetails,
} from './config-rows.ts';

const readStatus = calls.get(
  'read the state of the configuration',
  pathOf`/v1/cluster_config/status`,
  sorted(listOf(ConfigStatus), (a, b) => a.id - b.id),
  { to: 'leader', form: 'list of brokers' },
);

const properties = mapped(inside('properties', mapOf(propertyDetails)), (all) => {
  const named = Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1));
  return new Map(named.map(([name, one]) => [name, { name, ...one }]));
});

/** Every name is one of a property, also those that objects have by themselves. */
const values = mapped(anything, (body) => {
  if (!isObject(body)) throw new Misfit();
  return new Map(Object.entries(body)) as ReadonlyMap<string, ConfigValue>;
});

const readSchema = calls.get('read the properties of the cluster', pathOf`/v1/cluster_config/schema`, properties, {
  to: 'leader',
  form: 'properties',
});

/** The calls about the configuration of the cluster. */
export function createConfigCalls(api: Api, parts: PollParts) {
  const status = () => api.call(readStatus);
  return {
    /** The properties that there are. */
    configSchema: () => api.call(readSchema),
    // One after the other: no request is left behind when the first one fails.
    /** The values of all properties. */
    async configuration() {
      const values = await readValues(api, true);
      return { values, set: new Set((await readValues(api, false)).keys()) };
    },
    /** Changes properties: all of them, or none if the server refuses one. */
    changeConfiguration: (change: ConfigChange) => sendChange(api, change, false),
    /** Lets the server check a change without making it. */
    checkConfiguration: (change: ConfigChange) => sendChange(api, change, true),
    /** The configuration of each broker, sorted by id. */
    configStatus: status,
    /**
     * Polls until every broker has a version of the configuration.
     * @param version default: the latest one that a broker has
     * @throws CliError (exit 5) on a timeout
     */
    waitForConfig: (version: number | undefined, options: WaitOptions<readonly ConfigStatus[]>) =>
      poll({
        ...parts,
        ...options,
        what: distributionOf(version),
        read: status,
        isDone: (rows) => rows.length > 0 && behind(rows, version).length === 0,
      }),
  };
}

/** Sent again, it sets the same values once more: at most the version is another one. */
async function sendChange(
  api: Api,
  { upsert, remove, secrets = [], force }: ConfigChange,
  isOnlyCheck: boolean,
): Promise<ConfigOutcome> {
  const changed = Object.fromEntries([...upsert].map(([name, value]) => [name, sendable(value)]));
  const request = calls.put(
    isOnlyCheck ? 'check the change of the configuration' : 'change the configuration',
    pathOf`/v1/cluster_config`,
    {
      query: { dry_run: isOnlyCheck, force },
      body: { upsert: changed, remove },
      secrets,
      to: 'leader',
      repeats: true,
      answer: inside('config_version', whole),
    },
  );
  try {
    return { version: await api.call(request) };
  } catch (error) {
    if (error instanceof ApiError && error.reasons.size > 0) return { version: null, reasons: error.reasons, error };
    throw error;
  }
}

async function readValues(api: Api, withDefaults: boolean): Promise<ReadonlyMap<string, ConfigValue>> {
  return await api.call(
    calls.get('read the configuration', pathOf`/v1/cluster_config`, values, {
      query: { include_defaults: String(withDefaults) },
      to: 'leader',
      parse: parseExactJson,
      form: 'configuration',
    }),
  );
}

/** The value for a body, in which integers keep all their digits. */
function sendable(value: ConfigValue): unknown {
  if (typeof value === 'bigint') return rawInteger(value);
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, sendable(one)]));
  return Array.isArray(value) ? value.map(sendable) : value;
}

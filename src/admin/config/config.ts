import type { Deadline } from '../../deadline.ts';
import { fieldsOf, parseExactJson } from '../../net/json.ts';
import { ApiError } from '../../net/json-api/error.ts';
import { poll } from '../../net/poll.ts';
import type { RetryWorld } from '../../net/retry.ts';
import { badAnswer } from '../client/answer-error.ts';
import type { Api } from '../client/api.ts';
import { itemsOf, needBoolean, needNumber, needText, textOrNull, textsIn } from '../client/read.ts';
import {
  behind,
  type ConfigCalls,
  type ConfigChange,
  type ConfigSchema,
  type ConfigStatus,
  type ConfigValue,
  distributionOf,
  type Property,
} from './config-rows.ts';

/** The calls about the configuration of the cluster. */
export function openConfigCalls(
  api: Api,
  parts: { readonly deadline: Deadline; readonly world: RetryWorld },
): ConfigCalls {
  const configStatus: ConfigCalls['configStatus'] = () =>
    api.call({
      doing: 'read the state of the configuration',
      method: 'GET',
      path: '/v1/cluster_config/status',
      to: 'leader',
      read: (body, what) =>
        itemsOf(body, what)
          .map((one) => readStatus(one, what))
          .sort((a, b) => a.id - b.id),
    });
  return {
    configSchema: () =>
      api.call({
        doing: 'read the properties of the cluster',
        method: 'GET',
        path: '/v1/cluster_config/schema',
        to: 'leader',
        read: readSchema,
      }),
    // One after the other: no request is left behind when the first one fails.
    async configuration() {
      const values = await readValues(api, true);
      return { values, set: new Set((await readValues(api, false)).keys()) };
    },
    async changeConfiguration(change) {
      try {
        return { version: await sendChange(api, change) };
      } catch (error) {
        if (error instanceof ApiError && error.reasons.size > 0)
          return { version: null, reasons: error.reasons, error };
        throw error;
      }
    },
    configStatus,
    waitForConfig: (version, options) =>
      poll({
        ...parts,
        ...options,
        what: distributionOf(version),
        read: configStatus,
        isDone: (rows) => rows.length > 0 && behind(rows, version).length === 0,
      }),
  };
}

/** Sent again, it sets the same values once more: at most the version is another one. */
async function sendChange(api: Api, { upsert, remove, dryRun, force }: ConfigChange): Promise<number> {
  return await api.call({
    doing: dryRun ? 'check the change of the configuration' : 'change the configuration',
    method: 'PUT',
    path: '/v1/cluster_config',
    query: { dry_run: dryRun, force },
    body: { upsert: Object.fromEntries([...upsert].map(([name, value]) => [name, sendable(value)])), remove },
    to: 'leader',
    repeats: true,
    read: (body, what) => needNumber(fieldsOf(body), 'config_version', what),
  });
}

async function readValues(api: Api, withDefaults: boolean): Promise<ReadonlyMap<string, ConfigValue>> {
  return await api.call({
    doing: 'read the configuration',
    method: 'GET',
    path: '/v1/cluster_config',
    query: { include_defaults: String(withDefaults) },
    to: 'leader',
    parse: parseExactJson,
    read(body, what) {
      if (typeof body !== 'object' || body === null || Array.isArray(body)) throw badAnswer(what, 'configuration');
      return new Map(Object.entries(body)) as ReadonlyMap<string, ConfigValue>;
    },
  });
}

function readSchema(body: unknown, what: string): ConfigSchema {
  const { properties } = fieldsOf(body);
  if (typeof properties !== 'object' || properties === null) throw badAnswer(what, 'properties');
  const read = Object.entries(properties).map(([name, one]): [string, Property] => [
    name,
    readProperty(name, one, what),
  ]);
  return new Map(read.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function readProperty(name: string, property: unknown, what: string): Property {
  const fields = fieldsOf(property);
  return {
    name,
    type: needText(fields, 'type', what),
    items: textOrNull(fieldsOf(fields.items).type),
    description: textOrNull(fields.description) ?? '',
    nullable: fields.nullable === true,
    needs_restart: fields.needs_restart === true,
    is_secret: fields.is_secret === true,
    visibility: textOrNull(fields.visibility) ?? 'user',
    units: textOrNull(fields.units),
    example: textOrNull(fields.example),
    enum_values: textsIn(fields.enum_values),
    aliases: textsIn(fields.aliases),
  };
}

function readStatus(fields: ReturnType<typeof fieldsOf>, what: string): ConfigStatus {
  return {
    id: needNumber(fields, 'node_id', what),
    config_version: needNumber(fields, 'config_version', what),
    needs_restart: needBoolean(fields, 'restart', what),
    invalid: textsIn(fields.invalid),
    unknown: textsIn(fields.unknown),
  };
}

// Every Node.js that weir supports has JSON.rawJSON, but the compiler's library does not declare it yet.
const rawJson = (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON;

/** The value for a body, in which integers keep all their digits. */
function sendable(value: ConfigValue): unknown {
  if (typeof value === 'bigint') return rawJson(value.toString());
  return Array.isArray(value) ? value.map(sendable) : value;
}

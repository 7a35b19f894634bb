import { isFields } from '../../net/json.ts';
import { pluginProviders } from '../plugin/argv.ts';
import type { FlowRecord } from './record.ts';

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === 'string';
const isTextOrNull: Check = (value) => value === null || typeof value === 'string';
const isSwitch: Check = (value) => typeof value === 'boolean';

const checks: Readonly<Record<keyof FlowRecord, Check>> = {
  version: (value) => value === 1,
  // It becomes a part of a file name.
  id: (value) => typeof value === 'string' && /^[0-9a-f]+$/.test(value),
  kind: (value) => value === 'create' || value === 'delete',
  api_url: isText,
  started_at: isText,
  step: isText,
  begun: isSwitch,
  cluster_name: isText,
  cluster_id: isTextOrNull,
  byoc: isSwitch,
  provider: (value) => value === null || pluginProviders.some((provider) => provider === value),
  network_id: isText,
  resource_group_id: isText,
  operation_id: isTextOrNull,
  network_operation_id: isTextOrNull,
  project_id: isTextOrNull,
  subscription_id: isTextOrNull,
  destroy: isSwitch,
  with_network: isSwitch,
  with_resource_group: isSwitch,
  request: (value) => value === null || isFields(value),
  withheld: (value) => Array.isArray(value) && value.every(isText),
};

/** Parses the text of a record; undefined if any field is missing or has another type. The step may be of a newer weir. */
export function readRecord(text: string): FlowRecord | undefined {
  let record: unknown;
  try {
    record = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isFields(record)) return undefined;
  const fields = record as Readonly<Record<string, unknown>>;
  const isWhole = Object.entries(checks).every(([name, check]) => check(fields[name]));
  return isWhole ? (fields as unknown as FlowRecord) : undefined;
}

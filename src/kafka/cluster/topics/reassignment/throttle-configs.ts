import type { Client } from '../../../protocol/client/client.ts';
import { type Outcome, questionOf } from '../../../protocol/client/question.ts';
import type { Target } from '../../../protocol/client/targets.ts';
import {
  configSources,
  type DescribedResource,
  describeConfigs,
  resourceTypes,
} from '../../../protocol/wire/apis/describe-configs.ts';
import {
  type AlteredResource,
  incrementalAlterConfigs,
} from '../../../protocol/wire/apis/incremental-alter-configs.ts';
import { writtenChange } from '../alter-configs.ts';
import type { ConfigChange } from '../topic-rows.ts';

/** The configs of topics that list the throttled replicas, as `PARTITION:BROKER` (KIP-73): at leaders, at followers. */
export const replicaKeys = [
  'leader.replication.throttled.replicas',
  'follower.replication.throttled.replicas',
] as const;
/** The configs of brokers that limit what throttled replicas send and receive, in bytes per second (KIP-73). */
export const rateKeys = ['leader.replication.throttled.rate', 'follower.replication.throttled.rate'] as const;

/** The entry of a list that throttles every replica of the topic. */
export const everyReplica = '*';

/** The configs of a topic or a broker that throttle. */
export interface ThrottleSource {
  readonly type: number;
  /** A topic name, or a broker id in digits. */
  readonly name: string;
  /** The broker to ask; undefined: the broker itself, and any broker for a topic. */
  readonly node?: number;
}

/** Changes of the configs of a topic or a broker. */
export interface ThrottleChange extends Pick<ThrottleSource, 'type' | 'name'> {
  readonly changes: readonly ConfigChange[];
}

/** The throttle of a topic. */
export function ofTopic(name: string, node?: number): ThrottleSource {
  return { type: resourceTypes.topic, name, ...(node !== undefined && { node }) };
}

/** The throttle of a broker. */
export function ofBroker(id: number): ThrottleSource {
  return { type: resourceTypes.broker, name: String(id), node: id };
}

/** Reads throttles. */
export function readThrottles(
  client: Client,
  sources: readonly ThrottleSource[],
  how?: 'once',
): Promise<readonly Outcome<ThrottleSource, DescribedResource>[]> {
  return client.ask(description, sources, how);
}

/** The rates that are set on the broker itself, by key. */
export function ratesIn(row: DescribedResource | undefined): ReadonlyMap<string, string> {
  const dynamic = (row?.configs ?? []).filter(
    ({ configSource }) => configSource === configSources.DYNAMIC_BROKER_CONFIG,
  );
  return new Map(dynamic.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value] as const])));
}

/** The entries of a list of throttled replicas. */
export function entriesIn(row: DescribedResource | undefined, key: string): readonly string[] {
  const value = row?.configs.find(({ name }) => name === key)?.value ?? '';
  return value.split(',').filter((entry) => entry !== '');
}

/** Changes throttles of topics and brokers. */
export function alterThrottles(
  client: Client,
  resources: readonly ThrottleChange[],
  how?: 'once',
): Promise<readonly Outcome<ThrottleChange, AlteredResource>[]> {
  return client.ask(alteration(false), resources, how);
}

/** Lets the brokers check changes without making them. */
export function checkThrottles(
  client: Client,
  resources: readonly ThrottleChange[],
): Promise<readonly Outcome<ThrottleChange, AlteredResource>[]> {
  return client.ask(alteration(true), resources);
}

/** The changes of one resource. */
export function changesOf({ type, name }: ThrottleSource, changes: readonly ConfigChange[]): ThrottleChange {
  return { type, name, changes };
}

/** A broker or a topic in messages. */
export function nameOfSource({ type, name }: Pick<ThrottleSource, 'type' | 'name'>): string {
  return type === resourceTypes.broker ? `broker ${name}` : `topic "${name}"`;
}

const description = questionOf({
  api: describeConfigs,
  what: (source: ThrottleSource) => `read the throttle of ${nameOfSource(source)}`,
  target: ({ node }: ThrottleSource): Target => (node === undefined ? 'any' : { node }),
  keyOf,
  request: (items: readonly ThrottleSource[]) => ({
    resources: items.map(({ type, name }) => ({
      resourceType: type,
      resourceName: name,
      configurationKeys: type === resourceTypes.broker ? rateKeys : replicaKeys,
    })),
  }),
  rows: ({ results }) => results.map((row): [string, DescribedResource] => [keyOfRow(row), row]),
});

function alteration(validateOnly: boolean) {
  return questionOf({
    api: { ...incrementalAlterConfigs, changes: !validateOnly },
    what: (item: ThrottleChange) => `throttle ${nameOfSource(item)}`,
    // A broker alters its own configs only.
    target: ({ type, name }: ThrottleChange): Target =>
      type === resourceTypes.broker ? { node: Number(name) } : 'any',
    keyOf: (item: ThrottleChange) => keyOf(item),
    request: (items: readonly ThrottleChange[]) => ({
      resources: items.map(({ type, name, changes }) => ({
        resourceType: type,
        resourceName: name,
        configs: changes.map(writtenChange),
      })),
      validateOnly,
    }),
    rows: ({ responses }) => responses.map((row): [string, AlteredResource] => [keyOfRow(row), row]),
  });
}

/** Tells resources apart. */
export function keyOf({ type, name }: Pick<ThrottleSource, 'type' | 'name'>): string {
  return `${type}/${name}`;
}

function keyOfRow({ resourceType, resourceName }: Pick<AlteredResource, 'resourceType' | 'resourceName'>): string {
  return keyOf({ type: resourceType, name: resourceName });
}

import { describe, expect, it } from 'vitest';
import { sourceOf } from '../../../../../src/kafka/protocol/wire/source.ts';
import { requestBytes } from '../../../../services/answer.ts';
import access from './access.json' with { type: 'json' };
import { accessCases } from './access-cases.ts';
import { type GoldenCase, messagesOf } from './case.ts';
import cluster from './cluster.json' with { type: 'json' };
import { clusterCases } from './cluster-cases.ts';
import { groupCases } from './group-cases.ts';
import groups from './groups.json' with { type: 'json' };
import { topicCases } from './topic-cases.ts';
import topics from './topics.json' with { type: 'json' };

const files: readonly (readonly [string, Readonly<Record<string, string>>, readonly GoldenCase[]])[] = [
  ['access', access, accessCases],
  ['groups', groups, groupCases],
  ['topics', topics, topicCases],
  ['cluster', cluster, clusterCases],
];

describe.each(files)("the bytes of Kafka's own classes (%s)", (_, recorded, cases) => {
  const messages = messagesOf(cases).map((message) => [message.key, message] as const);

  it('are recorded for every message', () => {
    expect(Object.keys(recorded)).toEqual(messages.map(([key]) => key));
  });

  it.each(messages.filter(([, { kind }]) => kind === 'Request'))('weir writes %s alike', (key, message) => {
    const bytes = requestBytes(message.api, message.version, fromJson(message.message.kafka) as never);
    expect(bytes.toString('hex')).toBe(recorded[key]);
  });

  it.each(messages.filter(([, { kind }]) => kind === 'Response'))('weir reads %s to the end', (key, message) => {
    const source = sourceOf(Buffer.from(recorded[key] ?? '', 'hex'));
    expect(toJson(message.api.response(message.version).read(source))).toMatchObject(plain(message.message.kafka));
    expect(source.at).toBe(source.buffer.length);
  });
});

/** The fields that Kafka's converters show as base64. */
const bytesFields: ReadonlySet<string> = new Set(['salt', 'saltedPassword', 'memberMetadata', 'memberAssignment']);

function plain(message: unknown): object {
  return JSON.parse(JSON.stringify(message));
}

/** A message of Kafka's JSON as a layout writes it. */
function fromJson(message: unknown): unknown {
  return JSON.parse(JSON.stringify(message), (key, value) =>
    bytesFields.has(key) ? Buffer.from(value, 'base64') : (value ?? undefined),
  );
}

/** A message that a layout has read, as Kafka's JSON. */
function toJson(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (Buffer.isBuffer(value)) return value.toString('base64');
  if (Array.isArray(value)) return value.map(toJson);
  if (typeof value !== 'object' || value === null) return value ?? null;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, toJson(one)]));
}

import { describe, expect, it } from 'vitest';
import { createReader, createWriter } from '../../../../src/kafka/protocol/codec.ts';
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
    const { api, version } = message;
    const writer = createWriter(version >= api.flexibleFrom);
    api.encode(writer, message.message.weir as never, version);
    expect(writer.finish().toString('hex')).toBe(recorded[key]);
  });

  it.each(messages.filter(([, { kind }]) => kind === 'Response'))('weir reads %s to the end', (key, message) => {
    const { api, version } = message;
    const reader = createReader(Buffer.from(recorded[key] ?? '', 'hex'), version >= api.flexibleFrom, api.name);
    expect(api.decode(reader, version)).toEqual(message.message.weir);
    expect(reader.remaining).toBe(0);
  });
});

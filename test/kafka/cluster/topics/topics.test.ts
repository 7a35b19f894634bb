import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openKafka } from '../../../../src/kafka/open.ts';
import type { KafkaOptions, RequestTrace } from '../../../../src/kafka/protocol/options.ts';
import { parseAddress } from '../../../../src/net/address.ts';
import { deadlineOf } from '../../../services/scripted-client.ts';
import { cluster3, services } from '../../../services/services.ts';

const prefix = `topics-${process.pid}`;
const names = Array.from({ length: 20 }, (_, at) => `${prefix}-${String(at).padStart(2, '0')}`);
const traced: RequestTrace[] = [];

let options: KafkaOptions;

/** Number of requests of each API during the work, by name. */
async function requestsOf(work: () => Promise<unknown>): Promise<Record<string, number>> {
  traced.length = 0;
  await work();
  const counts = Map.groupBy(traced, ({ api }) => api);
  counts.delete('ApiVersions');
  return Object.fromEntries([...counts].map(([api, requests]) => [api, requests.length]));
}

beforeAll(async () => {
  expect(services().directory).not.toBe('');
  const { brokers } = await cluster3();
  options = {
    brokers: brokers.split(',').map((broker) => parseAddress(broker, { defaultPort: 9092, scheme: 'none' })),
    tls: undefined,
    sasl: undefined,
    clientId: 'weir-test',
    deadline: deadlineOf({ command: 3_600_000 }),
    trace: (event) => traced.push(event),
  };
});

afterAll(() => {
  options?.deadline.dispose();
});

describe('topics of a cluster of three brokers', () => {
  it('are created, described with few requests, and deleted', async () => {
    const kafka = openKafka(options);
    const topics = names.map((topic) => ({ topic, partitions: 6, replicas: 3, configs: [] }));
    const create = { topics, ifNotExists: false };
    const created = await kafka.createTopics(create);
    expect(created.map(({ topic, error, replicas }) => [topic, error, replicas])).toEqual(
      names.map((name) => [name, null, 3]),
    );

    // The first call connects to all brokers; only requests after it are counted.
    const call = { topics: [`${prefix}-.*`], regex: true, configs: true, partitions: true, stable: false };
    await kafka.describeTopics(call);
    expect(await requestsOf(() => kafka.describeTopics(call))).toEqual({
      Metadata: 1,
      DescribeConfigs: 1,
      ListOffsets: 2 * 3,
    });
    expect(await requestsOf(() => kafka.describeTopics({ ...call, configs: false, stable: true }))).toEqual({
      Metadata: 1,
      ListOffsets: 3 * 3,
    });

    const described = await kafka.describeTopics(call);
    expect(described.map(({ summary }) => summary.name)).toEqual(names);
    for (const { configs, partitions } of described) {
      expect(configs?.length).toBeGreaterThan(20);
      expect(partitions).toHaveLength(6);
      for (const row of partitions ?? []) {
        expect(row).toMatchObject({ replicas: [1, 2, 3], log_start_offset: 0n, high_watermark: 0n, error: [] });
      }
    }

    const deleted = await kafka.deleteTopics(names);
    expect(deleted.map(({ error }) => error)).toEqual(names.map(() => null));
    // Another broker than the one that has reported the deletion may answer.
    const rest = () => kafka.listTopics({ topics: [`${prefix}.*`], regex: true, internal: false });
    await expect.poll(rest).toEqual([]);
    kafka.close();
  });

  it('are listed with one request', async () => {
    const kafka = openKafka(options);
    const everything = { topics: [], regex: false, internal: true };
    expect(await requestsOf(() => kafka.listTopics(everything))).toEqual({ Metadata: 1 });
    expect(await requestsOf(() => kafka.clusterInfo(everything))).toEqual({ Metadata: 1 });
    expect((await kafka.clusterInfo('none')).brokers.map(({ id }) => id)).toEqual([1, 2, 3]);
    kafka.close();
  });

  it('send nothing when there is nothing to delete or to describe', async () => {
    const kafka = openKafka(options);
    expect(await requestsOf(() => kafka.deleteTopics([]))).toEqual({});
    const call = { topics: [`${prefix}-nope`], regex: false, configs: true, partitions: true, stable: true };
    expect(await requestsOf(() => kafka.describeTopics(call))).toEqual({ Metadata: 1 });
    kafka.close();
  });
});

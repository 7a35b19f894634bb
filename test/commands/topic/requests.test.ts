import { describe, expect, test } from 'vitest';
import type { ConsumeValues } from '../../../src/commands/topic/consume-flags.ts';
import { consumeRequest } from '../../../src/commands/topic/consume-request.ts';
import type { ProduceValues } from '../../../src/commands/topic/input/produce-flags.ts';
import { produceRequest } from '../../../src/commands/topic/input/produce-request.ts';
import type { Context } from '../../../src/context.ts';
import { balancers } from '../../../src/kafka/streams/groups/balancer-words.ts';

/** How the flags of `topic consume` and `topic produce` become a request: no broker is needed for that. */
interface Given {
  readonly format?: 'text' | 'json' | 'yaml';
  readonly quiet?: boolean;
  readonly isTerminal?: boolean;
}

function contextOf({ format = 'text', quiet = false, isTerminal = false }: Given = {}): Context {
  const host = { now: () => 0, stdout: { isTerminal }, stdin: { chunks: 'the input' } };
  const config = { get: (key: string) => (key === 'globals.fetch_max_wait' ? 5_000_000_000n : undefined) };
  return { host, flags: { format, quiet }, config: async () => config, warn() {} } as unknown as Context;
}

const nothing: ConsumeValues = {
  schemaContext: undefined,
  parseJson: undefined,
  idle: undefined,
  tail: undefined,
  commit: false,
  ...{ topics: ['t'], offset: 'start', partitions: [], regex: false, group: undefined, balancer: undefined },
  ...{ groupProtocol: undefined, instanceId: undefined, fetchMaxBytes: 10, fetchMaxPartitionBytes: 20 },
  ...{ fetchMaxWait: undefined, readCommitted: false, printControlRecords: false, recordFormat: undefined, num: 0 },
  ...{ prettyPrint: undefined, metaOnly: false, rack: '', useSchemaRegistry: [], onDecodeError: undefined },
  ...{ where: [], key: [], header: [], contains: [], explain: false },
};
const consume = (part: Partial<ConsumeValues>, given?: Given) =>
  consumeRequest(contextOf(given), { ...nothing, ...part }, 'consume');

describe('topic consume', () => {
  test.each<[Partial<ConsumeValues>, object]>([
    [{}, { topics: ['t'], regex: false, partitions: [], group: undefined, rack: '' }],
    [{}, { fetchMaxWaitMs: 5000, limit: Number.POSITIVE_INFINITY, readCommitted: false, printControl: false }],
    [{ fetchMaxWait: 1_000_000n }, { fetchMaxWaitMs: 1 }],
    [{ fetchMaxWait: 0n }, { fetchMaxWaitMs: 0 }],
    [{ num: 1 }, { limit: 1 }],
    [{ partitions: [3, 4] }, { partitions: [3, 4] }],
    [{ regex: true }, { regex: true }],
    [{ readCommitted: true }, { readCommitted: true, printControl: false }],
    [{ printControlRecords: true }, { readCommitted: false, printControl: true }],
    [{}, { fetchMaxBytes: 10, fetchMaxPartitionBytes: 20 }],
    [{ rack: 'r' }, { rack: 'r' }],
  ])('%o asks for %o', async (part, expected) => {
    expect(await consume(part)).toMatchObject(expected);
  });

  const all = balancers.toReversed();
  test.each<[Partial<ConsumeValues>, object]>([
    [{}, { protocol: undefined, balancers: all, assignor: undefined, instanceId: undefined }],
    [{ instanceId: 'i' }, { instanceId: 'i' }],
    [{ balancer: 'range' }, { protocol: undefined, balancers: ['range'], assignor: 'range' }],
    [{ balancer: 'sticky' }, { protocol: 'classic', balancers: ['sticky'], assignor: undefined }],
    [{ balancer: 'uniform' }, { protocol: 'consumer', balancers: all, assignor: 'uniform' }],
    [{ groupProtocol: 'classic' }, { protocol: 'classic', balancers: all }],
    [{ groupProtocol: 'consumer' }, { protocol: 'consumer' }],
    [
      { groupProtocol: 'consumer', balancer: 'range' },
      { protocol: 'consumer', assignor: 'range' },
    ],
    [
      { groupProtocol: 'classic', balancer: 'range' },
      { protocol: 'classic', balancers: ['range'] },
    ],
  ])('a member of a group with %j has %j', async (part, expected) => {
    const { group } = await consume({ ...part, group: 'g' });
    expect(group).toMatchObject({ name: 'g', ...expected });
  });

  test.each<[Partial<ConsumeValues>, Given, object]>([
    [{}, {}, { json: { pretty: false, metaOnly: false, isForTerminal: false }, isYaml: false }],
    [{}, { isTerminal: true }, { json: { pretty: true, isForTerminal: true } }],
    [{ prettyPrint: false }, { isTerminal: true }, { json: { pretty: false, isForTerminal: true } }],
    [{ prettyPrint: true }, {}, { json: { pretty: true } }],
    [{}, { format: 'json', isTerminal: true }, { json: { pretty: true }, isYaml: false }],
    [{}, { format: 'yaml', isTerminal: true }, { json: { pretty: false }, isYaml: true }],
    [{ metaOnly: true }, {}, { json: { metaOnly: true } }],
    [{ recordFormat: 'json' }, { format: 'yaml' }, { isYaml: true }],
    [{ recordFormat: '%v' }, { isTerminal: true }, { layout: '%v' }],
  ])('%j with %j prints %j', async (part, given, expected) => {
    expect((await consume(part, given)).formatSource).toMatchObject(expected);
  });

  test.each<[Partial<ConsumeValues>, object | undefined]>([
    [{}, undefined],
    [{ useSchemaRegistry: ['key', 'value'] }, { key: true, value: true, onError: 'raw' }],
    [{ useSchemaRegistry: ['value'] }, { key: false, value: true, onError: 'raw' }],
    [{ useSchemaRegistry: ['K'] }, { key: true, value: false, onError: 'raw' }],
    [
      { useSchemaRegistry: ['val'], onDecodeError: 'skip' },
      { key: false, value: true, onError: 'skip' },
    ],
    [
      { useSchemaRegistry: ['key', 'value'], metaOnly: true },
      { key: true, value: false },
    ],
  ])('%j decodes %j', async (part, expected) => {
    const { decode } = await consume(part);
    if (expected === undefined) expect(decode).toBeUndefined();
    else expect(decode?.options).toMatchObject(expected);
  });

  test.each([
    [{ useSchemaRegistry: ['values'] }, {}, 'unknown part "values" of --use-schema-registry'],
    [{ useSchemaRegistry: [''] }, {}, 'unknown part ""'],
    [{ onDecodeError: 'raw' }, {}, '--on-decode-error needs --use-schema-registry'],
    [{ recordFormat: '%v' }, { format: 'json' }, '-f and --format json are mutually exclusive'],
    [{ recordFormat: '%v' }, { format: 'yaml' }, '-f and --format yaml are mutually exclusive'],
    [{ group: '' }, {}, '--group is empty'],
    [{ instanceId: 'i' }, {}, '--instance-id needs --group'],
    [{ topics: ['a b'] }, {}, 'invalid topic name "a b"'],
    [{ regex: true, topics: ['('] }, {}, 'invalid regular expression "("'],
  ] as const)('%j with %j is refused', async (part, given, message) => {
    await expect(consume(part, given)).rejects.toThrow(message);
  });
});

const plain: ProduceValues = {
  schemaContext: undefined,
  ...{
    num: undefined,
    generate: undefined,
    value: undefined,
    rate: undefined,
    for: undefined,
    seed: undefined,
    dryRun: false,
    jvmPartitioner: false,
    timestamp: undefined,
  },
  ...{ topic: 't', recordFormat: undefined, outputFormat: undefined, key: undefined, header: [], partition: -1 },
  ...{ compression: 'snappy', acks: 'all', deliveryTimeout: undefined, maxMessageBytes: -1, tombstone: false },
  ...{ allowAutoTopicCreation: false, schemaId: undefined, schemaKeyId: undefined, schemaType: undefined },
  schemaKeyType: undefined,
};
const produce = (part: Partial<ProduceValues>, given?: Given) =>
  produceRequest(contextOf(given), { ...plain, ...part });

describe('topic produce', () => {
  test.each<[Partial<ProduceValues>, object]>([
    [{}, { topic: 't', tombstones: false, key: undefined, headers: [], partition: undefined, compression: 'snappy' }],
    [{}, { acks: -1, deliveryTimeoutMs: undefined, maxMessageBytes: 1_000_012, refusesLarger: false }],
    [{}, { createMissing: false, input: 'the input' }],
    [{ acks: '-1' }, { acks: -1 }],
    [{ acks: '0' }, { acks: 0 }],
    [{ acks: '1' }, { acks: 1 }],
    [{ partition: 0 }, { partition: 0 }],
    [{ key: '' }, { key: Buffer.from('') }],
    [{ header: [['a', 'b']] }, { headers: [{ key: Buffer.from('a'), value: Buffer.from('b') }] }],
    [{ deliveryTimeout: 0n }, { deliveryTimeoutMs: undefined }],
    [{ deliveryTimeout: 1_000_000_000n }, { deliveryTimeoutMs: 1000 }],
    [{ maxMessageBytes: 0 }, { maxMessageBytes: 1_000_012, refusesLarger: false }],
    [{ maxMessageBytes: 1 }, { maxMessageBytes: 1, refusesLarger: true }],
    [
      { tombstone: true, allowAutoTopicCreation: true },
      { tombstones: true, createMissing: true },
    ],
    [{}, { encodingOf: undefined }],
    [{ schemaType: '' }, { encodingOf: undefined }],
    [{ schemaId: 1 }, { encodingOf: expect.any(Function) }],
    [{ schemaKeyId: 'topic', schemaKeyType: 'a.B' }, { encodingOf: expect.any(Function) }],
    [{ topic: undefined, recordFormat: '%t %v\\n' }, { topic: undefined }],
  ])('%o asks for %o', (part, expected) => {
    expect(produce(part)).toMatchObject(expected);
  });

  test.each<[Partial<ProduceValues>, Given, boolean]>([
    [{}, {}, true],
    [{}, { quiet: true }, false],
    [{ outputFormat: '' }, {}, false],
    [{ outputFormat: '%o' }, { quiet: true }, true],
    [{}, { format: 'json', quiet: true }, false],
  ])('%o with %o reports each record: %o', (part, given, reports) => {
    expect(produce(part, given).report !== undefined).toBe(reports);
  });

  test.each<[Partial<ProduceValues>, string]>([
    [{ topic: undefined }, 'missing topic'],
    [{ deliveryTimeout: 999_999_999n }, '--delivery-timeout is less than 1s'],
    [{ schemaType: 'a', schemaKeyId: 1 }, '--schema-type needs --schema-id'],
    [{ schemaKeyType: 'a', schemaId: 1 }, '--schema-key-type needs --schema-key-id'],
  ])('%o is refused', (part, message) => {
    expect(() => produce(part)).toThrow(message);
  });
});

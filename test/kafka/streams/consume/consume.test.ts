import { describe, expect, it } from 'vitest';
import {
  type Arrival,
  type Reaction,
  type ScriptedBroker,
  startScriptedBroker,
} from '../../../services/scripted-broker.ts';
import { topicAnswer } from '../../cluster/topics/topic-answer.ts';
import { batchAt, fetchAnswer, fetchedOffset, offsetsAnswer } from '../../record-answers.ts';
import { read, requestOf } from './consuming.ts';

interface Cluster {
  readonly brokers: ScriptedBroker[];
  /** Of the only partition of `foo`; ids begin with 1. */
  leader: number;
}

type OnFetch = (arrival: Arrival, offset: bigint) => Reaction;

/** Brokers of one cluster; the log of partition 0 reaches from `start` to `end`. */
async function cluster(onFetch: readonly OnFetch[], start = 0n, end = 100n): Promise<Cluster> {
  const state: Cluster = { brokers: [], leader: 1 };
  for (const react of onFetch) {
    const broker = await startScriptedBroker({
      Metadata: () => topicAnswer(state.brokers, { leaders: [state.leader] }),
      ListOffsets: (arrival) => offsetsAnswer(arrival, start, end),
      Fetch: (arrival) => react(arrival, fetchedOffset(arrival)),
    });
    state.brokers.push(broker);
  }
  return state;
}

/** Two records per Fetch, from the requested offset. */
const twoRecords: OnFetch = (_, offset) => fetchAnswer({ records: batchAt(offset, ['a', 'b']) });

describe('consume', () => {
  it('asks for the next records before the last ones are printed', async () => {
    const offsets: bigint[] = [];
    const peers = await cluster([
      (_, offset) => {
        offsets.push(offset);
        return fetchAnswer({ records: batchAt(offset, ['a', 'b']) });
      },
    ]);
    expect(await read(peers.brokers, requestOf(':6'))).toBe('0=a 1=b 2=a 3=b 4=a 5=b');
    expect(offsets.slice(0, 3)).toEqual([0n, 2n, 4n]);
  });

  it('follows the leader to another broker, without a gap', async () => {
    const peers = await cluster([
      ({ before }, offset) => {
        if (before === 0) return fetchAnswer({ records: batchAt(offset, ['a', 'b']) });
        peers.leader = 2;
        return fetchAnswer({ errorCode: 6 });
      },
      twoRecords,
    ]);
    expect(await read(peers.brokers, requestOf(':6'))).toBe('0=a 1=b 2=a 3=b 4=a 5=b');
  });

  it('continues at its position after a connection is cut', async () => {
    const peers = await cluster([
      ({ before }, offset) => (before === 1 ? 'drop' : fetchAnswer({ records: batchAt(offset, ['a', 'b']) })),
    ]);
    expect(await read(peers.brokers, requestOf(':6'))).toBe('0=a 1=b 2=a 3=b 4=a 5=b');
  });

  it('an offset that was deleted in the meantime is reported, and the read continues at the log start', async () => {
    const warnings: string[] = [];
    let start = 0n;
    const peers: Cluster = { brokers: [], leader: 1 };
    const broker = await startScriptedBroker({
      Metadata: () => topicAnswer(peers.brokers, { leaders: [1] }),
      ListOffsets: (arrival) => offsetsAnswer(arrival, start, 100n),
      Fetch: (arrival) => {
        const offset = fetchedOffset(arrival);
        if (arrival.before === 0) return fetchAnswer({ records: batchAt(offset, ['a', 'b']) });
        start = 10n;
        return offset < start ? fetchAnswer({ errorCode: 1 }) : fetchAnswer({ records: batchAt(offset, ['c']) });
      },
    });
    peers.brokers.push(broker);
    const request = requestOf('start', { limit: 3, warn: (line) => warnings.push(line) });
    expect(await read(peers.brokers, request)).toBe('0=a 1=b 10=c');
    expect(warnings).toContain(
      'topic "foo" partition 0 has no offset 2 (earlier records are deleted): reading continues at 10',
    );
  });

  it('a range ends although its last offsets hold no record', async () => {
    const peers = await cluster([
      (_, offset) => (offset < 2n ? fetchAnswer({ records: batchAt(0n, ['a', 'b']) }) : fetchAnswer({})),
    ]);
    expect(await read(peers.brokers, requestOf(':9'))).toBe('0=a 1=b');
  });

  it('stops by the retry rule with the last error', async () => {
    const peers = await cluster([() => fetchAnswer({ errorCode: 6 })]);
    await expect(read(peers.brokers, requestOf(':9'), { retry: 300 })).rejects.toThrow(
      /^unable to read topic "foo" partition 0: NOT_LEADER_OR_FOLLOWER \(6\): /,
    );
  });

  it('a permanent error ends the command at once', async () => {
    const peers = await cluster([() => fetchAnswer({ errorCode: 29 })]);
    await expect(read(peers.brokers, requestOf(':9'))).rejects.toMatchObject({ exitCode: 4 });
  });

  it('a batch larger than the fetch size is an error that names the option to raise', async () => {
    const large = batchAt(0n, ['x'.repeat(5 << 20)]);
    const peers = await cluster([() => fetchAnswer({ records: large.subarray(0, 40) })]);
    await expect(read(peers.brokers, requestOf(':9'))).rejects.toMatchObject({
      hints: ['raise --fetch-max-partition-bytes and --fetch-max-bytes'],
    });
  });
});

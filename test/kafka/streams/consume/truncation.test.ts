import { describe, expect, it } from 'vitest';
import { unreachableError } from '../../../../src/errors.ts';
import type { Client } from '../../../../src/kafka/protocol/client/client.ts';
import { createPosition } from '../../../../src/kafka/streams/consume/position.ts';
import { rewindTruncated } from '../../../../src/kafka/streams/consume/truncation.ts';
import {
  type Arrival,
  type Reaction,
  type ScriptedBroker,
  startScriptedBroker,
} from '../../../services/scripted-broker.ts';
import { topicAnswer } from '../../cluster/topics/topic-answer.ts';
import {
  batchAt,
  epochEndAnswer,
  fetchAnswer,
  fetchedEpoch,
  fetchedOffset,
  offsetsAnswer,
} from '../../record-answers.ts';
import { read, requestOf } from './consuming.ts';

const fencedEpoch = 74;
const unknownEpoch = 75;

interface Told {
  epoch: number;
}

/** A broker that leads the only partition of `foo` in the epoch that the test sets. */
async function leader(
  told: Told,
  onFetch: (arrival: Arrival) => Reaction,
  onEpoch: (arrival: Arrival) => Reaction,
): Promise<ScriptedBroker> {
  const self: { broker?: ScriptedBroker } = {};
  self.broker = await startScriptedBroker({
    Metadata: () => topicAnswer(self.broker === undefined ? [] : [self.broker], { leaders: [1], epoch: told.epoch }),
    ListOffsets: (arrival) => offsetsAnswer(arrival, 0n, 100n),
    Fetch: onFetch,
    OffsetForLeaderEpoch: onEpoch,
  });
  return self.broker;
}

describe('a new leader', () => {
  it('whose log was cut is read from where the logs diverge, with a warning', async () => {
    const told: Told = { epoch: 2 };
    const broker = await leader(
      told,
      (arrival) => {
        const offset = fetchedOffset(arrival);
        if (arrival.before === 0) return fetchAnswer({ records: batchAt(0n, ['a', 'b', 'c', 'd'], 2) });
        if (told.epoch === 2) {
          told.epoch = 3;
          return fetchAnswer({ errorCode: fencedEpoch });
        }
        return fetchAnswer({ records: batchAt(offset, ['C', 'D'], 3) });
      },
      () => epochEndAnswer(0, 2, 2n),
    );
    const warnings: string[] = [];
    const request = requestOf('start', { limit: 6, warn: (line) => warnings.push(line) });
    expect(await read([broker], request)).toBe('0=a 1=b 2=c 3=d 2=C 3=D');
    expect(warnings).toEqual([
      'topic "foo" partition 0: a new leader has truncated the log and lost offsets 2 to 3 (already read): reading continues at 2',
    ]);
    expect(broker.of('Fetch').map(fetchedEpoch).slice(0, 3)).toEqual([2, 2, 3]);
  });

  it('whose log is complete is read from the last position', async () => {
    const told: Told = { epoch: 2 };
    const broker = await leader(
      told,
      (arrival) => {
        if (arrival.before === 1) {
          told.epoch = 3;
          return fetchAnswer({ errorCode: fencedEpoch });
        }
        return fetchAnswer({ records: batchAt(fetchedOffset(arrival), ['a', 'b'], told.epoch) });
      },
      // Not ready at first, so it is asked again.
      ({ before }) => epochEndAnswer(before === 0 ? unknownEpoch : 0, 2, before === 0 ? -1n : 2n),
    );
    expect(await read([broker], requestOf(':4'))).toBe('0=a 1=b 2=a 3=b');
    expect(broker.of('OffsetForLeaderEpoch')).toHaveLength(2);
  });

  it('that does not know the epoch yet is asked again', async () => {
    const broker = await leader(
      { epoch: 2 },
      (arrival) => {
        if (arrival.before < 2) return fetchAnswer({ errorCode: unknownEpoch });
        return fetchAnswer({ records: batchAt(fetchedOffset(arrival), ['a', 'b'], 2) });
      },
      () => 'drop',
    );
    expect(await read([broker], requestOf(':2'))).toBe('0=a 1=b');
  });
});

describe('a leader that has other epochs', () => {
  it('is asked until it names one that was read, and read from where the logs part', async () => {
    const position = createPosition({ topic: 'foo', partition: 0, offset: 30n, end: undefined, epoch: 5 });
    position.epochs = [
      { offset: 0n, leaderEpoch: 1 },
      { offset: 10n, leaderEpoch: 3 },
      { offset: 20n, leaderEpoch: 5 },
    ];
    // The leader's log: epoch 1 up to 8, epoch 2 up to 15, epoch 4 up to 40.
    const ends = new Map([
      [5, { endOffset: 40n, leaderEpoch: 4 }],
      [3, { endOffset: 15n, leaderEpoch: 2 }],
      [1, { endOffset: 8n, leaderEpoch: 1 }],
    ]);
    const asked: number[] = [];
    const ask = async (_: unknown, items: readonly (typeof position)[]) =>
      items.map((item) => {
        asked.push(item.lastEpoch);
        return { item, row: { errorCode: 0, ...ends.get(item.lastEpoch) }, error: undefined };
      });
    const warnings: string[] = [];
    await rewindTruncated({ ask } as unknown as Client, [position], (line) => warnings.push(line));
    expect({ asked, offset: position.offset, lastEpoch: position.lastEpoch }).toEqual({
      ...{ asked: [5, 3, 1], offset: 8n, lastEpoch: 1 },
    });
    expect(warnings.at(-1)).toContain('reading continues at 8');
  });
});

describe('a leader that cannot be asked where an epoch ends', () => {
  it.each([
    ['because it does not know the request', 'is believed', 'UNSUPPORTED_VERSION', false],
    ['because it cannot be reached', 'is asked again', 'CONNECTION_REFUSED', true],
  ])('%s %s', async (_why, _what, code, retryable) => {
    const position = createPosition({ topic: 'foo', partition: 0, offset: 5n, end: undefined, epoch: 1 });
    const error = unreachableError('it failed', { code, retryable });
    const ask = async (_: unknown, items: readonly unknown[]) => items.map((item) => ({ item, row: undefined, error }));
    const again = await rewindTruncated({ ask } as unknown as Client, [position], () => undefined);
    expect({ again, offset: position.offset }).toEqual({ again: retryable ? [{ position, error }] : [], offset: 5n });
  });
});

it('the broker that is read from is asked where an epoch ends, whichever the metadata name as the leader', async () => {
  const position = createPosition({ topic: 'foo', partition: 0, offset: 5n, end: undefined, epoch: 1 });
  position.leader = 7;
  const targets: unknown[] = [];
  const ask: Client['ask'] = async (question, items) => {
    targets.push(...items.map((item) => question.target(item)));
    return [];
  };
  await rewindTruncated({ ask } as unknown as Client, [position], () => undefined);
  expect(targets).toEqual([{ node: 7 }]);
});

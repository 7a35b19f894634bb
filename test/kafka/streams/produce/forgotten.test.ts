import { describe, expect, it } from 'vitest';
import { configsAnswer } from '../../../services/operator-answers.ts';
import { versionsAnswer } from '../../../services/scripted-answers.ts';
import type { Reaction } from '../../../services/scripted-broker.ts';
import { virtualClient } from '../../../services/virtual-client.ts';
import { topicAnswer } from '../../cluster/topics/topic-answer.ts';
import { produceAnswer, producerIdAnswer } from '../../record-answers.ts';
import { reportedBy, requestOf } from './producing.ts';

describe('a batch without an answer that is sent again after a pause', () => {
  /**
   * The warnings after an outage, and how often the leader was asked for its configuration.
   * @param asleepMs how long the machine sleeps during the outage, in milliseconds of the wall clock alone
   */
  async function warningsAfter(onConfigs: Reaction, outageMs = 9_000, asleepMs = 0) {
    let isOut = false;
    const { clock, links, client } = virtualClient(
      () => {
        if (isOut && clock.now() < outageMs) return 'CONNECTION_REFUSED';
        return {
          ApiVersions: versionsAnswer([[32, 1, 4]]),
          Metadata: topicAnswer([{ address: { host: 'one', port: 9092 } }], { leaders: [1] }),
          InitProducerId: producerIdAnswer(77n),
          Produce({ before }) {
            isOut = before === 0;
            return isOut ? 'drop' : produceAnswer(0, 0n);
          },
          DescribeConfigs: onConfigs,
        };
      },
      { retry: 600_000 },
    );
    const { wallTime } = clock;
    Object.assign(clock, { wallTime: () => wallTime() + (isOut ? asleepMs : 0) });
    async function* input(): AsyncGenerator<Buffer> {
      yield Buffer.from('a\n');
    }
    const warnings: string[] = [];
    const request = requestOf([], { input: input(), warn: (line) => warnings.push(line) });
    await clock.runUntil(reportedBy(client, request), 60_000);
    client.close();
    return { warnings, asked: links.of('DescribeConfigs').length };
  }

  const limitOf = (milliseconds: number): Buffer =>
    configsAnswer([['1', 0]], String(milliseconds), 4, 'producer.id.expiration.ms');

  it('is announced as a possible duplicate if the leader may have forgotten the producer', async () => {
    const { warnings, asked } = await warningsAfter(limitOf(7_000));
    expect(warnings).toEqual([
      expect.stringMatching(
        /^topic "foo" partition 0: 1 record without an acknowledgement may be duplicated: sent again [789]s after being read, and brokers forget a producer after 7s \(producer\.id\.expiration\.ms\)$/,
      ),
    ]);
    expect(asked).toBe(1);
  });

  it('is announced also if the machine has slept for most of that time', async () => {
    const { warnings } = await warningsAfter(limitOf(7_200_000), 1_000, 7_200_000);
    expect(warnings).toEqual([expect.stringContaining('sent again 2h')]);
  });

  it.each([
    ['the leader remembers the producer for longer', limitOf(60_000)],
    ['the leader refuses to show its limit, which is a day by default', configsAnswer([['1', 29]], '', 4)],
    ['the leader does not answer the question', 'drop' as const],
  ])('is sent without a warning if %s', async (_, onConfigs) => {
    expect(await warningsAfter(onConfigs)).toEqual({ warnings: [], asked: 1 });
  });

  it('is not asked about after a few seconds', async () => {
    expect(await warningsAfter(limitOf(1), 3_000)).toEqual({ warnings: [], asked: 0 });
  });
});

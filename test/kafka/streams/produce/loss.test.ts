import { describe, expect, it } from 'vitest';
import { createLane } from '../../../../src/kafka/streams/produce/lane.ts';
import { lostTrackWarning } from '../../../../src/kafka/streams/produce/loss.ts';
import { createVirtualClock } from '../../../simulation/virtual-clock.ts';
import { metadataResponse } from '../../protocol/client/metadata-response.ts';
import { fakeClient, produceBy } from './fake-client.ts';

const outOfOrder = 45;

describe('a broker that has lost track of the producer', () => {
  it.each([
    [3, 'leaves a gap): acknowledged records were lost (the last 3), unacknowledged records are sent'],
    [0, 'leaves a gap): unacknowledged records are sent'],
    [undefined, 'leaves a gap): unacknowledged records are sent'],
  ])('is said to have lost acknowledged records only if it has: %s of them', (gone, expected) => {
    expect(lostTrackWarning(createLane('foo', 0, 1), outOfOrder, gone)).toContain(expected);
  });
});

describe('a log whose offsets go back', () => {
  it.each([
    [
      true,
      [
        'topic "foo" was deleted and created again: writing continues in the new topic (2 records acknowledged until this was noticed may be lost)',
      ],
    ],
    [
      false,
      [
        'topic "foo" partition 0: acknowledged records were lost, from offset 0 or below to 5: the log was truncated, as by an unclean leader election',
      ],
    ],
  ])('is that of another topic, or was cut: created again: %s', async (isNew, expected) => {
    const clock = createVirtualClock(1);
    let id = 'a'.repeat(32);
    const client = fakeClient(clock, {
      topicId: () => id,
      produce({ before }) {
        if (before === 0) return { base: 5 };
        if (isNew) id = 'b'.repeat(32);
        return { base: 0 };
      },
    });
    const warnings: string[] = [];
    async function* input() {
      yield Buffer.from('a\n');
      await clock.sleep(1_000);
      yield Buffer.from('b\n');
    }
    // Only metadata is asked for: nothing is in doubt.
    const asked = { ...client, requestOnce: async () => metadataResponse(await client.metadata(['foo'])) as never };
    const { error } = await produceBy(asked, [], { input: input(), warn: (line) => void warnings.push(line) });
    expect({ error, warnings }).toEqual({ error: undefined, warnings: expected });
  });
});

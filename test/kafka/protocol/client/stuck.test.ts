import { expect, test } from 'vitest';
import { metadataAnswer } from '../../../services/scripted-answers.ts';
import { clientOf, deadlineOf } from '../../../services/scripted-client.ts';
import { scriptedLinks } from '../../../services/scripted-link.ts';
import { createVirtualClock } from '../../../simulation/virtual-clock.ts';

test('a connection on which a request has timed out gets no more requests, even while others wait on it', async () => {
  const answer = metadataAnswer({ brokers: [] });
  const clock = createVirtualClock();
  const deadline = deadlineOf({ overhead: 1_000 }, clock);
  const links = scriptedLinks({ Metadata: ['silent', { answer, afterMs: 900 }, answer] });
  const client = clientOf(['one:9092'], {}, { dial: links.dial, deadline });
  const first = client.metadata([]);
  await clock.runFor(800);
  const second = client.metadata([]);
  await clock.runUntil(first);
  // The second request still waits on the first connection.
  expect([clock.now() < 1_700, links.connections]).toEqual([true, 2]);
  await clock.runUntil(second);
  client.close();
  deadline.dispose();
});

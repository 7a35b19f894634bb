import { expect, test } from 'vitest';
import { createConfigReader } from '../../../../src/kafka/cluster/topics/configs.ts';
import type { Client } from '../../../../src/kafka/protocol/client/client.ts';
import { listOffsets } from '../../../../src/kafka/protocol/wire/apis/list-offsets.ts';
import { clientOf, deadlineOf, failureOf } from '../../../services/scripted-client.ts';
import { scriptedLinks } from '../../../services/scripted-link.ts';
import { createVirtualClock } from '../../../simulation/virtual-clock.ts';

const work: readonly (readonly [string, (client: Client) => Promise<unknown>])[] = [
  ['metadata', (client) => client.metadata([])],
  ['a request', (client) => client.request(listOffsets, { topics: [] }, { node: 1 })],
  ['many items', (client) => createConfigReader(client)(['foo'])],
];

test.each(work)('closing a client ends its pause before %s is asked for again, and leaves no timer', async (_, ask) => {
  const clock = createVirtualClock();
  const deadline = deadlineOf({ retry: 60_000 }, clock);
  const client = clientOf(['one:9092'], {}, { dial: scriptedLinks(() => 'CONNECTION_REFUSED').dial, deadline });
  const failure = failureOf(ask(client));
  await clock.runFor(100);
  client.close();
  expect(await failure).toMatchObject({ code: 'CLOSED', message: 'the client was closed' });
  deadline.dispose();
  expect([clock.now(), clock.pending]).toEqual([100, 0]);
});

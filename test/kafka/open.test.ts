import { expect, test } from 'vitest';
import { openKafka } from '../../src/kafka/open.ts';
import { deadlineOf, failureOf } from '../services/scripted-client.ts';
import { scriptedLinks } from '../services/scripted-link.ts';
import { createVirtualClock } from '../simulation/virtual-clock.ts';

test('closing ends every connection at once, and what was asked over it', async () => {
  const clock = createVirtualClock();
  const kafka = openKafka({
    ...{ brokers: [{ host: 'b', port: 9092 }], tls: undefined, sasl: undefined, clientId: 'weir-test' },
    ...{ deadline: deadlineOf({}, clock), dial: scriptedLinks({ Metadata: 'silent' }).dial },
  });
  const failure = failureOf(kafka.clusterInfo('none'));
  await clock.runFor(1_000);
  kafka.close();
  await clock.runFor(120_000);
  expect(await failure).toMatchObject({ code: 'CLOSED' });
});

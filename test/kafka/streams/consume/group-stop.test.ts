import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { compileFormat } from '../../../../src/kafka/records/language/format.ts';
import { consume } from '../../../../src/kafka/streams/consume/open.ts';
import { fill, newTopic, weir } from '../../../commands/topic/records-world.ts';
import { clientOf } from '../../../services/scripted-client.ts';
import { services } from '../../../services/services.ts';
import { requestOf } from './consuming.ts';

const records = 900;

it('a member that is stopped while its output is blocked commits only what it was writing', async () => {
  const topic = await newTopic();
  await fill(
    topic,
    Array.from({ length: records }, () => 'x'.repeat(1000)),
  );
  await using client = clientOf([services().plaintext]);
  const group = { name: `g-${topic}`, instanceId: undefined, protocol: undefined, balancers: ['range'] as const };
  const format = compileFormat('%v\\n');
  const consumption = await consume(
    client,
    requestOf('start', { topics: [topic], group: { ...group, assignor: undefined }, format }),
  );
  const blocked = Promise.withResolvers<void>();
  const writing = Promise.withResolvers<void>();
  let lines = 0;
  const pumping = consumption.pump({
    write(bytes) {
      lines += bytes.filter((byte) => byte === 0x0a).length;
      writing.resolve();
      return blocked.promise;
    },
  });
  await writing.promise;
  consumption.stop();
  await nextTurn();
  blocked.resolve();
  await pumping;
  expect(lines).toBeGreaterThan(0);
  expect(lines).toBeLessThan(records);
  const next = await weir(['topic', 'consume', topic, '-g', group.name, '-n', '1', '-f', '%o']);
  expect(next).toMatchObject({ stdout: String(lines), exitCode: 0 });
});

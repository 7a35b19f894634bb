import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { createVirtualClock } from '../../../simulation/virtual-clock.ts';
import { fakeClient, produceBy } from './fake-client.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

test('tens of thousands of batches leave no memory in use', async () => {
  const batches = 60_000;
  const heap: number[] = [];
  const clock = createVirtualClock(1);
  let answered = 0;
  const client = fakeClient(clock, { produce: () => ({ base: 0 }), keeps: false });
  const chunk = Buffer.from(Array.from({ length: 100 }, (_, index) => `${index}\n`).join(''));
  async function* input(): AsyncGenerator<Buffer> {
    for (let sent = 0; sent < batches; sent += 100) yield chunk;
  }
  const { error } = await produceBy(client, [], {
    ...{ input: input(), report: undefined, deliveryTimeoutMs: 1_000_000 },
    onDelivered() {
      answered += 1;
      if (answered % (batches / 4) !== 0) return;
      collect();
      heap.push(process.memoryUsage().heapUsed);
    },
  });
  expect(error).toBeUndefined();
  expect(answered).toBe(batches);
  const [warm = 0, , , end = 0] = heap;
  // A listener or a promise of every batch would be megabytes.
  expect(end - warm).toBeLessThan(1_000_000);
  expect(clock.pending).toBeLessThanOrEqual(2);
});

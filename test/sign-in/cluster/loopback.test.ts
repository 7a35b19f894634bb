import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { realClock } from '../../../src/clock.ts';
import { openLoopback } from '../../../src/sign-in/cluster/loopback.ts';

test('a connection that the browser keeps open does not hold the end of the login', async () => {
  const limit = { clock: realClock, signal: new AbortController().signal };
  const loopback = await openLoopback(0, () => true);
  const kept = connect(Number(new URL(loopback.url).port), '127.0.0.1');
  await once(kept, 'connect');
  const [page, returned] = await Promise.all([fetch(`${loopback.url}?state=1`), loopback.returned(limit, 60_000)]);
  expect(returned?.searchParams.get('state')).toBe('1');
  const ended = once(kept, 'close');
  await loopback.close();
  await ended;
  expect(await page.text()).toContain('You can close this page');
});

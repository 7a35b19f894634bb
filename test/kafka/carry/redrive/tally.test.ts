import { expect, it } from 'vitest';
import { reasons } from '../../../../src/kafka/carry/redrive/reasons.ts';
import { createTally, tallyRows } from '../../../../src/kafka/carry/redrive/tally.ts';

it('a tally has the first and the last place of each outcome, whatever the order of partitions and pieces', () => {
  const sent = { destination: 'orders', reason: undefined };
  const left = { destination: undefined, reason: reasons.noOrigin() };
  const places = ['1:5', '0:70', '2:1', '0:8'].map((place) => place.split(':').map(Number));
  const whole = createTally();
  for (const [partition = 0, offset = 0] of places) {
    const piece = createTally();
    piece.add(sent, { partition, offset: BigInt(offset) });
    piece.add(left, { partition, offset: BigInt(offset + 1) });
    whole.merge(piece);
  }
  expect(tallyRows('dlq', whole)).toMatchObject([
    { destination: 'orders', records: 4, first: { partition: 0, offset: 8 }, last: { partition: 2, offset: 1 } },
    { destination: null, records: 4, first: { partition: 0, offset: 9 }, last: { partition: 2, offset: 2 } },
  ]);
});

import { expect, test } from 'vitest';
import { clusterText } from '../../../src/commands/cluster/info.ts';
import { plainView } from '../../../src/format/view.ts';

const broker = { host: 'b', port: 9092, rack: null };
const brokers = [
  { ...broker, id: 1, controller: false },
  { ...broker, id: 2, controller: true },
];
const legend = '* the controller, according to the answering broker\n';

test('the mark of the controller is explained on a terminal, and a pipe has only brokers', () => {
  const table = 'ID  HOST  PORT\n1   b     9092\n2*  b     9092\n';
  expect(clusterText({ brokers }, { ...plainView, columns: 80 }, false)).toBe(`${table}${legend}`);
  expect(clusterText({ brokers }, plainView, false)).toBe(table);
});

test('a cluster without a mark, and a table without headers, have no legend', () => {
  const views = [{ ...plainView, columns: 80, noHeaders: true }];
  for (const view of views) expect(clusterText({ brokers }, view, false)).not.toContain(legend);
  const unmarked = brokers.map((row) => ({ ...row, controller: false }));
  expect(clusterText({ brokers: unmarked }, { ...plainView, columns: 80 }, false)).not.toContain(legend);
});

test('a broker without a rack has a dash beside one with a rack', () => {
  const racks = [brokers[0], { ...broker, id: 3, rack: 'a', controller: false }].flatMap((row) => row ?? []);
  expect(clusterText({ brokers: racks }, plainView, false)).toBe(
    'ID  HOST  PORT  RACK\n1   b     9092  -\n3   b     9092  a\n',
  );
});

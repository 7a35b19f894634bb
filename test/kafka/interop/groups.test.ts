import { afterAll, beforeAll, expect, test } from 'vitest';
import { type GroupMaker, makeGroups } from '../../commands/group/group-members.ts';
import { services } from '../../services/services.ts';
import { run } from '../../world.ts';
import { consumerGroups } from './console-tools.ts';

const prefix = `groups-tool-${process.pid}`;
const [idle, busy, topic] = [`${prefix}-idle`, `${prefix}-busy`, `${prefix}-t`];
const world = () => ({ env: { WEIR_BROKERS: services().plaintext } });
let groups: GroupMaker;

beforeAll(async () => {
  await run(`topic create ${topic} -p 2`, world());
  await run(`topic produce ${topic} -p 0`, { ...world(), stdin: 'a\nb\nc\n' });
  groups = await makeGroups();
  await groups.commit(idle, topic, { 0: 1n, 1: 0n });
  await groups.commit(busy, topic, { 0: 3n });
  await groups.joinClassic(busy, topic, [0, 1]);
});

afterAll(async () => {
  groups.close();
  await run(`topic delete ${topic}`, world());
});

interface Partition {
  readonly topic: string;
  readonly partition: number;
  readonly current_offset: number | null;
  readonly log_end_offset: number;
  readonly lag: number;
  readonly member_id: string | null;
  readonly host: string | null;
  readonly client_id: string | null;
}

test('weir describes groups as the tool of Kafka does, except for the lag of partitions without a commit', async () => {
  const { stdout } = await run(`group describe ${idle} ${busy} --format json`, world());
  const described: { group: string; partitions: Partition[] }[] = JSON.parse(stdout);
  const ours = described.flatMap(({ group, partitions }) =>
    partitions.map((row) => [
      ...[group, row.topic, row.partition, row.current_offset, row.log_end_offset],
      ...[row.current_offset === null ? null : row.lag, row.member_id, row.host, row.client_id],
    ]),
  );
  const theirs = await consumerGroups(['--describe', '--offsets', '--group', idle, '--group', busy]);
  expect(theirs.map((words) => words.slice(0, 9)).sort()).toEqual(
    ours.map((row) => row.map((cell) => String(cell ?? '-'))).sort(),
  );
});

test.each([
  ['--to 99', '--to-offset 99', topic],
  ['--to -2', '--shift-by -2', topic],
])('group seek %s plans and commits what the tool of Kafka does with %s', async (ours, theirs, of) => {
  const reset = ['--reset-offsets', '--group', idle, '--topic', of, ...theirs.split(' '), '--dry-run'];
  const planned = (await consumerGroups(reset)).filter(([name]) => name === idle).map((words) => words.slice(1, 4));
  const { stdout } = await run(`group seek ${idle} ${ours} --format json`, world());
  const rows: { topic: string; partition: number; new_offset: number }[] = JSON.parse(stdout);
  expect(rows.map((row) => [row.topic, String(row.partition), String(row.new_offset)])).toEqual(planned.sort());
  const described: { partitions: Partition[] }[] = JSON.parse(
    (await run(`group describe ${idle} --format json`, world())).stdout,
  );
  const committed = new Map(described[0]?.partitions.map((row) => [row.partition, row.current_offset]));
  for (const row of rows) expect(committed.get(row.partition)).toBe(row.new_offset);
});

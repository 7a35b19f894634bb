import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { services } from '../../services/services.ts';
import { run, temporaryDirectory } from '../../world.ts';
import { type GroupMaker, makeGroups } from './group-members.ts';

const [group, topic] = [`group-seek-again-${process.pid}`, `group-seek-again-${process.pid}-t`];
const world = () => ({ env: { WEIR_BROKERS: services().plaintext } });
let groups: GroupMaker;

/** Creates the topic, after deleting the one that has its name; returns its id. */
async function recreate(): Promise<string> {
  await run(`topic delete ${topic} --yes`, world());
  const { stdout } = await run(`topic create ${topic} --format json`, world());
  return JSON.parse(stdout)[0].topic_id;
}

async function committed(): Promise<unknown> {
  const [row] = JSON.parse((await run(`group describe ${group} --format json`, world())).stdout);
  return row.partitions.map(({ current_offset: offset }: { current_offset: number | null }) => offset);
}

beforeAll(async () => {
  groups = await makeGroups();
});

beforeEach(async () => {
  await recreate();
  await run(`topic produce ${topic}`, { ...world(), stdin: 'a\nb\n' });
  await groups.commit(group, topic, { 0: 1n });
});

afterAll(async () => {
  groups.close();
  await run(`group delete ${group} --yes`, world());
  await run(`topic delete ${topic} --yes`, world());
});

test('group seek refuses its plan if the topic is deleted and created again before the answer', async () => {
  const typed = new Readable({ read: () => undefined });
  let isAsked = false;
  const { stdout, stderr, exitCode } = await run(`group seek ${group} --to end`, {
    ...world(),
    stdin: typed,
    terminal: { stdin: true, stdout: true, stderr: true },
    onStderr(text) {
      if (isAsked || !text.includes('Move the committed offsets')) return;
      isAsked = true;
      void recreate().then(() => typed.push('y\n'));
    },
  });
  expect(stderr).toContain(
    `unable to seek group "${group}": topic "${topic}" was deleted and created again after the offsets were planned`,
  );
  expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 6 });
});

test.each(['undo.txt', 'undo.json'])('%s does not bring the offsets of a deleted topic to a new one', async (file) => {
  const cwd = temporaryDirectory();
  await run(`group seek ${group} --to end --undo-file ${file} --yes`, { ...world(), cwd });
  const current = await recreate();
  const back = `group seek ${group} --to-file ${file} --yes`;
  const { stdout, stderr, exitCode } = await run(back, { ...world(), cwd });
  expect(stderr).toContain(`unable to seek group "${group}": the offsets belong to a topic "${topic}" with the id `);
  expect(stderr).toContain(`, but the topic now has the id ${current}\n`);
  expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 6 });
  const place = join(cwd, file);
  writeFileSync(place, readFileSync(place, 'utf8').replace(/(,"topic_id":"| )[\w-]{22}"?(?=[\n}])/, ''));
  expect(await run(back, { ...world(), cwd })).toMatchObject({ exitCode: 0 });
  expect(await committed()).toEqual([1]);
});

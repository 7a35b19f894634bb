import { stripVTControlCharacters } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { openStage } from '../transcripts/stage.ts';
import { run } from '../world.ts';

const stage = await openStage(['brokers=3']);
afterAll(() => stage.close());

await run('topic create orders -p 2 -r 2', { env: stage.env });

test.each([
  'topic create orders',
  'topic describe orders nope',
  'topic list',
  'cluster health',
  'doctor',
  'group lag nope',
  'topic delete orders nope --dry-run',
])('C4: %s says in words what it colors', async (line) => {
  const env = { ...stage.env, HOME: '/nonexistent' };
  const colored = await run(`${line} --color always`, { env });
  const plain = await run(`${line} --color never`, { env });
  expect(plain.stdout).toBe(stripVTControlCharacters(plain.stdout));
  expect(withoutTimes(stripVTControlCharacters(colored.stdout))).toBe(withoutTimes(plain.stdout));
  expect(colored.exitCode).toBe(plain.exitCode);
});

/** Without how long a step took. */
function withoutTimes(text: string): string {
  return text.replaceAll(/\b\d+(\.\d+)?m?s\b/g, 'TIME').replaceAll(/ {2,}/g, '  ');
}

test('C3: an error on a terminal is colored, and what goes to a pipe beside it is not', async () => {
  const world = { env: stage.env, terminal: { stderr: true } };
  const { stdout, stderr } = await run('topic list orders nope -v', world);
  expect(stdout).toBe(stripVTControlCharacters(stdout));
  expect(stdout).toContain('nope');
  const failed = await run('topic list --unknown', world);
  expect(failed.stderr + stderr).not.toBe(stripVTControlCharacters(failed.stderr + stderr));
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { services } from '../services/services.ts';
import { run } from '../world.ts';

const prefix = `missing-${process.pid}`;
const topic = `${prefix}-orders`;
const typo = `${prefix}-odrers`;
const world = () => ({ env: { WEIR_BROKERS: services().plaintext } });

beforeAll(async () => {
  await run(`topic create ${topic}`, world());
});
afterAll(async () => {
  await run(`topic delete ${topic}`, world());
});

test.each([
  ['topic describe', '', `hint: no topic "${typo}" exists; did you mean "${topic}"?\n`],
  ['topic delete', '', `hint: no topic "${typo}" exists; did you mean "${topic}"?\n`],
  ['topic consume', '-o :end', `hint: did you mean "${topic}"?\n`],
  ['topic produce', '', `hint: did you mean "${topic}"?\n`],
])('%s suggests the topic that was meant, and fails as without it', async (command, flags, hint) => {
  const { stderr, exitCode } = await run(`${command} ${typo} ${flags}`, { ...world(), stdin: 'x\n' });
  expect(stderr).toContain(hint);
  expect(exitCode).toBe(3);
});

test.each([
  ['topic consume', '-o :end'],
  ['topic search', '--contains x'],
  ['topic redrive', '--to origin'],
  ['topic copy', 'nowhere'],
])('%s suggests that topic, and not to create one', async (command, more) => {
  const { stderr } = await run(`${command} ${typo} ${more}`, world());
  const hints = stderr.split('\n').filter((line) => line.startsWith('hint: '));
  expect(hints[0]).toBe(`hint: did you mean "${topic}"?`);
  expect(hints.join()).not.toContain('create');
});

test('a partition that a topic does not have is no reason for a suggestion', async () => {
  const { stderr, exitCode } = await run(`topic consume ${topic} -p 7 -o :end`, world());
  expect(stderr).not.toContain('did you mean');
  expect(exitCode).toBe(3);
});

test.each([
  [`topic delete ${prefix}-nowhere-at-all`, 'topic list'],
  [`topic trim-prefix ${prefix}-nowhere-at-all -o end --yes`, 'topic list'],
  [`topic add-partitions ${prefix}-nowhere-at-all -n 1`, 'topic list'],
  [`topic alter-config ${prefix}-nowhere-at-all -s retention.ms=1h`, 'topic list'],
  [`group delete ${prefix}-nowhere-at-all`, 'group list'],
])('%s points to the list, in the error of machine formats as well', async (line, list) => {
  const hint = `see the ${list.split(' ')[0]}s with: weir ${list}`;
  expect((await run(line, world())).stderr).toMatch(new RegExp(`failed|NOT_FOUND|UNKNOWN.*\\nhint: ${hint}\\n$`, 's'));
  expect(JSON.parse((await run(`${line} --format json --quiet`, world())).stderr)).toMatchObject({ error: { hint } });
});

test('of many topics that do not exist, only the first have a suggestion', async () => {
  const typos = Array.from({ length: 25 }, (_, at) => typo + String.fromCharCode(97 + at));
  const { stderr, exitCode } = await run(`topic delete ${typos.join(' ')}`, world());
  expect(stderr.match(/did you mean/g)).toHaveLength(20);
  expect(exitCode).toBe(3);
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStage, type Stage } from '../transcripts/stage.ts';
import { run } from '../world.ts';

let stage: Stage;
const weir = (line: string) => run(line, { env: stage.env });

beforeAll(async () => {
  stage = await openStage(['brokers', 'registry']);
});

afterAll(() => stage.close());

test.each([
  'topic delete nope',
  "topic delete -r 'nope-.*' --yes",
  'group delete nope',
  'registry subject delete nope',
])('%s fails, and succeeds with --if-exists, also the second time', async (line) => {
  expect((await weir(line)).exitCode).toBe(3);
  expect(await weir(`${line} --if-exists`)).toMatchObject({ exitCode: 0 });
  const rows = JSON.parse((await weir(`${line} --if-exists --format json`)).stdout);
  expect(rows.filter(({ status }: { readonly status: string }) => status !== 'NOT_NEEDED')).toEqual([]);
});

test('--if-exists deletes what is there, and names what is not', async () => {
  await weir('topic create here');
  const { stdout, stderr, exitCode } = await weir('topic delete here gone --if-exists --no-headers');
  expect({ stdout, stderr, exitCode }).toEqual({
    stdout: 'gone  OK (does not exist)\nhere  OK\n',
    stderr: '',
    exitCode: 0,
  });
});

test('durations and sizes in configs are sent as numbers, and only what was set is described', async () => {
  const created = await weir('topic create sized -c retention.ms=7d -c segment.bytes=2MB');
  expect(created.stderr).toBe('sending retention.ms=604800000\nsending segment.bytes=2000000\n');
  const { stdout } = await weir('topic describe sized -c --changed --no-headers');
  expect(stdout.replace(/ +/g, ' ')).toBe(
    'retention.ms 604800000 DYNAMIC_TOPIC_CONFIG\nsegment.bytes 2000000 DYNAMIC_TOPIC_CONFIG\n',
  );
  expect((await weir('topic alter-config sized --set retention.ms=8d --no-headers')).stdout).toContain('691200000');
});

test('cluster config set says which config does not exist, and that a logger is none', async () => {
  const pairs = await weir('cluster config set a=true b=true --api kafka');
  expect(pairs).toMatchObject({ exitCode: 3, stderr: expect.stringContaining('unable to set config "a"') });
  const logger = await weir('cluster config set root=DEBUG --broker 0 --force --api kafka');
  expect(logger).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('"root" is a logger, not a config') });
});

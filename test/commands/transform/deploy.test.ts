import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { skipPauses } from '../../skipped-pauses.ts';
import { temporaryDirectory } from '../../world.ts';
import { project, transformWorld } from './transform-world.ts';

const sent = 'POST /v1/transform/deploy';

beforeEach(skipPauses);

describe('transform deploy', () => {
  test('takes everything from the project of the working directory', async () => {
    const { transform, ok, changes, switches } = await transformWorld();
    expect(await transform('deploy')).toEqual({
      stdout: 'Transform redact (orders → payments) is deployed from redact.wasm, 26B.\n',
      stderr: '',
      exitCode: 0,
    });
    expect(changes()).toEqual([sent]);
    const journal = switches.journal().find(({ route }) => route === 'transforms.deploy');
    expect(journal?.contentType).toBe('application/octet-stream');
    expect(await ok('GET /v1/transform')).toMatchObject([
      {
        ...{ name: 'redact', input_topic: 'orders', output_topics: ['payments'], compression: 'none' },
        environment: [
          { key: 'REGION', value: 'eu' },
          { key: 'LEVEL', value: '3' },
        ],
      },
    ]);
  });

  test('flags come before the project, and variables are combined', async () => {
    const { transform, ok, cwd } = await transformWorld();
    writeFileSync(join(cwd, 'other.wasm'), Buffer.from('\0asm\x01\0\0\0', 'latin1'));
    const words = ['--file', 'other.wasm', '--name', 'copy', '-o', 'audit,payments', '--compression', 'zstd'];
    const outcome = await transform([
      'deploy',
      ...words,
      '--var',
      'REGION=us:1=2',
      '--var',
      'KEY=',
      '--format',
      'json',
    ]);
    expect(JSON.parse(outcome.stdout)).toEqual({
      ...{ name: 'copy', input_topic: 'orders', output_topics: ['audit', 'payments'], file: 'other.wasm', size: 8 },
      ...{ variables: ['REGION', 'LEVEL', 'KEY'], compression: 'zstd', offset: null, replaced: false },
      ...{ status: 'OK', dry_run: false, error: null },
    });
    expect(await ok('GET /v1/transform')).toMatchObject([
      {
        ...{ name: 'copy', compression: 'zstd', output_topics: ['audit', 'payments'] },
        environment: [
          { key: 'REGION', value: 'us:1=2' },
          { key: 'LEVEL', value: '3' },
          { key: 'KEY', value: '' },
        ],
      },
    ]);
  });

  test.each([
    ['+3', { format: 'from_start', value: 3 }],
    ['-5', { format: 'from_end', value: 5 }],
    ['start', { format: 'from_start', value: 0 }],
    ['end', { format: 'from_end', value: 0 }],
    ['@1706659200000', { format: 'timestamp', value: 1_706_659_200_000 }],
    ['@2024-01-31', { format: 'timestamp', value: 1_706_659_200_000 }],
  ])('--from-offset %s', async (given, offset) => {
    const { transform, changes } = await transformWorld();
    const { stdout } = await transform(['deploy', `--from-offset=${given}`, '--dry-run', '--format', 'json']);
    expect(JSON.parse(stdout)).toMatchObject({ offset, dry_run: true });
    expect(changes()).toEqual([]);
    expect((await transform(['deploy', `--from-offset=${given}`])).exitCode).toBe(0);
  });

  test('a second version replaces the first, and an offset has no effect then', async () => {
    const { transform, changes } = await transformWorld();
    await transform('deploy');
    expect(await transform('deploy --from-offset end --dry-run')).toEqual({
      stdout: 'Transform redact (orders → payments) would be replaced with redact.wasm, 26B.\n',
      stderr:
        'warning: the offset has no effect: a new version continues where the old one was\n' +
        'dry run: nothing was changed\n',
      exitCode: 0,
    });
    expect((await transform('deploy')).stdout).toContain('is replaced with');
    expect(changes()).toEqual([sent, sent]);
  });

  test.each([
    ['deploy --file none.wasm', 2, 'unable to read none.wasm: no such file\n'],
    ['deploy --name none', 2, 'no such file\nhint: build the module first, or name another one with --file FILE\n'],
    ['deploy --file transform.yaml', 2, 'unable to use transform.yaml: it is not a WebAssembly module'],
    ['deploy --file https://example.com/a.wasm', 2, '--file takes the path of a file\nhint: download the module first'],
    ['deploy --from-offset 5', 2, 'invalid offset "5"\nhint: use @TIME, +N'],
    ['deploy --from-offset +1:end', 2, 'invalid offset "+1:end"'],
    ['deploy --var REDPANDA_X=1', 2, 'invalid variable REDPANDA_X: names that start with REDPANDA_ are reserved'],
    ['deploy --var novalue', 2, '--var'],
    ['deploy --var A=1 --var B=2 --var A=3', 2, 'the variable A is set twice\nhint: use --var A=VALUE once\n'],
    ['deploy --var A=1 --var A=1', 2, 'the variable A is set twice\n'],
    ['deploy -o a,b,c,d,e,f,g,h,i', 2, 'at most 8 output topics, not 9'],
    ['deploy --compression zip', 2, '--compression'],
    ['deploy --name .. --file redact.wasm', 2, 'invalid name "..": the Admin API cannot name such a transform again'],
    ['deploy --file ""', 2, 'the name of the file is empty'],
    ['deploy --input-topic ""', 2, 'the name of a topic is empty'],
  ])('%s has exit %i, and nothing is sent', async (line, code, message) => {
    const { transform, switches } = await transformWorld();
    const { stdout, stderr, exitCode } = await transform(line);
    expect(stderr).toContain(message);
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: code });
    expect(switches.journal()).toEqual([]);
  });

  test.each([
    ['', 'the name is not set\nhint: use --name, or name in transform.yaml of the working directory'],
    ['name: a\n', 'the input topic is not set\nhint: use --input-topic, or input-topic in transform.yaml'],
    ['name: a\ninput-topic: b\n', 'the output topic is not set\nhint: use --output-topic, or output-topics'],
    ['name: a\ninput-topic: b\noutput-topics: [""]\n', 'output-topics is not a list of topics'],
    ['name: [a]\n', 'unable to use transform.yaml: name is not a text'],
    ['- a\n', 'unable to use transform.yaml: it is not a map'],
    ['name: a\nname: b\n', 'duplicate key "name"'],
    [`${project}  REGION: us\n`, 'duplicate key "REGION"'],
    [`${project}compression: zip\n`, 'unable to use transform.yaml: compression is not one of none, gzip'],
    [project.replace('[payments]', '{a: b}'), 'unable to use transform.yaml: output-topics is not a list of topics'],
    [project.replace('eu', '[secret]'), 'unable to use transform.yaml: env.REGION is not a text'],
  ])('the project %j has exit 2', async (text, message) => {
    const { transform, cwd, switches } = await transformWorld();
    writeFileSync(join(cwd, 'transform.yaml'), text);
    const { stderr, exitCode } = await transform('deploy');
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('secret');
    expect(exitCode).toBe(2);
    expect(switches.journal()).toEqual([]);
  });

  test('an older project with one output topic works, and none is needed with flags', async () => {
    const { transform, cwd, ok } = await transformWorld();
    writeFileSync(join(cwd, 'transform.yaml'), 'name: redact\ninput-topic: orders\noutput-topic: audit\n');
    expect((await transform('deploy')).exitCode).toBe(0);
    expect(await ok('GET /v1/transform')).toMatchObject([{ output_topics: ['audit'] }]);
    const elsewhere = { cwd: temporaryDirectory() };
    expect((await transform('deploy', elsewhere)).stderr).toContain('the name is not set');
    const words = `deploy --file ${join(cwd, 'redact.wasm')} --name b -i orders -o payments`;
    expect((await transform(words, elsewhere)).exitCode).toBe(0);
  });

  test('what the cluster refuses has its message and exit 1', async () => {
    const { transform } = await transformWorld();
    const { stderr, exitCode } = await transform('deploy -i none');
    expect(stderr).toMatch(
      /^weir: unable to deploy the transform "redact": topic "none" does not exist \(POST \S+: 400\)\n$/,
    );
    expect(exitCode).toBe(1);
  });

  test('a cluster without transforms gets a hint', async () => {
    const { transform } = await transformWorld({ seeds: {} });
    const { stderr, exitCode } = await transform('deploy');
    expect(stderr).toContain('hint: enable them with: weir cluster config set data_transforms_enabled true\n');
    expect(exitCode).toBe(1);
  });

  test('a request whose answer was lost is repeated: the same version replaces itself', async () => {
    const { transform, switches, changes, ok } = await transformWorld();
    switches.addFault({ route: 'transforms.deploy', effect: { kind: 'drop', when: 'after' } });
    expect((await transform('deploy')).stdout).toContain('is deployed from');
    expect(changes()).toEqual([sent, sent]);
    expect(await ok('GET /v1/transform')).toHaveLength(1);
  });
});

import { beforeEach, describe, expect, test, vi } from 'vitest';
import { skipPauses } from '../../skipped-pauses.ts';
import { run } from '../../world.ts';
import { weirInterruptedAt } from '../cluster/admin-world.ts';
import { transformWorld } from './transform-world.ts';

const sent = 'POST /v1/transform/deploy';

beforeEach(skipPauses);

describe('transform list', () => {
  test('shows the state of all transforms, sorted, and with -d of each partition', async () => {
    const { transform, switches } = await transformWorld();
    expect(await transform('list')).toMatchObject({
      stdout: 'NAME  INPUT-TOPIC  OUTPUT-TOPIC  RUNNING  LAG\n',
      exitCode: 0,
    });
    await transform('deploy --name second --file redact.wasm -o audit,payments');
    await switches.advance(1_000);
    await transform('deploy --name first --file redact.wasm');
    expect((await transform('ls')).stdout).toBe(
      [
        'NAME    INPUT-TOPIC  OUTPUT-TOPIC     RUNNING  LAG',
        'first   orders       payments         0 / 3    0',
        'second  orders       audit, payments  3 / 3    0',
        '',
      ].join('\n'),
    );
    const detailed = [
      'first, orders → payments',
      '  PARTITION  NODE  STATUS    LAG',
      '  0          0     inactive  0',
      '  1          1     inactive  0',
      '  2          2     inactive  0',
      'second, orders → audit, payments',
      '  PARTITION  NODE  STATUS   LAG',
      '  0          0     running  0',
      '  1          1     running  0',
      '  2          2     running  0',
      '',
    ].join('\n');
    expect((await transform('list -d')).stdout).toBe(detailed);
    expect((await transform('list --format wide')).stdout).toBe(detailed);
    const rows = JSON.parse((await transform('list --format json')).stdout);
    expect(rows[1]).toEqual({
      ...{ name: 'second', input_topic: 'orders', output_topics: ['audit', 'payments'], compression: 'none' },
      environment: [
        { key: 'REGION', value: 'eu' },
        { key: 'LEVEL', value: '3' },
      ],
      ...{ running: 3, lag: 0 },
      status: [0, 1, 2].map((id) => ({ partition: id, node_id: id, status: 'running', lag: 0 })),
    });
  });

  test('unknown states, lag and names of a hostile server are shown safely', async () => {
    const { transform, switches } = await transformWorld();
    const status = [
      { node_id: -1, partition: 1, status: 'errored', lag: 2 },
      { node_id: 0, partition: 0, status: 'new\u001b[2J', lag: 3 },
    ];
    const body = [{ name: 'a\u202eb', input_topic: 'i', output_topics: ['o'], status }];
    const effect = { kind: 'status', status: 200, text: JSON.stringify(body) } as const;
    switches.addFault({ route: 'transforms.list', effect, times: null });
    expect((await transform('list --no-headers')).stdout).toBe('a\\u202eb  i  o  0 / 2  5\n');
    expect((await transform('list -d --no-headers')).stdout).toBe(
      'a\\u202eb, i → o\n  0  0  new\\u001b[2J  3\n  1  -  errored       2\n',
    );
  });
});

describe.each([
  ['pause redact', 'PUT /v1/transform/redact/meta', 'Transform redact is paused.\n'],
  ['resume redact', 'PUT /v1/transform/redact/meta', 'Transform redact is resumed.\n'],
  ['delete redact', 'DELETE /v1/transform/redact', 'Transform redact is deleted.\n'],
])('transform %s', (line, request, stdout) => {
  const change = `transforms.${request.startsWith('PUT') ? 'change' : 'delete'}`;

  test('sends one request', async () => {
    const { transform, changes } = await transformWorld();
    await transform('deploy');
    expect(await transform(line)).toEqual({ stdout, stderr: '', exitCode: 0 });
    expect(changes()).toEqual([sent, request]);
  });

  test('--dry-run sends none', async () => {
    const { transform, changes } = await transformWorld();
    await transform('deploy');
    expect(await transform(`${line} --dry-run`)).toEqual({
      stdout: stdout.replace(' is ', ' would be '),
      stderr: 'dry run: nothing was changed\n',
      exitCode: 0,
    });
    expect(changes()).toEqual([sent]);
  });

  test('an unknown transform has exit 3 and names those that there are', async () => {
    const { transform, changes } = await transformWorld();
    await transform('deploy --name other --file redact.wasm');
    const { stderr, exitCode } = await transform(line);
    expect(stderr).toBe(
      'weir: the cluster has no transform "redact", only other\nhint: see the transforms with: weir transform list\n',
    );
    expect(exitCode).toBe(3);
    expect(changes()).toEqual([sent]);
  });

  test('says so if there are none', async () => {
    const { transform } = await transformWorld();
    const { stderr, exitCode } = await transform(line);
    expect(stderr).toContain('weir: the cluster has no transform "redact": it has none\n');
    expect(exitCode).toBe(3);
  });

  test('repeats a request whose answer was lost', async () => {
    const { transform, switches, changes } = await transformWorld();
    await transform('deploy');
    switches.addFault({ route: change, effect: { kind: 'drop', when: 'after' } });
    expect(await transform(line)).toMatchObject({ stdout, exitCode: 0 });
    expect(changes()).toEqual([sent, request, request]);
  });

  test('interrupted at every request and repeated, it ends the same or says that it is done', async () => {
    const whole = await transformWorld();
    await whole.transform('deploy');
    const before = whole.switches.journal().length;
    await whole.transform(line);
    const routes = whole.switches
      .journal()
      .slice(before)
      .map(({ route }) => route);
    expect(routes.at(-1)).toBe(change);
    for (const [at, route] of routes.entries()) {
      const world = await transformWorld();
      await world.transform('deploy');
      const first = await weirInterruptedAt(world, `transform ${line}`, at, { cwd: world.cwd });
      expect(first, `at ${at}`).toMatchObject({ stdout: '', exitCode: 130 });
      const isSent = route === change;
      const expected = isSent ? 'the request may or may not have arrived' : 'stopped before anything was changed';
      expect(first.stderr, `at ${at}`).toContain(expected);
      await vi.waitFor(() => expect(world.switches.journal().length).toBeGreaterThan(before + at));
      const isGone = isSent && change === 'transforms.delete';
      expect(await world.transform(line)).toMatchObject(isGone ? { exitCode: 3 } : { stdout, exitCode: 0 });
    }
  });
});

test('completion offers the names of the deployed transforms, and keeps those of each cluster apart', async () => {
  const { transform, weir } = await transformWorld();
  await transform('deploy');
  await transform('deploy --name other --file redact.wasm');
  const complete = (typed: string, env = {}) =>
    weir(['__complete', 'transforms', '--', typed, 'transform', 'pause'], { uptimeMs: -600_000, env });
  expect(await complete('')).toEqual({ stdout: 'other\nredact\n', stderr: '', exitCode: 0 });
  expect((await complete('red')).stdout).toBe('redact\n');
  expect((await complete('', { WEIR_ADMIN_HOSTS: '127.0.0.1:1' })).stdout).toBe('');
  expect((await run('completion bash')).stdout).toMatch(/transforms/);
});

test('transform delete asks with the topics, and does nothing without a yes', async () => {
  const { transform, changes } = await transformWorld();
  await transform('deploy');
  const terminal = { stdin: true, stderr: true } as const;
  const refused = await transform('delete redact', { terminal, stdin: 'n\n' });
  expect(refused.stderr).toContain('Delete the transform redact (orders → payments) and its position');
  expect(refused.exitCode).toBe(1);
  expect(changes()).toEqual([sent]);
  expect(await transform('delete redact', { terminal, stdin: 'y\n' })).toMatchObject({ exitCode: 0 });
});

test.each([
  ['init', 'create'],
  ['build', 'build'],
])('transform %s says who does that', async (verb, doing) => {
  for (const words of ['', ' directory', ' --language rust', ' -- -x']) {
    expect(await run(`transform ${verb}${words}`)).toEqual({
      stdout: '',
      stderr:
        `weir: weir does not ${doing} transform projects\n` +
        `hint: use the tool chain of the vendor: rpk transform ${verb}\n` +
        'hint: deploy the module with: weir transform deploy\n',
      exitCode: 2,
    });
  }
  expect((await run('transform --help')).stdout).toContain(`with rpk transform ${verb}`);
});

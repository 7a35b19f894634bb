import { beforeEach, expect, test } from 'vitest';
import { type ScriptedNode, startNode } from '../../../admin/admin-of.ts';
import { skipPauses } from '../../../skipped-pauses.ts';
import { run } from '../../../world.ts';

beforeEach(skipPauses);

const types = {
  big: { type: 'integer' },
  many: { type: 'array', items: { type: 'integer' } },
  ratio: { type: 'number' },
  wide: { type: 'number' },
  text: { type: 'string', nullable: true, description: 'first line\nevil: true\n# "quoted" \u001b[31m' },
  'odd: name #': { type: 'string' },
  other: { type: 'duration-list' },
  loose: { type: 'array' },
};

const body = `{"big":9223372036854775807,"many":[-9007199254740993,1],"ratio":1e-7,"wide":1e300,"text":"evil: x\\n# y",
  "odd: name #":"a","other":[1,"1",null,true,{"b":[9007199254740993]}],"loose":[1,"2",18446744073709551615]}`;

/** A server whose values the simulator cannot hold. */
async function startServer(
  values = body,
): Promise<ScriptedNode & { weir(line: string, stdin?: string): ReturnType<typeof run> }> {
  const node = await startNode(({ line }) => {
    if (line.includes('cluster_config?include')) return [200, values, { 'content-type': 'application/json' }];
    if (line.endsWith('/schema')) return [200, { properties: types }];
    if (line.startsWith('PUT')) return [200, { config_version: 2 }];
    if (line.endsWith('/status')) return [200, []];
    return [404, { message: 'unknown route', code: 404 }];
  });
  const env = { WEIR_ADMIN_HOSTS: node.url };
  return { ...node, weir: (line, stdin = '') => run(`cluster config ${line}`, { env, stdin }) };
}

const changes = ({ calls }: ScriptedNode) =>
  calls.filter(({ line }) => line.startsWith('PUT')).map((call) => call.body);

test.each(['text', 'json', 'yaml'])(
  'an export in %s is imported without a change, with numbers beyond 2^53 and unknown types',
  async (format) => {
    const server = await startServer();
    const { stdout } = await server.weir(`export --format ${format}`);
    expect(stdout).toMatch(/\bbig"?: ?9223372036854775807\b/);
    expect(await server.weir('import --file - --yes', stdout)).toEqual({
      stdout: '',
      stderr: 'no changes were made: the configuration is already as in the file\n',
      exitCode: 0,
    });
    expect(changes(server)).toEqual([]);
  },
);

test('a description is only a comment, and a name with signs is quoted', async () => {
  const server = await startServer();
  const { stdout } = await server.weir('export');
  expect(stdout).toContain('# first line evil: true # "quoted" \\u001b[31m (may be null)\ntext: "evil: x\\n# y"\n');
  expect(stdout).toContain('\n"odd: name #": a\n');
});

test('a difference in the last digit is one, and all digits are sent and shown', async () => {
  const server = await startServer();
  const { stdout: text } = await server.weir('export');
  const changed = text.replace('9223372036854775807', '9223372036854775806').replace('1e-7', '0.0000001');
  const { stdout } = await server.weir('import --file - --yes --format json', changed);
  expect(stdout).toContain('"old":9223372036854775807,"new":9223372036854775806');
  expect(changes(server)).toEqual(['{"upsert":{"big":9223372036854775806},"remove":[]}']);
});

test.each([
  ['1e+300', false],
  [`1${'0'.repeat(300)}`, false],
  ['1e299', true],
])('wide: %s is a change: %s', async (written, isChange) => {
  const server = await startServer();
  const { stdout: text } = await server.weir('export');
  await server.weir('import --file - --yes', text.replace('wide: 1e+300', `wide: ${written}`));
  expect(changes(server)).toHaveLength(isChange ? 1 : 0);
});

test('get and set keep all digits', async () => {
  const server = await startServer();
  expect((await server.weir('get big')).stdout).toBe('9223372036854775807\n');
  expect((await server.weir('get many')).stdout).toBe('[-9007199254740993,1]\n');
  const { stdout } = await server.weir('set big -9223372036854775808 --format json');
  expect(JSON.parse(stdout)).toMatchObject([{ old: '9223372036854775807', new: '-9223372036854775808' }]);
  expect(changes(server)).toEqual(['{"upsert":{"big":-9223372036854775808},"remove":[]}']);
});

test('null and empty text are different', async () => {
  for (const [value, written, other] of [
    ['null', 'null', '""'],
    ['""', '""', 'null'],
    ['"null"', '"null"', 'null'],
  ] as const) {
    const server = await startServer(`{"text":${value}}`);
    const { stdout } = await server.weir('export');
    expect(stdout).toContain(`\ntext: ${written}\n`);
    await server.weir('import --file - --yes', stdout);
    expect(changes(server)).toEqual([]);
    await server.weir('import --file - --yes', `text: ${other}\n`);
    expect(changes(server)).toEqual([`{"upsert":{"text":${other}},"remove":[]}`]);
  }
});

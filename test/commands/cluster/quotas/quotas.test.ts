import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { alone } from '../../../services/services.ts';
import { run, temporaryDirectory, type World } from '../../../world.ts';
import { adminWorld, limitedWorld } from '../limited-world.ts';

const client = `quotas-${process.pid}`;
const other = `${client}-other`;
const person = (answer: string): World => ({
  ...adminWorld(),
  stdin: answer,
  terminal: { stdin: true, stdout: true, stderr: true },
});

const quota = (name: string, type: string, values: Readonly<Record<string, string>>) => ({
  entity: [{ name, type }],
  values: Object.entries(values).map(([key, value]) => ({ key, value })),
});

/**
 * All quotas of the broker, which no other test file sets meanwhile. Those of default entities concern every client of the broker:
 * they are too high to slow down other tests.
 */
async function present(): Promise<unknown> {
  return JSON.parse((await run('cluster quotas describe --format json', adminWorld())).stdout).quotas;
}

async function replaceAll(quotas: readonly unknown[]): Promise<void> {
  const { stderr, exitCode } = await run(
    ['cluster', 'quotas', 'import', '--from', JSON.stringify({ quotas }), '--yes'],
    adminWorld(),
  );
  expect({ stderr: stderr.replace('the quotas are already as in the file\n', ''), exitCode }).toEqual({
    stderr: '',
    exitCode: 0,
  });
}

let limited: World;
let lock: AsyncDisposable;
beforeAll(async () => {
  lock = await alone('quotas');
  limited = await limitedWorld(client);
});

beforeEach(async () => {
  await replaceAll([quota(client, 'client-id', { producer_byte_rate: '200000', request_percentage: '0.5' })]);
});

afterAll(async () => {
  await replaceAll([]);
  await lock[Symbol.asyncDispose]();
});

describe('cluster quotas describe', () => {
  it('prints an entity and its quotas', async () => {
    expect(await run(`cluster quotas describe --name client-id=${client}`, adminWorld())).toEqual({
      stdout: `client-id=${client}\n\tproducer_byte_rate=200000\n\trequest_percentage=0.5\n`,
      stderr: '',
      exitCode: 0,
    });
  });

  it('filters by name, default and type', async () => {
    await replaceAll([
      quota(client, 'client-id', { request_percentage: '90001' }),
      quota('<default>', 'client-id', { request_percentage: '90002' }),
      quota('<default>', 'user', { request_percentage: '90003' }),
      {
        entity: [
          { name: 'amy', type: 'user' },
          { name: client, type: 'client-id' },
        ],
        values: [{ key: 'request_percentage', value: '90004' }],
      },
    ]);
    const found = async (flags: string): Promise<readonly string[]> => {
      const { stdout } = await run(`cluster quota describe ${flags}`, adminWorld());
      return [...stdout.matchAll(/request_percentage=9000(\d)/g)].map(([, value = '']) => value).sort();
    };
    expect(await found(`--name client-id=${client}`)).toEqual(['1', '4']);
    expect(await found(`--name client-id=${client} --strict`)).toEqual(['1']);
    expect(await found('--default client-id')).toEqual(['2']);
    expect(await found('--any client-id --strict')).toEqual(['1', '2']);
    expect(await found('--any user')).toEqual(['3', '4']);
    expect(await found(`--name user=amy,client-id=${client}`)).toEqual(['4']);
    expect(await found('--strict')).toEqual(['1', '2', '3', '4']);
  });

  it('says so when nothing matches, exit code 0', async () => {
    expect(await run('cluster quotas describe --name user=nobody', adminWorld())).toEqual({
      stdout: '',
      stderr: 'no quotas match\n',
      exitCode: 0,
    });
  });

  it('exits with 4 for a principal without rights', async () => {
    const { stdout, stderr, exitCode } = await run('cluster quotas describe', limited);
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 4 });
    expect(stderr).toContain('unable to describe quotas: CLUSTER_AUTHORIZATION_FAILED (31)');
  });
});

describe('cluster quotas alter', () => {
  it.each([
    ['"user=CN=a,OU=b"', 'CN=a,OU=b'],
    ['user=CN=a,OU=b', 'CN=a,OU=b'],
    [' "user=a ""b"", c" ', 'a "b", c'],
    ['user=a"b', 'a"b'],
  ])('takes the name %j', async (word, name) => {
    const line = ['cluster', 'quotas', 'alter', '--name', word, '--add', 'request_percentage=5', '--dry-run'];
    const { stdout } = await run([...line, '--format', 'json'], adminWorld());
    expect(JSON.parse(stdout)).toMatchObject({ entity: [{ type: 'user', name }], status: 'OK' });
  });

  it('takes rates of bytes with a unit, and says that a quota is positive', async () => {
    const alter = (added: string) =>
      run(`cluster quotas alter --name user=units --dry-run --format json --add ${added}`, adminWorld());
    expect(JSON.parse((await alter('producer_byte_rate=2MB,consumer_byte_rate=1.5MiB')).stdout)).toMatchObject({
      changes: [
        { key: 'consumer_byte_rate', new: '1572864' },
        { key: 'producer_byte_rate', new: '2000000' },
      ],
    });
    for (const [added, reason] of [
      ['producer_byte_rate=-5', 'the value is negative (it must be positive)'],
      ['request_percentage=2MB', 'the value is not a number'],
    ] as const) {
      const { stderr, exitCode } = await alter(added);
      expect(exitCode).toBe(2);
      expect(JSON.parse(stderr).error.message).toBe(`invalid value "${added}" of --add: ${reason}`);
    }
  });

  it('sets and removes quotas', async () => {
    const line = `cluster quotas alter --name client-id=${client} --add consumer_byte_rate=7 --delete request_percentage`;
    const { stdout, stderr, exitCode } = await run(line, adminWorld());
    expect(stdout.replace(/ +/g, ' ').split('\n')).toEqual([
      'ENTITY QUOTA-TYPE OLD-VALUE NEW-VALUE STATUS',
      `client-id=${client} consumer_byte_rate - 7 OK`,
      `client-id=${client} request_percentage 0.5 - OK`,
      '',
    ]);
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    expect(await present()).toEqual([
      quota(client, 'client-id', { consumer_byte_rate: '7', producer_byte_rate: '200000' }),
    ]);
    for (const flag of ['', ' --dry-run'])
      expect((await run(`${line} --no-headers${flag}`, adminWorld())).stdout.replace(/ +/g, ' ')).toBe(
        `client-id=${client} consumer_byte_rate 7 7 OK (already set)\nclient-id=${client} request_percentage - - OK (not set)\n`,
      );
  });

  it.each(['--dry-run', '--dry'])('changes nothing with %s', async (flag) => {
    const before = await present();
    const line = `cluster quotas alter --name client-id=${client} --delete request_percentage ${flag}`;
    const { stdout, stderr, exitCode } = await run(line, adminWorld());
    expect(stdout).toContain(`client-id=${client}  request_percentage  0.5        -          OK (dry run)\n`);
    expect({ stderr, exitCode }).toEqual({ stderr: 'dry run: nothing was changed\n', exitCode: 0 });
    expect(await present()).toEqual(before);
  });

  it('reports what the broker refuses, also in a dry run', async () => {
    for (const flag of ['', '--dry-run']) {
      const line = `cluster quotas alter --default user --add frob=1 --no-headers ${flag}`;
      const { stdout, exitCode } = await run(line, adminWorld());
      expect(stdout).toMatch(/^user=<default> .*INVALID_REQUEST: .*frob/);
      expect(exitCode).toBe(1);
    }
  });

  it('has one object in json', async () => {
    const line = `cluster quotas alter --default user --name client-id=${client} --add request_percentage=5 --dry-run`;
    expect(JSON.parse((await run(`${line} --format json`, adminWorld())).stdout)).toEqual({
      entity: [
        { name: client, type: 'client-id' },
        { name: '<default>', type: 'user' },
      ],
      ...{ status: 'OK', changes: [{ key: 'request_percentage', old: null, new: '5' }], error: null, dry_run: true },
    });
  });

  it('has the error of a type that brokers refuse in its row', async () => {
    const line = 'cluster quotas alter --name client-id-prefix=a --add request_percentage=5 --no-headers';
    const { stdout, exitCode } = await run(line, adminWorld());
    expect(stdout).toMatch(/^client-id-prefix=a .*[A-Z_]+: .+\n$/);
    expect(exitCode).toBe(1);
  });

  it('exits with 4 for a principal without rights', async () => {
    const line = 'cluster quotas alter --default user --add request_percentage=5 --no-headers';
    const { stdout, exitCode } = await run(line, limited);
    expect(stdout).toMatch(/^user=<default> .*CLUSTER_AUTHORIZATION_FAILED: /);
    expect(exitCode).toBe(4);
  });

  it.each([
    ['--add a=1', 'no entity is given'],
    ['--name client-id=x', 'no change is given'],
    ['--name client-id=x --default client-id --add a=1', 'the entity type "client-id" is given twice'],
    ['--name client-id=x --add a=1 --delete a', 'the quota "a" is given twice'],
    ['--name frob=x --add a=1', 'the type is not one of client-id, client-id-prefix, user, ip'],
    ['--name client-id= --add a=1', 'the name is empty'],
    ['--name x --add a=1', 'not of the form TYPE=NAME'],
    ['--default frob --add a=1', 'not one of client-id, user, ip'],
    ['--name user=x --add a', 'not of the form KEY=NUMBER'],
    ['--name user=x --add a=lots', 'the value is not a number'],
  ])('%s is a usage error', async (flags, message) => {
    const { stdout, stderr, exitCode } = await run(`cluster quotas alter ${flags}`, {
      env: { WEIR_BROKERS: '127.0.0.1:1' },
    });
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
    expect(stderr).toContain(message);
  });
});

const file = join(temporaryDirectory(), 'quotas.yaml');

describe('cluster quotas import', () => {
  it('makes the quotas those of the file, and shows each difference', async () => {
    const wanted = [
      quota(client, 'client-id', { producer_byte_rate: '200000', request_percentage: '0.75' }),
      quota('<default>', 'user', { consumer_byte_rate: '9000000000' }),
    ];
    await run(`cluster quotas alter --name client-id=${other} --add request_percentage=3`, adminWorld());
    writeFileSync(file, JSON.stringify({ quotas: wanted }));
    const { stdout, stderr, exitCode } = await run(`cluster quotas import --from ${file} --yes`, adminWorld());
    expect(stdout.replace(/ +/g, ' ').split('\n')).toEqual([
      'ENTITY QUOTA-TYPE OLD-VALUE NEW-VALUE STATUS',
      `client-id=${client} request_percentage 0.5 0.75 OK`,
      `client-id=${other} request_percentage 3 - OK`,
      'user=<default> consumer_byte_rate - 9000000000 OK',
      'Successfully imported the client quotas',
      '',
    ]);
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    expect(await present()).toEqual(wanted);
  });

  it.each(['json', 'yaml'])(
    'reads what describe prints in %s, defaults included, and finds no difference',
    async (format) => {
      await run('cluster quotas alter --default user,client-id --add request_percentage=90012.5', adminWorld());
      const { stdout: printed } = await run(`cluster quotas describe --format ${format}`, adminWorld());
      expect(printed).toContain('<default>');
      // Nothing is asked, because nothing would change.
      expect(await run('cluster quotas import --from -', { ...person(''), stdin: printed })).toEqual({
        stdout: '',
        stderr: 'reading standard input; end with Ctrl-D\nthe quotas are already as in the file\n',
        exitCode: 0,
      });
      await replaceAll([]);
      expect((await run('cluster quotas import --from - --yes', { ...adminWorld(), stdin: printed })).exitCode).toBe(0);
      expect((await run(`cluster quotas describe --format ${format}`, adminWorld())).stdout).toBe(printed);
    },
  );

  it('shows the differences before asking, and changes nothing on no', async () => {
    const before = await present();
    const from = JSON.stringify({ quotas: [quota(client, 'client-id', { request_percentage: '1' })] });
    const { stdout, stderr, exitCode } = await run(['cluster', 'quotas', 'import', '--from', from], person('n\n'));
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 1 });
    const [, removed = '', changed = '', question = ''] = stderr.replace(/ +/g, ' ').split('\n');
    expect([removed, changed]).toEqual([
      `client-id=${client} producer_byte_rate 200000 -`,
      `client-id=${client} request_percentage 0.5 1`,
    ]);
    expect(question).toMatch(/^Set 1 quota and remove 1 quota on .*\? \[y\/N\]/);
    expect(await present()).toEqual(before);
  });

  it('changes nothing in a dry run', async () => {
    const before = await present();
    const { stdout, exitCode } = await run(
      "cluster quotas import --from 'quotas: []' --dry-run --format json",
      adminWorld(),
    );
    expect(JSON.parse(stdout)[0]).toEqual({
      ...{ entity: `client-id=${client}`, 'quota-type': 'producer_byte_rate' },
      ...{ 'old-value': '200000', 'new-value': null, status: 'OK', error: null, dry_run: true },
    });
    expect(exitCode).toBe(0);
    const text = await run("cluster quotas import --from 'quotas: []' --dry-run", adminWorld());
    expect(text.stdout).toContain(' OK (dry run: would be changed)\n');
    expect(await present()).toEqual(before);
  });

  it('reports what the broker refuses, beside the others', async () => {
    const quotas = [
      quota(client, 'client-id', { producer_byte_rate: '200000', request_percentage: '2' }),
      quota('amy', 'user', { frob: '1' }),
    ];
    const { stdout, exitCode } = await run(
      ['cluster', 'quotas', 'import', '--no-headers', '--yes', '--from', JSON.stringify({ quotas })],
      adminWorld(),
    );
    expect(stdout).toMatch(/^user=amy +frob +- +1 +INVALID_REQUEST: /m);
    expect(exitCode).toBe(1);
  });

  it('exits with 2 for a file that does not exist', async () => {
    expect((await run('cluster quotas import --from nope.yaml --yes', adminWorld())).exitCode).toBe(2);
  });
});

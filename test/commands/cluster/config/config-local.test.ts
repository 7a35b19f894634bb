import { chmodSync, existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { skipPauses } from '../../../skipped-pauses.ts';
import { run, temporaryDirectory } from '../../../world.ts';
import { adminWorld } from '../admin-world.ts';

beforeEach(skipPauses);

/** Writes a file into a new directory. */
function fileWith(text: string, mode = 0o644): { readonly cwd: string; readonly file: string; read(): string } {
  const cwd = temporaryDirectory();
  const file = join(cwd, 'redpanda.yaml');
  writeFileSync(file, text);
  chmodSync(file, mode);
  return { cwd, file, read: () => readFileSync(file, 'utf8') };
}

const modeOf = (file: string) => statSync(file).mode & 0o777;

const brokerFile = `# The broker of ana.
redpanda:
  # Where the data is.
  data_directory: /var/lib/redpanda/data
  log_segment_size: 1048576 # too small
  delete_retention_ms: 1e3
  cloud_storage_secret_key: hunter2
  superusers:
    - ana   # herself
    - "b # c"
  seed_servers: []
  admin: [{address: 0.0.0.0, port: 9644}]

rpk:
  enable_sasl: not a property here
`;

const cleaned = `# The broker of ana.
redpanda:
  # Where the data is.
  data_directory: /var/lib/redpanda/data
  seed_servers: []
  admin: [{address: 0.0.0.0, port: 9644}]

rpk:
  enable_sasl: not a property here
`;

const headers = 'PROPERTY                  IN-THE-FILE     ON-THE-CLUSTER';
const misplaced = [
  'log_segment_size          1048576         134217728',
  'delete_retention_ms       1000            604800000',
  'cloud_storage_secret_key  "[secret]"      null',
  'superusers                [ana, "b # c"]  [root]',
];

function tableWith(status: string): string {
  return [`${headers}  STATUS`, ...misplaced.map((line) => `${line.padEnd(headers.length)}  ${status}`), ''].join('\n');
}

describe('cluster config lint', () => {
  test('without the file of a broker, the flag that names it is in the hint', async () => {
    const { cluster } = await adminWorld();
    const { stderr, exitCode } = await cluster('config lint --broker-config /nowhere/redpanda.yaml --yes');
    expect(stderr).toBe(
      'weir: unable to read /nowhere/redpanda.yaml: no such file\n' +
        'hint: name the file with --broker-config FILE, on the machine of a broker\n',
    );
    expect(exitCode).toBe(2);
  });

  test('removes the properties of the cluster and nothing else, and keeps the old text', async () => {
    const { cluster, switches, changes } = await adminWorld({ seeds: { config: { superusers: ['root'] } } });
    const local = fileWith(brokerFile, 0o640);
    expect(await cluster(`config lint --broker-config ${local.file} --yes`)).toEqual({
      stdout: tableWith('OK'),
      stderr: `the old text of ${local.file} is in ${local.file}.bak\n`,
      exitCode: 0,
    });
    expect(local.read()).toBe(cleaned);
    expect(readFileSync(`${local.file}.bak`, 'utf8')).toBe(brokerFile);
    expect([modeOf(local.file), modeOf(`${local.file}.bak`)]).toEqual([0o640, 0o640]);
    expect(changes()).toEqual([]);
    switches.clearJournal();
    const again = await cluster(`config lint --broker-config ${local.file} --yes`);
    expect(again).toMatchObject({ stderr: `${local.file} has no properties of the cluster\n`, exitCode: 0 });
  });

  test('a second backup does not replace the first', async () => {
    const { json } = await adminWorld();
    const local = fileWith(brokerFile);
    await json(`config lint --broker-config ${local.file} --yes`);
    writeFileSync(local.file, brokerFile);
    const [{ backup }] = await json(`config lint --broker-config ${local.file} --yes`);
    expect(backup).toBe(`${local.file}.bak.2`);
    expect(readFileSync(backup, 'utf8')).toBe(brokerFile);
  });

  test('a dry run, and no to the question, change nothing', async () => {
    const { cluster } = await adminWorld({ seeds: { config: { superusers: ['root'] } } });
    const local = fileWith(brokerFile);
    const dry = await cluster(`config lint --dry-run --broker-config ${local.file}`);
    expect(dry).toEqual({
      stdout: tableWith('OK (dry run: would be removed)'),
      stderr: 'dry run: nothing was changed\n',
      exitCode: 0,
    });
    const no = await cluster(`config lint --broker-config ${local.file}`, { terminal: { typed: 'n\n' } });
    expect(no.exitCode).toBe(1);
    expect(no.stderr).toContain([headers, ...misplaced, ''].join('\n'));
    expect(no.stderr).toContain(`Remove 4 properties from ${local.file}`);
    expect(no.stderr).not.toContain('hunter2');
    expect(local.read()).toBe(brokerFile);
    expect(existsSync(`${local.file}.bak`)).toBe(false);
  });

  test.each([
    ['in one line', 'redpanda: {log_segment_size: 7, node_id: 1} # c\n', 'redpanda: {node_id: 1} # c\n'],
    ['that has nothing else', 'redpanda:\n  log_segment_size: 7\nrpk: {}\n', 'redpanda:\nrpk: {}\n'],
    ['beside a number in another form', 'redpanda: {log_segment_size: 7, id: 007}\n', 'redpanda: {id: 007}\n'],
    ['with Windows lines', 'redpanda:\r\n  enable_sasl: true\r\n  node_id: 1\r\n', 'redpanda:\r\n  node_id: 1\r\n'],
  ])('a section %s keeps its meaning', async (_, before, after) => {
    const { cluster } = await adminWorld();
    const local = fileWith(before);
    expect((await cluster(`config lint --yes --broker-config ${local.file}`)).exitCode).toBe(0);
    expect(local.read()).toBe(after);
  });

  test('a value that another part refers to is not removed', async () => {
    const { cluster } = await adminWorld();
    const text = 'redpanda:\n  superusers: &names [ana]\n  node_id: 1\nrpk:\n  users: *names\n';
    const local = fileWith(text);
    const { stderr, exitCode } = await cluster(`config lint --broker-config ${local.file} --yes`);
    expect(stderr).toContain(`weir: unable to remove superusers from ${local.file} safely\n`);
    expect(exitCode).toBe(1);
    expect(local.read()).toBe(text);
  });

  test('a link is followed, and stays one', async () => {
    const { cluster } = await adminWorld();
    const local = fileWith('redpanda:\n  enable_sasl: true\n  node_id: 1\n');
    const link = join(local.cwd, 'link.yaml');
    symlinkSync(local.file, link);
    expect((await cluster(`config lint --broker-config ${link} --yes`)).exitCode).toBe(0);
    expect(local.read()).toBe('redpanda:\n  node_id: 1\n');
    expect(readFileSync(link, 'utf8')).toBe(local.read());
  });

  test.each([
    ['rpk: {}\n', 2, 'it has no section "redpanda"'],
    ['redpanda: 7\n', 2, 'it has no section "redpanda"'],
    ['redpanda: [\n', 2, 'unable to read'],
    ['redpanda:\n  a: 1\n  a: 2\n', 2, 'duplicate key "a"'],
    ['redpanda:\n  superusers: &a [*a]\n', 2, 'its aliases stand for too many values'],
  ])('%j is refused', async (text, code, message) => {
    const { cluster } = await adminWorld();
    const local = fileWith(text);
    const { stderr, exitCode } = await cluster(`config lint --broker-config ${local.file} --yes`);
    expect(stderr).toContain(message);
    expect(exitCode).toBe(code);
    expect(local.read()).toBe(text);
  });

  test('a file that changes while weir asks is not overwritten: exit 6', async () => {
    const world = await adminWorld();
    const local = fileWith(brokerFile);
    world.whenAfter('config.schema', () => writeFileSync(local.file, 'redpanda: {}\n'));
    const { stderr, exitCode } = await world.cluster(`config lint --broker-config ${local.file} --yes`);
    expect(stderr).toContain('another program has changed it in the meantime');
    expect(exitCode).toBe(6);
    expect(local.read()).toBe('redpanda: {}\n');
  });
});

describe('cluster config force-reset', () => {
  const cache = '# cache\nconfig_version: 7\nlog_segment_size: 1 # bad\n# about users\nsuperusers: [ana]\n';
  const reset = (file: string, words: string) => `cluster config force-reset ${words} --cache-file ${file}`;

  test('removes properties from the file, without a request', async () => {
    const local = fileWith(cache, 0o600);
    expect(await run(reset('redpanda.yaml', 'log_segment_size'), { cwd: local.cwd })).toEqual({
      stdout: 'PROPERTY          STATUS\nlog_segment_size  OK\n',
      stderr: '',
      exitCode: 0,
    });
    expect(local.read()).toBe('# cache\nconfig_version: 7\n# about users\nsuperusers: [ana]\n');
    expect(modeOf(local.file)).toBe(0o600);
  });

  test('what the file does not have is an error of its own, with the name that was meant', async () => {
    const local = fileWith(cache);
    const { stdout, exitCode } = await run(reset(local.file, 'superuser superusers superuser --format json'));
    expect(JSON.parse(stdout)).toMatchObject([
      {
        ...{ property: 'superuser', file: local.file },
        error: {
          ...{ code: 'NOT_FOUND', number: null, retryable: false, exit_code: 3 },
          message: 'the file has no property "superuser", did you mean "superusers"?',
        },
      },
      { property: 'superusers', file: local.file, error: null },
    ]);
    expect(exitCode).toBe(3);
    expect(local.read()).toBe('# cache\nconfig_version: 7\nlog_segment_size: 1 # bad\n# about users\n');
  });

  test('asks, and --dry-run and no change nothing', async () => {
    const local = fileWith(cache);
    const no = await run(reset(local.file, 'superusers'), { terminal: { typed: 'n\n' } });
    expect(no.stderr).toContain(`Remove superusers from ${local.file}?`);
    expect(no.exitCode).toBe(1);
    expect((await run(reset(local.file, 'superusers --dry-run'))).exitCode).toBe(0);
    expect((await run(reset(local.file, 'superusers --no-input'))).exitCode).toBe(2);
    expect(local.read()).toBe(cache);
  });

  test.each([
    ['- a\n', 2, 'it is not a map'],
    ['', 2, 'it is not a map'],
    ['a: [\n', 2, 'unable to read'],
  ])('a file with %j is refused', async (text, code, message) => {
    const local = fileWith(text);
    const { stderr, exitCode } = await run(reset(local.file, 'a'));
    expect(stderr).toContain(message);
    expect(exitCode).toBe(code);
  });

  test('a file that is missing has exit 2', async () => {
    expect((await run(reset('/nowhere/x', 'a'))).exitCode).toBe(2);
    expect((await run('cluster config force-reset a')).exitCode).toBe(2);
  });
});

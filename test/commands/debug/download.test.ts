import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { readZip } from '../../files/read-zip.ts';
import { skipPauses } from '../../skipped-pauses.ts';
import { weirInterruptedAt } from '../cluster/admin-world.ts';
import { type BundleWorld, bundleWorld, job } from './bundle-world.ts';

const posted = 'POST /v1/debug/bundle';
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/** A simulator on which some nodes (places in the list) have finished a bundle. */
async function finished(nodes: readonly number[] = [0, 1, 2]): Promise<BundleWorld> {
  const world = await bundleWorld({ settings: {} });
  for (const node of nodes) await world.ok(posted, { node, body: { job_id: job } });
  await world.switches.advance(10_000);
  return world;
}

/** Replaces the status that a broker answers with. */
async function announce(world: BundleWorld, node: number, fields: object): Promise<void> {
  const known = await world.ok('GET /v1/debug/bundle', { node });
  const effect = { kind: 'status', status: 200, text: JSON.stringify({ ...known, ...fields }) } as const;
  world.switches.addFault({ route: 'bundle.status', node: node + 1, effect, times: null });
}

beforeEach(skipPauses);

describe('debug remote-bundle download', () => {
  test('writes one ZIP file with the ZIP file of every broker, and prints the checksums', async () => {
    const { bundle, cwd, call } = await finished();
    const { stdout, stderr, exitCode } = await bundle('download --format json');
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    const result = JSON.parse(stdout);
    const file = `${Date.UTC(2030, 0, 2) / 1000}-remote-bundle.zip`;
    expect(readdirSync(cwd)).toEqual([file]);
    const bytes = readFileSync(join(cwd, file));
    expect(result).toMatchObject({ job_id: job, file, size: bytes.length, sha256: sha256(bytes) });
    expect(statSync(join(cwd, file)).mode & 0o777).toBe(0o600);
    const entries = readZip(bytes);
    expect(entries.map(({ name }) => name)).toEqual(['broker-1.zip', 'broker-2.zip', 'broker-3.zip']);
    for (const [node, { name, content }] of entries.entries()) {
      const own = await call(`GET /v1/debug/bundle/file/${job}.zip`, { node });
      expect(content.equals(own.bytes)).toBe(true);
      const row = { broker: node + 1, file: name, size: content.length, sha256: sha256(content), error: null };
      expect(result.brokers[node]).toEqual(row);
      expect(JSON.parse(readZip(content)[0]?.content.toString() ?? '')).toMatchObject({ node_id: node + 1 });
    }
  });

  test('text has the checksums as well', async () => {
    const { bundle, cwd } = await finished([0]);
    const { stdout, exitCode } = await bundle('download --broker 1 -o bundle.zip');
    const bytes = readFileSync(join(cwd, 'bundle.zip'));
    const [entry] = readZip(bytes);
    const content = entry?.content ?? Buffer.alloc(0);
    expect(stdout).toBe(
      `BROKER  SIZE  SHA256\n1       ${content.length}B  ${sha256(content)}\n` +
        `bundle.zip has ${bytes.length}B, SHA-256 ${sha256(bytes)}\n`,
    );
    expect(exitCode).toBe(0);
  });

  test('leaves out brokers that are not ready, and says so: exit 6', async () => {
    const world = await finished([0]);
    await world.ok(posted, { node: 1, body: { job_id: job } });
    const { stdout, exitCode } = await world.bundle('download -o a.zip --format json');
    expect(JSON.parse(stdout).brokers.slice(1)).toEqual([
      expect.objectContaining({
        file: null,
        error: expect.objectContaining({ message: 'broker 2: its bundle is not finished' }),
      }),
      expect.objectContaining({
        file: null,
        error: expect.objectContaining({ message: 'broker 3: it has no bundle (status: none)' }),
      }),
    ]);
    expect(exitCode).toBe(6);
    expect(readZip(readFileSync(join(world.cwd, 'a.zip'))).map(({ name }) => name)).toEqual(['broker-1.zip']);
  });

  test('a file that exists is never overwritten, and nothing is asked for', async () => {
    const { bundle, cwd, switches } = await finished();
    writeFileSync(join(cwd, 'a.zip'), 'kept');
    const before = switches.journal().length;
    const { stderr, exitCode } = await bundle('download -o a.zip --format json');
    expect(JSON.parse(stderr).error).toMatchObject({
      ...{ code: 'FILE_EXISTS', target: 'a.zip', message: 'unable to write a.zip: the file exists' },
      hint: 'give the new file another name with -o FILE',
    });
    expect(exitCode).toBe(6);
    expect(readFileSync(join(cwd, 'a.zip'), 'utf8')).toBe('kept');
    expect(switches.journal()).toHaveLength(before);
  });

  test('a file that appears during the download is not overwritten either', async () => {
    const world = await finished();
    world.whenAfter('bundle.file', () => writeFileSync(join(world.cwd, 'a.zip'), 'kept'));
    expect(await world.bundle('download -o a.zip')).toMatchObject({ stdout: '', exitCode: 6 });
    expect(readdirSync(world.cwd)).toEqual(['a.zip']);
    expect(readFileSync(join(world.cwd, 'a.zip'), 'utf8')).toBe('kept');
  });

  test.each([
    ['-o none/a.zip', 1, 'the directory'],
    ['-o -', 2, 'standard output has the result'],
    ['-o ""', 2, 'it is empty'],
  ])('%s has exit %i', async (words, code, message) => {
    const { bundle, cwd } = await finished();
    const { stderr, exitCode } = await bundle(`download ${words}`);
    expect(stderr).toContain(message);
    expect(exitCode).toBe(code);
    expect(readdirSync(cwd)).toEqual([]);
  });

  test('nothing to download: exit 6, with what to do', async () => {
    const none = await finished([]);
    expect(await none.bundle('download')).toMatchObject({
      stderr:
        'weir: no broker has a finished debug bundle\n' +
        'hint: collect one with: weir debug remote-bundle start --wait\n',
      exitCode: 6,
    });
    await none.ok(posted, { node: 1, body: { job_id: job } });
    expect((await none.bundle('download')).stderr).toContain(
      'hint: wait for it with: weir debug remote-bundle status --wait\n',
    );
    const { stderr, exitCode } = await none.bundle(`download --broker 1 --job-id ${job} --format json`);
    expect(JSON.parse(stderr).error).toMatchObject({
      code: 'NOT_READY',
      message: expect.stringMatching(
        `^no broker has a finished debug bundle of the job ${job}; broker 1 has no bundle`,
      ),
    });
    expect(exitCode).toBe(3);
    expect(readdirSync(none.cwd)).toEqual([]);
  });

  test('bundles of several jobs are not mixed', async () => {
    const world = await finished([0]);
    const other = job.replace('3', '4');
    await world.ok(posted, { node: 1, body: { job_id: other } });
    await world.switches.advance(10_000);
    const { stderr, exitCode } = await world.bundle('download');
    expect(stderr).toContain(`the brokers have bundles of 2 jobs: ${job}, ${other}\nhint: choose one with --job-id\n`);
    expect(exitCode).toBe(6);
    const one = await world.bundle(`download --job-id ${other} --broker 2 --format json`);
    expect(JSON.parse(one.stdout)).toMatchObject({ job_id: other, brokers: [{ broker: 2, error: null }] });
  });
});

describe('a broker that does not send its bundle whole', () => {
  const wrong = [
    ['a cut body', { effect: { kind: 'truncate', bytes: 20 } }, /broker|response|connection/i, 5],
    ['a page', { effect: { kind: 'status', status: 200, text: '<html>' } }, /^BAD_ANSWER: .*not a ZIP file/, 1],
    [
      'no body',
      { effect: { kind: 'status', status: 200, text: '' } },
      /^SIZE_MISMATCH: .*it has 0 instead of the \d+ bytes/,
      1,
    ],
    ['an error', { effect: { kind: 'status', status: 500, message: 'disk gone' } }, /disk gone \(GET \S+: 500\)/, 1],
    ['a redirect', { effect: { kind: 'redirect', to: 'http://foreign.example:9644' } }, /307/, 5],
    ['a smaller size', { announced: { file_size: 10 } }, /^SIZE_MISMATCH: .*it has more than the 10 bytes/, 1],
    ['a larger size', { announced: { file_size: 9_999 } }, /it has \d+ instead of the 9999 bytes/, 1],
    [
      'a path',
      { announced: { filename: '../../etc/passwd' } },
      /^BAD_ANSWER: .*names its debug bundle "\.\.\/\.\.\/etc\/passwd"/,
      1,
    ],
    ['dots', { announced: { filename: '..' } }, /names its debug bundle "\.\."/, 1],
    ['no name', { announced: { filename: undefined } }, /names its debug bundle ""/, 1],
    ['control characters', { announced: { filename: 'a\u001b[2J.zip' } }, /"a\\u001b\[2J\.zip"/, 1],
  ] as const;

  test.each(wrong)('%s: is left out with its error, and the others are there', async (_, fault, message, code) => {
    const world = await finished();
    if ('announced' in fault) await announce(world, 1, fault.announced);
    else world.switches.addFault({ route: 'bundle.file', node: 2, ...fault, times: null });
    const { stdout, exitCode } = await world.bundle('download -o a.zip --format json');
    const { brokers } = JSON.parse(stdout);
    const { error } = brokers[1];
    expect(`${error.code}: ${error.message}`).toMatch(message);
    expect(brokers[1]).toMatchObject({ file: null, size: null, sha256: null });
    expect(exitCode).toBe(code);
    expect(readdirSync(world.cwd)).toEqual(['a.zip']);
    const entries = readZip(readFileSync(join(world.cwd, 'a.zip')));
    expect(entries.map(({ name }) => name)).toEqual(['broker-1.zip', 'broker-3.zip']);
  });

  test('if all fail, there is no file', async () => {
    const world = await finished();
    const effect = { kind: 'status', status: 404, message: 'gone' } as const;
    world.switches.addFault({ route: 'bundle.file', effect, times: null });
    const { stdout, exitCode } = await world.bundle('download -o a.zip');
    expect(stdout).toContain('No file was written.\n');
    expect(exitCode).toBe(3);
    expect(readdirSync(world.cwd)).toEqual([]);
  });

  test('interrupted at every request, it leaves no file, and can be repeated', async () => {
    const line = 'debug remote-bundle download -o a.zip';
    const whole = await finished();
    const start = whole.switches.journal().length;
    await whole.weir(line, { cwd: whole.cwd });
    const routes = whole.switches
      .journal()
      .slice(start)
      .map(({ route }) => route);
    const files = routes.flatMap((route, at) => (route === 'bundle.file' ? [at] : []));
    expect(files).toHaveLength(3);
    for (const at of [0, ...files]) {
      const world = await finished();
      const first = await weirInterruptedAt(world, line, at, { cwd: world.cwd });
      expect(first, `at ${at}`).toMatchObject({ stdout: '', exitCode: 130 });
      expect(first.stderr).toContain('weir: stopped before the file was written\nhint: repeat the command\n');
      await vi.waitFor(() => expect(readdirSync(world.cwd)).toEqual([]));
      expect(await world.weir(line, { cwd: world.cwd })).toMatchObject({ exitCode: 0 });
    }
  });
});

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeWhole } from '../../config/sources/sources.ts';
import { run, temporaryDirectory } from '../../world.ts';

interface CheckRow {
  readonly profile: string | null;
  readonly check: string;
  readonly status: string;
  readonly message: string;
}

async function validate(text: string | undefined, name = '') {
  const home = temporaryDirectory();
  const path = join(home, '.config/weir/weir.yaml');
  if (text !== undefined) writeWhole(path, text);
  writeWhole(join(home, 'there.pem'), '');
  const { stdout, exitCode } = await run(`profile validate ${name} --format json`, { home });
  const rows = stdout === '' ? [] : (JSON.parse(stdout) as readonly CheckRow[]);
  const faults = rows
    .filter(({ status }) => status !== 'ok')
    .map((row) => `${row.profile} ${row.check} ${row.status}: ${row.message.replaceAll(home, 'HOME')}`);
  return { exitCode, faults };
}

test('a sound file passes every check', async () => {
  const text = 'current_profile: a\nprofiles:\n  - name: a\n    options: {tls.ca: ~/there.pem, user: u, pass: p}\n';
  expect(await validate(text)).toEqual({ exitCode: 0, faults: [] });
});

test('every fault is named, and the exit code is 10', async () => {
  const text = `current_profile: c
profiles:
  - name: a
    options: {tls.cert: /nonexistent.pem, sasl.mechanism: PLAIN, globals.prompt: purple}
  - name: b
    options: {usr: x, admin.hosts: "http://h", admin.tls.enabled: true, user: u}
`;
  const { exitCode, faults } = await validate(text);
  expect(exitCode).toBe(10);
  expect(faults).toEqual([
    'null selection failed: HOME/.config/weir/weir.yaml:1: there is no profile "c"',
    'a tls failed: tls.cert is set without tls.key',
    'a tls failed: tls.cert: unable to read /nonexistent.pem: it does not exist',
    'a sasl warning: sasl.mechanism is set, but user is not',
    'a prompt failed: invalid prompt format at character 1: unknown modifier "purple"',
    'b options failed: unknown option "usr" in HOME/.config/weir/weir.yaml:6 (profile b)',
    'b options failed: admin.hosts (HOME/.config/weir/weir.yaml:6 (profile b)) has an http:// address, but admin.tls.enabled (HOME/.config/weir/weir.yaml:6 (profile b)) is true',
    'b sasl warning: user is set, but pass is not: give it with WEIR_PASS',
  ]);
  expect((await validate(text, 'a')).faults.some((fault) => fault.startsWith('b '))).toBe(false);
});

test('a file that is no YAML, none at all, and a profile that is not there', async () => {
  expect(await validate('a: "b')).toMatchObject({
    exitCode: 10,
    faults: [expect.stringContaining('weir.yaml:1: Missing closing "quote')],
  });
  expect(await validate(undefined)).toMatchObject({
    exitCode: 0,
    faults: [expect.stringContaining('null file warning: there is no file')],
  });
  expect(await validate('profiles: []', 'x')).toEqual({ exitCode: 3, faults: [] });
});

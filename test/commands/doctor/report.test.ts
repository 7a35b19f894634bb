import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { services } from '../../services/services.ts';
import { run, temporaryDirectory } from '../../world.ts';
import { sasl } from './examine.ts';

describe('doctor --report', () => {
  it('writes a report without secrets, which only its owner can read', async () => {
    const { sasl: address, user } = services();
    const cwd = temporaryDirectory();
    const env = {
      WEIR_BROKERS: address,
      ...sasl(user),
      WEIR_CLOUD_CLIENT_ID: 'me',
      WEIR_CLOUD_CLIENT_SECRET: 'canary-secret',
      WEIR_CLOUD_API_URL: 'http://127.0.0.1:1',
      WEIR_CLOUD_AUTH_URL: 'http://127.0.0.1:1',
    };
    const { stderr, exitCode } = await run('doctor --report report.json', { env, cwd });
    expect(exitCode).toBe(10); // no control plane is running
    expect(stderr).toContain('wrote report.json\n');
    const file = join(cwd, 'report.json');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const text = await readFile(file, 'utf8');
    for (const secret of [user.pass, 'canary']) expect(text).not.toContain(secret);
    const report = JSON.parse(text);
    expect(report.config).toContainEqual({
      ...{ key: 'pass', value: '[hidden]', source: 'env', origin: 'WEIR_PASS', overrides: expect.anything() },
    });
    expect(report.checkup.checks.length).toBeGreaterThan(8);
    expect(report.versions).toMatchObject({ os: 'linux', arch: 'x64' });
  });

  it('fails when the report cannot be written', async () => {
    const { stderr, exitCode } = await run('doctor --report /proc/nope/report.json', {
      env: { WEIR_BROKERS: services().plaintext },
    });
    expect({ stderr, exitCode }).toMatchObject({ exitCode: 1 });
    expect(stderr).toContain('unable to write /proc/nope/report.json');
  });
});

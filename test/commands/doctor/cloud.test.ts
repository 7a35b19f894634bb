import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Check } from '../../../src/doctor/check-rows.ts';
import { writeWhole } from '../../config/sources/sources.ts';
import { admin } from '../../sandbox/cloud/plane.ts';
import { run, temporaryDirectory } from '../../world.ts';
import { cloudWorld } from '../cloud/cloud-world.ts';

const world = cloudWorld();

async function examine(more: Readonly<Record<string, string>> = {}) {
  const { stdout, exitCode } = await run('doctor --format json', { home: world.home, env: world.env(more) });
  const checks: readonly Check[] = JSON.parse(stdout).checks;
  return { stdout, exitCode, checks: checks.filter(({ api }) => api === 'cloud') };
}

describe('doctor, for the control plane', () => {
  it('checks the token, and that the control plane accepts it', async () => {
    const { checks, exitCode } = await examine();
    expect(exitCode).toBe(0);
    expect(checks).toMatchObject([
      { target: world.plane.url, step: 'token', status: 'ok', detail: 'a token for cloudv2-sandbox.example' },
      { step: 'authorization', status: 'ok', detail: expect.stringMatching(/^sees \d+ resource groups?$/) },
    ]);
  });

  it('reports a wrong client secret once, without it', async () => {
    const { stdout, checks, exitCode } = await examine({ WEIR_CLOUD_CLIENT_SECRET: 'wrong-canary' });
    expect(exitCode).toBe(10);
    expect(checks).toMatchObject([
      { step: 'token', status: 'failed' },
      { step: 'authorization', status: 'skipped', detail: 'token failed' },
    ]);
    expect(stdout).not.toContain('canary');
  });

  it('reports a token that the control plane refuses', async () => {
    const { checks, exitCode } = await examine({
      WEIR_CLOUD_CLIENT_ID: '',
      WEIR_CLOUD_CLIENT_SECRET: '',
      WEIR_CLOUD_TOKEN: 'not-a-token',
    });
    expect(exitCode).toBe(10);
    expect(checks).toMatchObject([
      { step: 'token', status: 'ok' },
      { step: 'authorization', status: 'failed' },
    ]);
  });

  it('does not retry', async () => {
    const { checks, exitCode } = await examine({
      WEIR_CLOUD_AUTH_URL: 'http://127.0.0.1:1',
      WEIR_CLOUD_API_URL: 'http://127.0.0.1:1',
    });
    expect(exitCode).toBe(10);
    expect(checks[0]).toMatchObject({ step: 'token', status: 'failed', error_code: 'CONNECTION_REFUSED' });
  });

  it('is not checked with a login of another profile, unless it is named', async () => {
    const home = temporaryDirectory();
    const profile = (name: string, ...options: readonly string[]) =>
      `  - name: ${name}\n    options:\n${options.map((line) => `      ${line}\n`).join('')}`;
    const urls = ['api_url', 'auth_url', 'legacy_url'].map((name) => `cloud.${name}: ${world.plane.url}`);
    const ofCloud = [...urls, 'cloud.audience: cloudv2-sandbox.example', `cloud.client_id: ${admin.clientId}`];
    const dev = profile('dev', 'registry.hosts: ["127.0.0.1:1"]', 'globals.retry_timeout: 0s');
    writeWhole(
      join(home, '.config/weir/weir.yaml'),
      `version: 1\ncurrent_profile: dev\nprofiles:\n${dev}${profile('sandbox', ...ofCloud)}`,
    );
    const login = 'cloud login --client-secret-stdin --profile sandbox';
    expect(await run(login, { home, stdin: admin.clientSecret })).toMatchObject({ exitCode: 0 });
    const doctor = async (line: string) => {
      const { stdout, exitCode } = await run(`doctor ${line} --format json`, { home });
      const checks: readonly Check[] = JSON.parse(stdout).checks;
      return { exitCode, cloud: checks.filter(({ api }) => api === 'cloud'), checks };
    };
    expect((await doctor('')).cloud).toMatchObject([
      { step: 'config', status: 'skipped', detail: 'no cloud option is set; to check it anyway: weir doctor cloud' },
    ]);
    expect((await doctor('--profile sandbox')).cloud[0]).toMatchObject({ step: 'token', status: 'ok' });
    const named = await doctor('cloud');
    expect([named.exitCode, named.checks.length, named.cloud[0]?.error_code]).toEqual([10, 2, 'LOGIN_ELSEWHERE']);
  });

  it('fails without a login if it is named', async () => {
    const none = { WEIR_CLOUD_CLIENT_ID: '', WEIR_CLOUD_CLIENT_SECRET: '' };
    const { stdout, exitCode } = await run('doctor cloud --format json', { home: world.home, env: world.env(none) });
    expect([exitCode, JSON.parse(stdout).checks[0].error_code]).toEqual([10, 'NOT_LOGGED_IN']);
  });

  it('is skipped without credentials or a login', async () => {
    const { checks } = await examine({ WEIR_CLOUD_CLIENT_ID: '', WEIR_CLOUD_CLIENT_SECRET: '' });
    expect(checks).toMatchObject([{ step: 'token', status: 'skipped', detail: 'not logged in' }]);
  });
});

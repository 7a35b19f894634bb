import { describe, expect, it } from 'vitest';
import type { Check } from '../../../src/doctor/check-rows.ts';
import { run } from '../../world.ts';
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

  it('is skipped without credentials or a login', async () => {
    const { checks } = await examine({ WEIR_CLOUD_CLIENT_ID: '', WEIR_CLOUD_CLIENT_SECRET: '' });
    expect(checks).toMatchObject([{ step: 'token', status: 'skipped', detail: 'not logged in' }]);
  });
});

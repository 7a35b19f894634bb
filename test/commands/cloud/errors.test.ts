import { describe, expect, test } from 'vitest';
import { reader } from '../../sandbox/cloud/plane.ts';
import { run } from '../../world.ts';
import { cloudWorld } from './cloud-world.ts';

const world = cloudWorld();

describe('what the control plane answers, as exit code and message', () => {
  test.each([
    [400, 'INVALID_ARGUMENT', 1],
    [400, 'OUT_OF_RANGE', 1],
    [400, 'FAILED_PRECONDITION', 6],
    [401, 'UNAUTHENTICATED', 4],
    [403, 'PERMISSION_DENIED', 4],
    [404, 'NOT_FOUND', 3],
    [409, 'ALREADY_EXISTS', 6],
    [409, 'ABORTED', 6],
    [429, 'RESOURCE_EXHAUSTED', 5],
    [499, 'CANCELLED', 1],
    [500, 'INTERNAL', 5],
    [501, 'UNIMPLEMENTED', 5],
    [503, 'UNAVAILABLE', 5],
    [504, 'DEADLINE_EXCEEDED', 5],
  ] as const)('%d %s is exit %d, with its code as name and as number', async (status, code, exitCode) => {
    for (const errorCodes of ['name', 'number'] as const) {
      await world.plane.settings({ errorCodes });
      const message = 'words of the server';
      await world.plane.fault(
        'operations.get',
        { kind: 'status', status, code, message, reason: 'REASON_X' },
        { times: null },
      );
      const outcome = await world.cloud('operation get abc -X globals.retry_timeout=0s');
      expect(outcome.exitCode).toBe(exitCode);
      expect(outcome.stdout).toBe('');
      expect(outcome.stderr).toContain(
        `weir: unable to read the operation abc: words of the server (GET ${world.plane.url}/v1/operations/abc: ${status} ${code}, REASON_X)`,
      );
      const machine = await world.cloud('operation get abc -X globals.retry_timeout=0s --format json');
      expect(machine.exitCode).toBe(exitCode);
      expect(JSON.parse(machine.stderr).error).toMatchObject({ code });
    }
  });

  test('field violations and links are hints', async () => {
    const body = {
      code: 'INVALID_ARGUMENT',
      message: 'bad',
      details: [
        {
          '@type': 'google.rpc.BadRequest',
          field_violations: [{ field: 'network.name', description: 'is too long', reason: '' }],
        },
        {
          '@type': 'type.googleapis.com/google.rpc.Help',
          links: [{ description: 'read', url: 'https://docs.example' }],
        },
      ],
    };
    await world.plane.fault('networks.list', { kind: 'status', status: 400, body });
    const outcome = await world.cloud('network list');
    expect(outcome.stderr).toContain('hint: field network.name: is too long\nhint: read: https://docs.example\n');
  });

  test("the server's own message is not repeated", async () => {
    const { stderr } = await world.cloud('resource-group create x');
    expect(stderr.match(/resource_group\.name/g)).toHaveLength(1);
  });

  test('an answer that is not JSON is shown with its status and first words', async () => {
    await world.plane.fault('networks.list', { kind: 'garbage' }, { times: null });
    const outcome = await world.cloud('network list -X globals.retry_timeout=0s');
    expect(outcome).toMatchObject({ exitCode: 5, stderr: expect.stringContaining('is not a JSON object') });
  });

  test('GETs are retried until they succeed', async () => {
    await world.plane.fault('networks.list', { kind: 'status', status: 503 }, { times: 2 });
    expect(await world.json('network list')).toEqual([]);
  });

  test('an unreachable server exits with 5 and names the step and the option', async () => {
    const env = { WEIR_CLOUD_API_URL: 'http://127.0.0.1:1', WEIR_CLOUD_TOKEN: 'x' };
    const outcome = await world.cloud('network list', { env });
    expect(outcome.exitCode).toBe(5);
    // Without retries: the message ends there.
    expect(outcome.stderr).toMatch(
      /^weir: unable to connect to the control plane at 127.0.0.1:1: TCP: connection refused$/m,
    );
    expect(outcome.stderr).toContain('-X cloud.api_url=URL');
  });

  test.each(['', ' ', '.', '..'])('the id %j is refused, because it would change the path', async (id) => {
    expect(await world.cloud(['cluster', 'get', id])).toMatchObject({ exitCode: 2 });
    expect(await world.cloud(['network', 'delete', id])).toMatchObject({ exitCode: 2 });
    expect(await world.plane.journal()).toEqual([]);
  });

  test('an id with a slash stays one part of the path', async () => {
    const outcome = await world.cloud(['operation', 'get', 'a/../b?c']);
    expect(outcome).toMatchObject({ exitCode: 3, stderr: expect.stringContaining('/v1/operations/a%2F..%2Fb%3Fc') });
  });

  test('an insufficient role exits with 4', async () => {
    const env = { WEIR_CLOUD_CLIENT_ID: reader.clientId, WEIR_CLOUD_CLIENT_SECRET: reader.clientSecret };
    const outcome = await world.cloud('resource-group create dev', { env });
    expect(outcome).toMatchObject({ exitCode: 4, stderr: expect.stringContaining('403 PERMISSION_DENIED') });
  });

  test('without a login the exit code is 4, with the ways to log in', async () => {
    const { WEIR_CLOUD_CLIENT_ID: _, WEIR_CLOUD_CLIENT_SECRET: __, ...env } = world.env();
    const outcome = await run('cloud network list', { env, home: world.home });
    expect(outcome.exitCode).toBe(4);
    expect(outcome.stderr).toContain('not logged in');
    expect(outcome.stderr).toContain('hint: log in with: weir cloud login');
    expect(outcome.stderr).toContain('WEIR_CLOUD_TOKEN');
  });

  test('half of the credentials exits with 2 and names the other half', async () => {
    const outcome = await world.cloud('network list', { env: { WEIR_CLOUD_CLIENT_SECRET: '' } });
    expect(outcome).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('cloud.client_secret is not') });
  });

  test('the deprecated flags for credentials work, with a warning, and override the environment', async () => {
    const env = { WEIR_CLOUD_CLIENT_ID: 'nobody', WEIR_CLOUD_CLIENT_SECRET: 'nothing' };
    const outcome = await world.cloud('network list --client-id ci-admin --client-secret admin-secret', { env });
    expect(outcome.exitCode).toBe(0);
    expect(outcome.stderr).toContain('--client-id is deprecated: use -X cloud.client_id=VALUE');
  });

  test('traces, errors and details contain no token or secret', async () => {
    const outcome = await world.cloud('network list --trace - -vv');
    expect(outcome.stderr).toContain('"/v1/networks'.slice(1));
    const token = await world.cloud('auth token');
    expect(token.stdout).toMatch(/^eyJ/);
    for (const secret of ['admin-secret', 'Bearer', token.stdout.trim()]) expect(outcome.stderr).not.toContain(secret);
  });
});

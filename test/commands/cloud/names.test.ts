import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { type Answer, startScriptedPlane } from '../../cloud/scripted-plane.ts';
import { run, temporaryDirectory, type World } from '../../world.ts';

const groups = '/v1/resource-groups';

function envOf(url: string): Record<string, string> {
  return {
    WEIR_CLOUD_API_URL: url,
    WEIR_CLOUD_AUTH_URL: url,
    WEIR_CLOUD_AUDIENCE: 'cloudv2-sandbox.example',
    WEIR_CLOUD_CLIENT_ID: 'me',
    WEIR_CLOUD_CLIENT_SECRET: 'secret',
  };
}

/** Runs a command against a control plane whose list of resource groups is `lists[0]` at first, then `lists[1]`, … */
async function withGroups(line: string, lists: readonly (readonly string[])[], world: World = {}) {
  await using plane = await startScriptedPlane(({ method, path, before }): Answer | undefined => {
    if (!path.startsWith(groups)) return undefined;
    if (method === 'DELETE') return [200, {}];
    const id = path.slice(groups.length + 1);
    // The service checks the form of ids: a name is none.
    if (id === 'dev') return [400, { code: 'INVALID_ARGUMENT', message: 'id must be a UUID' }];
    if (path !== groups) return [200, { resource_group: { id, name: 'dev' } }];
    const ids = lists[Math.min(before, lists.length - 1)] ?? [];
    return [200, { resource_groups: ids.map((id) => ({ id, name: 'dev' })) }];
  });
  const outcome = await run(line, { ...world, env: envOf(plane.url) });
  return { ...outcome, deleted: plane.calls.filter(({ method }) => method === 'DELETE').map(({ path }) => path) };
}

test('service accounts are listed by name', async () => {
  await using plane = await startScriptedPlane(({ path }): Answer | undefined =>
    path.startsWith('/v1/service-accounts')
      ? [200, { service_accounts: ['b', 'c', 'a'].map((name) => ({ id: `id-${name}`, name })) }]
      : undefined,
  );
  const { stdout } = await run('cloud service-account list --format json', { env: envOf(plane.url) });
  expect(JSON.parse(stdout).map(({ name }: { name: string }) => name)).toEqual(['a', 'b', 'c']);
});

test('a name that two resources have is refused with their ids, and nothing is deleted', async () => {
  const outcome = await withGroups('cloud resource-group delete dev --yes', [['g1', 'g2']]);
  expect(outcome).toMatchObject({ exitCode: 6, stdout: '', deleted: [] });
  expect(outcome.stderr).toBe(
    'weir: ambiguous name "dev": 2 resource groups have it\nhint: use an id instead: g1, g2\n',
  );
  const { stderr } = await withGroups('cloud resource-group delete dev --yes --format json', [['g1', 'g2']]);
  expect(JSON.parse(stderr).error).toMatchObject({ code: 'AMBIGUOUS_NAME', target: 'dev' });
});

test('what the question names is deleted, although another resource has the name by the time it is answered', async () => {
  const stdin = new PassThrough();
  const outcome = await withGroups('cloud resource-group delete dev', [['g1'], ['g2']], {
    stdin,
    terminal: { stdin: true, stdout: true, stderr: true },
    onStderr: (text) => text.includes('[y/N]') && stdin.write('y\n'),
  });
  expect(outcome.stderr).toContain('Delete the resource group "dev" (g1)');
  expect(outcome).toMatchObject({ exitCode: 0, deleted: [`${groups}/g1`] });
});

test('on a protected profile the name is typed, not the id', async () => {
  const home = temporaryDirectory();
  await run('profile create live --protected', { home });
  await run('profile use live', { home });
  for (const [typed, exitCode, deleted] of [
    ['dev', 0, [`${groups}/g1`]],
    ['g1', 1, []],
  ] as const) {
    const terminal = { stdin: true, stdout: true, stderr: true };
    const outcome = await withGroups('cloud resource-group delete dev', [['g1']], {
      home,
      stdin: `${typed}\n`,
      terminal,
    });
    expect(outcome, outcome.stderr).toMatchObject({ exitCode, deleted });
  }
});

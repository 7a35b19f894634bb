import { expect, test } from 'vitest';
import { adminOf, startNode } from './admin-of.ts';

const service = 'POST /redpanda.core.admin.v2.SecurityService';

test('the owner of a token is the one that the cluster resolves, with the groups in it', async () => {
  const node = await startNode(({ line }) =>
    line.endsWith('ListCurrentUserRoles')
      ? [200, { roles: ['writers', 'readers'] }]
      : [200, { principal: 'ana', expire: '2030-01-01T01:00:00.000000000Z', groups: ['/staff'] }],
  );
  const { admin } = adminOf([node.url], { credentials: { token: 'secret', option: 'admin.token' } });
  expect(await admin.currentUser()).toEqual({
    user: 'ana',
    roles: ['readers', 'writers'],
    groups: ['/staff'],
    token_expires_at: '2030-01-01T01:00:00.000Z',
  });
  expect(node.lines()).toEqual([`${service}/ListCurrentUserRoles`, `${service}/ResolveOidcIdentity`]);
});

test('a refusal in the form of ConnectRPC keeps its code and its exit code', async () => {
  const node = await startNode(() => [
    400,
    { code: 'failed_precondition', message: 'SASL mechanism is not OIDC', details: [] },
  ]);
  await expect(adminOf([node.url]).admin.currentUser()).rejects.toMatchObject({
    message: expect.stringContaining('unable to read who the user is: SASL mechanism is not OIDC'),
    code: 'FAILED_PRECONDITION',
    exitCode: 6,
  });
});

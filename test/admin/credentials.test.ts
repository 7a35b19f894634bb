import { expect, test } from 'vitest';
import { startSimulator } from '../sandbox/admin/simulator.ts';
import { adminOf } from './admin-of.ts';

const seeds = {
  users: [
    { name: 'root', password: 'root-secret' },
    { name: 'ana', password: 'ana-secret' },
  ],
  config: { admin_api_require_auth: true, superusers: ['root'] },
};

test.each([
  ['nobody', undefined, [0, 4, 4]],
  ['a user', { user: 'ana', pass: 'ana-secret' }, [0, 0, 4]],
  ['a superuser', { user: 'root', pass: 'root-secret' }, [0, 0, 0]],
  ['a wrong password', { user: 'root', pass: 'wrong' }, [4, 4, 4]],
])('%s may do what the cluster allows', async (_, credentials, exitCodes) => {
  const { api, switches } = await startSimulator({ seeds });
  const { admin } = adminOf(api.addresses, { credentials });
  const codeOf = (work: Promise<unknown>) =>
    work.then(
      () => 0,
      (error) => error.exitCode,
    );
  const codes = [
    await codeOf(admin.health()),
    await codeOf(admin.brokers()),
    await codeOf(admin.setMaintenance(1, true)),
  ];
  expect(codes).toEqual(exitCodes);
  const schemes = new Set(switches.journal().map((one) => one.credentials));
  expect([...schemes]).toEqual([credentials === undefined ? 'none' : 'basic']);
});

test('a password that would go unencrypted to another machine is warned of, and nothing else', () => {
  const credentials = { user: 'ana', pass: 'pw' };
  const warningsOf = (host: string, given?: typeof credentials) => adminOf([host], { credentials: given }).warnings;
  expect(warningsOf('admin.example')).toEqual([]);
  expect(warningsOf('https://admin.example', credentials)).toEqual([]);
  expect(warningsOf('localhost', credentials)).toEqual([]);
  expect(warningsOf('admin.example', credentials)).toEqual([
    'the password (option pass) is sent unencrypted to admin.example:9644 (option admin.hosts): use https:// if the server offers it',
  ]);
  const token = { token: 't', option: 'admin.token' };
  expect(adminOf(['admin.example'], { credentials: token }).warnings).toEqual([
    'the token (option admin.token) is sent unencrypted to admin.example:9644 (option admin.hosts): use https:// if the server offers it',
  ]);
});

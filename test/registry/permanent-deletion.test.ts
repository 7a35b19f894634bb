import { expect, test } from 'vitest';
import { failed } from '../net/http-peers.ts';
import { refusal, registryOf, startScriptedRegistry } from './scripted-registry.ts';

const forbidden = refusal(403, 'no permission to delete for good');

test('a permanent deletion that fails after the soft deletion says what was done', async () => {
  await using server = await startScriptedRegistry(({ path }) =>
    path.includes('permanent') ? forbidden : [200, path.includes('versions') ? 1 : [1]],
  );
  using client = registryOf([server.url]);
  const [row] = await client.registry.deleteSubjects(['s'], true);
  expect(row).toMatchObject({ subject: 's', versions: [], error: { code: 'PERMISSION_DENIED', number: 403 } });
  expect(row?.error?.message).toMatch(/no permission to delete for good \(.*\); it is soft-deleted now$/);
  const { error } = await failed(client.registry.deleteVersion('s', 1, true));
  expect(error).toMatchObject({ exitCode: 4, code: 'PERMISSION_DENIED', hints: [expect.any(String)] });
  expect(error.message).toMatch(/; it is soft-deleted now$/);
});

test('a permanent deletion of something that was soft-deleted before does not claim to have done that', async () => {
  await using server = await startScriptedRegistry(({ path }) =>
    path.includes('permanent') ? forbidden : refusal(40404, 'Subject s was soft deleted'),
  );
  using client = registryOf([server.url]);
  const [row] = await client.registry.deleteSubjects(['s'], true);
  expect(row?.error?.message).toMatch(/no permission to delete for good \(.*\)$/);
});

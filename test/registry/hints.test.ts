import { expect, test } from 'vitest';
import { failed } from '../net/http-peers.ts';
import { refusal, registryOf, startScriptedRegistry } from './scripted-registry.ts';

test('another service, which closes the connection, is asked three times, and the hint is about the address', async () => {
  await using server = await startScriptedRegistry(({ socket }) => void socket.destroy());
  using client = registryOf([server.url], {}, { retry: 30_000 });
  const { error } = await failed(client.registry.schemaById(5));
  expect(error).toMatchObject({ exitCode: 5, code: 'CONNECTION_LOST' });
  expect(server.calls).toHaveLength(3);
  expect(error.hints[0]).toBe('check that registry.hosts is the address of a schema registry, not of a broker');
});

test('an error for a schema that is no JSON says where it is not', async () => {
  await using server = await startScriptedRegistry(() => refusal(42201, 'Invalid schema'));
  using client = registryOf([server.url]);
  const register = (text: string) =>
    failed(
      client.registry.register(
        's',
        { type: 'AVRO', text, references: [] },
        { normalize: false, id: undefined, version: undefined, metadata: undefined },
      ),
    );
  const { error } = await register('{"type":"record"');
  expect(error.hints).toEqual([expect.stringMatching(/^write the schema in JSON: Expected .* position 16/)]);
  expect((await register('{"type":"recor"}')).error.hints).toEqual([]);
});

test('a token that a registry does not take is not taken for wrong', async () => {
  await using server = await startScriptedRegistry(() => refusal(400, 'Unsupported Authorization method'));
  using client = registryOf([server.url], { credentials: { token: 'secret', option: 'oauth.token' } });
  const { error } = await failed(client.registry.schemaById(5));
  expect(error.hints).toEqual([
    'add OIDC to the cluster property http_authentication, or sign in there with registry.user and registry.pass',
  ]);
});

import { expect, test } from 'vitest';
import { withoutText } from '../../src/admin/client/answer-error.ts';
import { failed } from '../net/http-peers.ts';
import { adminOf, refusal, startNode } from './admin-of.ts';

const license = 'eyJvcmciOiJhY21lIn0=.c2lnbmF0dXJlLWJ5LXRoZS12ZW5kb3I=';

test.each([
  ['license', undefined, 'loaded'],
  ['license', { loaded: 'yes' }, 'loaded'],
  ['license', { loaded: true }, 'license'],
  ['license', { loaded: true, license: { org: 'o', expires: 1 } }, 'type'],
  ['license', { loaded: true, license: { org: 'o', type: 't', expires: '1' } }, 'expires'],
  ['enterpriseUse', [], 'features'],
  ['enterpriseUse', { features: [] }, 'license_status'],
  ['enterpriseUse', { features: [], license_status: 'valid' }, 'violation'],
  ['enterpriseUse', { features: [{ enabled: true }], license_status: 'valid', violation: false }, 'name'],
] as const)('%s %j of another form than documented is said so', async (name, body, missing) => {
  const node = await startNode(() => [200, body]);
  const { error } = await failed(adminOf([node.url]).admin[name]());
  expect(error).toMatchObject({ exitCode: 5, code: 'BAD_ANSWER' });
  expect(error.message.endsWith(` has no valid ${missing}`)).toBe(true);
});

test('what is optional may be missing, and features that are not used are left out', async () => {
  const node = await startNode(({ line }) => {
    if (line.endsWith('license')) return [200, { loaded: true, license: { org: 'o', type: 't', expires: 1 } }];
    const features = [{ name: 'b', enabled: true }, { name: 'c' }, { name: 'a', enabled: true }];
    return [200, { license_status: 'valid', violation: false, features }];
  });
  const { admin } = adminOf([node.url]);
  expect(await admin.license()).toEqual({ organization: 'o', type: 't', expires: 1, checksum: null, products: null });
  expect((await admin.enterpriseUse())?.features).toEqual(['a', 'b']);
});

test('the license is sent as it is, as text, and again after an answer is lost', async () => {
  const node = await startNode(({ before, socket }) => (before === 0 ? void socket.destroy() : [200]));
  await adminOf([node.url]).admin.setLicense(license);
  expect(node.calls.map(({ line, body, headers }) => [line, body, headers['content-type']])).toEqual(
    Array.from({ length: 2 }, () => ['PUT /v1/features/license', license, 'text/plain']),
  );
});

test('no error has the license, or a cause that has it', async () => {
  const node = await startNode(() => refusal(400, `malformed: ${license}`));
  const { error } = await failed(adminOf([node.url]).admin.setLicense(license));
  expect(error.message).toContain('unable to load the license: malformed: … (PUT ');
  for (let one: unknown = error; one instanceof Error; one = one.cause) expect(one.message).not.toContain(license);
});

test.each([
  [`bad "${license}"`, 'bad "…"'],
  [`bad ${license.slice(3, 30)}... at 3`, 'bad … at 3'],
  ['license.c2lu is short', 'license.c2lu is short'],
  ['http://127.0.0.1:9644/v1/features/license', 'http://127.0.0.1:9644/v1/features/license'],
])('%s is shown as %s', (text, expected) => {
  const answer = { status: 400, headers: {}, body: Buffer.from(text) };
  expect(withoutText(answer, license).body.toString()).toBe(expected);
});

import type { KeyPair } from '../../src/sandbox/admin/listen.ts';
import { issue, makeAuthority } from '../../src/sandbox/certificates.ts';

let made: Promise<KeyPair> | undefined;

/** The certificate of a node, from an authority that nobody trusts; made once in a file of tests, as its keys take long. */
export function unknownCertificate(): Promise<KeyPair> {
  made ??= make();
  return made;
}

async function make(): Promise<KeyPair> {
  const now = Date.now();
  const hosts = ['127.0.0.1', '127.0.0.2', '127.0.0.3', '127.0.0.4'];
  return await issue(await makeAuthority('weir test', now), { name: 'node', use: 'server', hosts }, now);
}

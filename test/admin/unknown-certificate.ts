import { type Certificate, issue, makeAuthority } from '../../src/sandbox/certificates.ts';

let made: Promise<Certificate> | undefined;

/** The certificate of a node, from an authority that nobody trusts; made once in a file of tests, as its keys take long. */
export function unknownCertificate(): Promise<Certificate> {
  made ??= make();
  return made;
}

async function make(): Promise<Certificate> {
  const now = Date.now();
  const hosts = ['127.0.0.1', '127.0.0.2', '127.0.0.3', '127.0.0.4'];
  return await issue(await makeAuthority('weir test', now), { name: 'node', use: 'server', hosts }, now);
}

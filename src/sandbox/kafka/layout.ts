import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { issue, keystore, localHosts, makeAuthority } from '../certificates.ts';
import type { Layout } from './engine.ts';
import { innerListeners, type Listener, type Node } from './properties.ts';
import type { BrokerState, KafkaState, Security } from './state.ts';

/** The address that clients on this machine use; numeric, to avoid a name lookup. */
export const localAddress = '127.0.0.1';

/** The paths of the certificates and keys, below the part's directory. */
export function certificatePaths(directory: string): Readonly<Record<'ca' | 'server' | 'cert' | 'key', string>> {
  const at = (name: string): string => join(directory, 'certificates', name);
  return { ca: at('ca.crt'), server: at('server.pem'), cert: at('client.crt'), key: at('client.key') };
}

/** Creates a CA, the brokers' certificate and, for mTLS, a client certificate. */
export async function makeCertificates(directory: string, security: Security): Promise<void> {
  if (!security.tls) return;
  const now = Date.now();
  const authority = await makeAuthority('weir sandbox', now);
  const server = await issue(authority, { name: 'localhost', use: 'server', hosts: localHosts }, now);
  const paths = certificatePaths(directory);
  await mkdir(join(directory, 'certificates'), { recursive: true, mode: 0o700 });
  await writeFile(paths.ca, authority.cert);
  await writeFile(paths.server, keystore(server), { mode: 0o600 });
  if (!security.mtls) return;
  const client = await issue(authority, { name: 'weir', use: 'client' }, now);
  await writeFile(paths.cert, client.cert);
  await writeFile(paths.key, client.key, { mode: 0o600 });
}

/** Builds the node of a broker: its listeners and the location of its files. */
export function nodeOf(directory: string, state: KafkaState, broker: BrokerState, layout: Layout): Node {
  const place = `broker-${broker.id}`;
  return {
    id: broker.id,
    directory: join(directory, place),
    seenAs: `${layout.directory}/${place}`,
    listeners: [clientListener(state, broker, layout)],
    internal: innerListener(innerListeners.internal, broker.internalPort, layout),
    controller: innerListener(innerListeners.controller, broker.controllerPort, layout),
  };
}

function clientListener({ security, user }: KafkaState, broker: BrokerState, layout: Layout): Listener {
  const { ca, server } = certificatePaths(layout.directory);
  return {
    name: 'CLIENT',
    bind: { host: layout.bindHost, port: broker.port },
    advertised: { host: localAddress, port: broker.port },
    ...(security.tls ? { tls: { keystore: server, ...(security.mtls ? { trusted: ca } : {}) } } : {}),
    ...(security.sasl && user ? { sasl: { mechanisms: [security.sasl], users: [user] } } : {}),
  };
}

function innerListener(name: string, port: number, layout: Layout): Listener {
  return { name, bind: { host: layout.bindHost, port }, advertised: { host: layout.innerHost, port } };
}

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inject } from 'vitest';
import { lockBeside } from '../../src/files/lock.ts';
import type { ProcessId } from '../../src/files/process-id.ts';
import type { Property } from '../../src/sandbox/kafka/properties.ts';
import { withLock } from '../../src/sandbox/lock.ts';
import { startThree } from './brokers.ts';

/** The paths of a certificate and its key in PEM. */
export interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

/** A user of every SASL listener, with PLAIN and both SCRAM mechanisms. */
export interface TestUser {
  readonly user: string;
  readonly pass: string;
}

/** The real services of this test run. Addresses are `host:port`, files are absolute paths. */
export interface Services {
  /** No TLS, no SASL. */
  readonly plaintext: string;
  /** The same broker at [::1]; undefined on a machine without IPv6. */
  readonly ipv6: string | undefined;
  readonly tls: string;
  /** Requires a client certificate. */
  readonly mtls: string;
  /** SASL without TLS, with PLAIN, SCRAM-SHA-256 and SCRAM-SHA-512 on one listener. */
  readonly sasl: string;
  /** The same mechanisms over TLS. */
  readonly saslTls: string;
  /** SASL without TLS that only accepts PLAIN. */
  readonly saslPlainOnly: string;
  /** TLS with an expired certificate. */
  readonly tlsExpired: string;
  /** TLS with a certificate for other.example. */
  readonly tlsOtherHost: string;
  /** A listener that answers but announces an address without a listener. */
  readonly badlyAdvertised: string;
  readonly badlyAdvertisedAs: string;
  /** SASL without TLS that accepts tokens of `issuer` only. */
  readonly oauth: string;
  /** SASL without TLS with all mechanisms, and sessions of three seconds. */
  readonly brief: string;
  /** The issuer of the tokens for `oauth` and `brief`. No one answers there until a test starts a provider. */
  readonly issuer: string;
  /** TLS and SASL, advertised under a name that only proxies know; the certificate is for localhost. */
  readonly proxied: string;
  readonly proxiedAs: string;
  readonly certificates: {
    readonly ca: string;
    readonly wrongCa: string;
    readonly client: KeyPair;
    /** Signed by `wrongCa`. */
    readonly wrongClient: KeyPair;
  };
  /** A superuser, like every client of the listeners without SASL. */
  readonly user: TestUser;
  /** Another user, who is subject to ACLs. */
  readonly otherUser: TestUser;
  readonly kafkaVersion: string;
  /** The process of the broker, and its log. */
  readonly broker: { readonly process: ProcessId; readonly log: string };
  /** The directory of the services, which is removed at the end of the run. */
  readonly directory: string;
  /** The Java runtime and the jars of Kafka. */
  readonly runtime: { readonly java: string; readonly libraries: string };
}

declare module 'vitest' {
  interface ProvidedContext {
    services: Services | undefined;
  }
}

/** Returns the running services. A test file must import this module itself, because the import starts them. */
export function services(): Services {
  const provided = inject('services');
  if (provided !== undefined) return provided;
  throw new Error('no services are running: the test file itself must import services/services.ts');
}

/** A cluster of three brokers, in the order of their ids 1, 2, 3. */
export interface Cluster3 {
  /** The addresses `a,b,c`, as in the option `brokers`. */
  readonly brokers: string;
  /** The addresses of the listeners with SASL PLAIN; empty without users. */
  readonly sasl: string;
  readonly nodes: readonly {
    readonly id: number;
    readonly address: string;
    readonly process: ProcessId;
    readonly log: string;
  }[];
}

/** Each broker has a rack, from which clients may read; logs are compacted soon, and topics created if a client asks for it. */
function racked(id: number): readonly Property[] {
  return [
    ['broker.rack', `rack-${id}`],
    ['replica.selector.class', 'org.apache.kafka.common.replica.RackAwareReplicaSelector'],
    ['auto.create.topics.enable', 'true'],
    ['log.cleaner.backoff.ms', 500],
  ];
}

/**
 * Returns the shared cluster of three brokers, which the first call starts (about ten seconds; call it in `beforeAll`).
 * Tests that stop a broker must start their own cluster with `startThree` instead.
 */
export async function cluster3(): Promise<Cluster3> {
  const { directory, runtime } = services();
  const shared = join(directory, 'cluster3');
  return withLock(shared, { signal: AbortSignal.timeout(170_000) }, async () => {
    const known = await readFile(join(shared, 'cluster.json'), 'utf8').catch(() => undefined);
    return known === undefined ? startThree(shared, runtime, racked) : (JSON.parse(known) as Cluster3);
  });
}

/**
 * Waits until no other test file has what the shared Kafka has once, such as all its quotas, which a test replaces.
 * Close the result at the end.
 */
export function alone(what: string): Promise<AsyncDisposable> {
  return lockBeside(join(services().directory, `alone-${what}`), {
    signal: AbortSignal.timeout(200_000),
    patienceMs: Number.POSITIVE_INFINITY,
  });
}

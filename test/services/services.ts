import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inject } from 'vitest';
import type { ProcessId } from '../../src/files/process-id.ts';
import { withLock } from '../../src/sandbox/lock.ts';
import { startThree } from './brokers.ts';

/** A certificate and its key: paths of PEM files. */
export interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

/** A user that every SASL listener knows, by PLAIN and both SCRAMs. */
export interface TestUser {
  readonly user: string;
  readonly pass: string;
}

/** The real services of this run. Addresses are `host:port`, files are absolute paths. */
export interface Services {
  /** No TLS, no SASL. */
  readonly plaintext: string;
  /** The same broker at [::1]; undefined on a machine without IPv6. */
  readonly ipv6: string | undefined;
  readonly tls: string;
  /** Demands a client certificate. */
  readonly mtls: string;
  /** SASL without TLS: PLAIN, SCRAM-SHA-256 and SCRAM-SHA-512 on one listener. */
  readonly sasl: string;
  /** The same over TLS. */
  readonly saslTls: string;
  /** Only PLAIN, without TLS: another mechanism is refused. */
  readonly saslPlainOnly: string;
  /** TLS with a certificate that ran out. */
  readonly tlsExpired: string;
  /** TLS with a certificate for other.example. */
  readonly tlsOtherHost: string;
  /** Answers, but tells clients an address where nobody listens. */
  readonly badlyAdvertised: string;
  readonly badlyAdvertisedAs: string;
  readonly certificates: {
    readonly ca: string;
    readonly wrongCa: string;
    readonly client: KeyPair;
    /** Signed by `wrongCa`. */
    readonly wrongClient: KeyPair;
  };
  /** A superuser, as everyone on the listeners without SASL. */
  readonly user: TestUser;
  /** Another user, bound by ACLs where there are any. */
  readonly otherUser: TestUser;
  readonly kafkaVersion: string;
  /** The process of the broker, and its log. */
  readonly broker: { readonly process: ProcessId; readonly log: string };
  /** Where all this lies; removed at the end of the run. */
  readonly directory: string;
  /** What Kafka is started with. */
  readonly runtime: { readonly java: string; readonly libraries: string };
}

declare module 'vitest' {
  interface ProvidedContext {
    services: Services | undefined;
  }
}

/** The services of this run, up and answering. Import this from the test file itself: that is what starts them. */
export function services(): Services {
  const provided = inject('services');
  if (provided !== undefined) return provided;
  throw new Error('no services were started: the test file itself must import services/services.ts');
}

/** A cluster of three brokers, in the order of their ids 1, 2, 3. */
export interface Cluster3 {
  /** `a,b,c` as `brokers` takes it. */
  readonly brokers: string;
  readonly nodes: readonly {
    readonly id: number;
    readonly address: string;
    readonly process: ProcessId;
    readonly log: string;
  }[];
}

/**
 * The shared cluster of three brokers, started when the first test asks (about ten seconds; ask in `beforeAll`).
 * Who stops one of its brokers starts a cluster of its own with `startThree` instead.
 */
export async function cluster3(): Promise<Cluster3> {
  const { directory, runtime } = services();
  const shared = join(directory, 'cluster3');
  return withLock(shared, { signal: AbortSignal.timeout(170_000) }, async () => {
    const known = await readFile(join(shared, 'cluster.json'), 'utf8').catch(() => undefined);
    return known === undefined ? startThree(shared, runtime) : (JSON.parse(known) as Cluster3);
  });
}

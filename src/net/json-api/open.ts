import type { Deadline } from '../../deadline.ts';
import { type Address, hostInUrl, isLocal } from '../address.ts';
import { baseUrl, createHosts, type FirstContact, type Hosts } from '../hosts.ts';
import { type Http, type HttpOptions, type HttpTrace, openHttp } from '../http.ts';
import { type ProxySettings, withoutProxyFor } from '../proxies.ts';
import { type RetryWorld, startCourse } from '../retry.ts';
import type { TlsOptions } from '../tls.ts';
import type { JsonApiParts } from './client.ts';
import type { Credentials } from './credentials.ts';

/** The options of the client of an API of the cluster, which may have several addresses. */
export interface ApiOptions {
  /** Tried in this order when a connection fails. */
  readonly addresses: readonly Address[];
  /** Whether addresses without a scheme use TLS. */
  readonly usesTls: boolean;
  readonly tls: TlsOptions;
  readonly credentials: Credentials | undefined;
  /** Default: stop. */
  readonly firstContact?: FirstContact;
  readonly proxy: ProxySettings;
  readonly userAgent: string;
  readonly deadline: Deadline;
  warn(line: string): void;
  /** Called once per request, for `--trace`. */
  readonly trace?: (event: HttpTrace) => void;
  /** Called when a request begins to be sent that changes something. */
  readonly onChange?: () => void;
}

/** What requests to such an API need. */
interface OpenParts extends JsonApiParts {
  readonly http: Http;
  /** The configured addresses. */
  readonly hosts: Hosts;
  /** One of them, or another address of the API, with the same limits. */
  hostsAt(address: Address): Hosts;
}

/** Opens what requests need, without connecting. */
export function openParts(
  options: ApiOptions,
  api: Pick<HttpOptions, 'api' | 'server' | 'addressHint'>,
  world: RetryWorld,
): OpenParts {
  const { addresses, usesTls, deadline, firstContact = 'stop' } = options;
  const { tls, userAgent, trace, onChange } = options;
  const hostsAt = (some: readonly Address[]): Hosts =>
    createHosts(
      some.map((address) => baseUrl(address, usesTls)),
      firstContact,
    );
  const proxy = withoutProxyFor(options.proxy, addresses.filter(isLocal).map(hostInUrl));
  return {
    http: openHttp({ ...api, deadline, userAgent, tls, proxy, trace, onChange }),
    hosts: hostsAt(addresses),
    hostsAt: (address) => hostsAt([address]),
    startCourse: (what) => startCourse(deadline, what, world),
    signal: deadline.signal,
  };
}

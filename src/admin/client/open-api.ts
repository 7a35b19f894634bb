import type { Deadline } from '../../deadline.ts';
import type { CliError } from '../../errors.ts';
import { type Address, hostInUrl, isLocal, parseAddress } from '../../net/address.ts';
import { baseUrl, createHosts } from '../../net/hosts.ts';
import { type Http, type HttpTrace, openHttp } from '../../net/http.ts';
import { HttpError } from '../../net/http-error.ts';
import { type Credentials, sentSecret } from '../../net/json-api/call.ts';
import { plainHttpWarning } from '../../net/plain-http.ts';
import { type ProxySettings, withoutProxyFor } from '../../net/proxies.ts';
import { createRetry, type RetryWorld } from '../../net/retry.ts';
import type { TlsOptions } from '../../net/tls.ts';
import { checkAddress } from './answer-error.ts';
import { type Api, createApi } from './api.ts';
import type { BrokerHost } from './nodes.ts';

/** The options of the client of the Admin API. */
export interface AdminOptions {
  /** Tried in this order when a connection fails. */
  readonly addresses: readonly Address[];
  /** Whether addresses without a scheme use TLS. */
  readonly usesTls: boolean;
  readonly tls: TlsOptions;
  readonly credentials: Credentials | undefined;
  /**
   * What the cluster announces to Kafka clients, read over a configured connection: redirects may lead to these hosts as
   * well. None if the brokers are not configured.
   */
  readonly announcedBrokers?: () => Promise<readonly BrokerHost[]>;
  /** Explains the error of a first request whose connection was refused, for example if there is no Admin API at all. */
  readonly whenRefused?: (error: CliError) => Promise<CliError>;
  /** Whether an address that nobody answers at ends the command at once (default), or is retried. */
  readonly firstContact?: 'stop' | 'retry';
  readonly proxy: ProxySettings;
  readonly userAgent: string;
  readonly deadline: Deadline;
  warn(line: string): void;
  /** Called once per request, for `--trace`. */
  readonly trace?: (event: HttpTrace) => void;
  /** Called when a request begins to be sent that changes something. */
  readonly onChange?: () => void;
}

/** Opens what the calls of the client are made of; the first of them connects. */
export function openApi(options: AdminOptions, world: RetryWorld): OpenApi {
  const { addresses, usesTls, tls, deadline, credentials, firstContact = 'stop' } = options;
  const { announcedBrokers = async () => [] } = options;
  const plain = createPlainWatch(options);
  const http = openHttp({
    api: 'admin',
    server: 'Admin API',
    addressHint: '-X admin.hosts=HOST:PORT',
    deadline,
    userAgent: options.userAgent,
    tls,
    proxy: withoutProxyFor(options.proxy, addresses.filter(isLocal).map(hostInUrl)),
    trace: options.trace,
    onChange: options.onChange,
  });
  const request = untilFirstAnswer(http.request, options.whenRefused);
  const api = createApi({
    http: {
      request(one) {
        plain.sending(one.url);
        return request(one);
      },
      stream(request) {
        plain.sending(request.url);
        return http.stream(request);
      },
    },
    warnOfPassword: plain.sendingNewPassword,
    announcedBrokers,
    hosts: createHosts({ addresses, usesTls, firstContact }),
    hostsAt: (url) => createHosts({ addresses: [parseAddress(url, form)], usesTls, firstContact }),
    urls: addresses.map((address) => baseUrl(address, usesTls)),
    retry: createRetry(deadline, world),
    world,
    deadline,
    credentials,
  });
  return { api, close: http.close };
}

/** The API, until it is closed. */
interface OpenApi {
  readonly api: Api;
  /** Closes all connections. */
  close(): void;
}

const form = { defaultPort: 9644, scheme: 'http' } as const;

/**
 * Until a server has answered, a refused connection is explained by `whenRefused`, and a connection that it closes during a
 * read gets a hint about the address: brokers do that on the ports of the Kafka API, which are easily taken for this one.
 */
function untilFirstAnswer(request: Http['request'], whenRefused: AdminOptions['whenRefused']): Http['request'] {
  let hasAnswered = false;
  return async (one) => {
    try {
      const answer = await request(one);
      hasAnswered = true;
      return answer;
    } catch (error) {
      if (!hasAnswered && error instanceof HttpError && error.code === 'CONNECTION_REFUSED')
        throw (await whenRefused?.(error)) ?? error;
      const isRead = one.method === 'GET';
      if (hasAnswered || !isRead || !(error instanceof HttpError) || !error.sent || error.code !== 'CONNECTION_LOST')
        throw error;
      const { message, sent, hints, target, retryable } = error;
      const details = { hints: [...hints, checkAddress], retryable, cause: error.cause };
      throw new HttpError(message, { sent, ...details, ...(target !== undefined && { target }) });
    }
  };
}

/** Warns of passwords that go unencrypted to other machines, once for each host. */
interface PlainWatch {
  /** Called with the URL of every request, which has the password of the option `pass` if there is one. */
  sending(url: string): void;
  /** Called with the URL of a request whose body has the password of a user. */
  sendingNewPassword(url: string): void;
}

/** Warns about the configured addresses, and watches those that the cluster redirects to. */
function createPlainWatch(options: AdminOptions): PlainWatch {
  const { addresses, usesTls, credentials, warn } = options;
  const watch = (what?: string): ((given: readonly Address[]) => void) => {
    const warned = new Set<string>();
    return (given) => {
      const fresh = given.filter(({ host }) => !warned.has(host.toLowerCase()));
      for (const { host } of fresh) warned.add(host.toLowerCase());
      const warning = plainHttpWarning({ addresses: fresh, usesTls, key: 'admin.hosts', what });
      if (warning !== undefined) warn(warning);
    };
  };
  const ofLogin = credentials === undefined ? () => undefined : watch(sentSecret(credentials));
  const ofUser = watch('the password of the user');
  ofLogin(addresses);
  return {
    sending: (url) => ofLogin(addressesOf(url)),
    sendingNewPassword: (url) => ofUser(addressesOf(url)),
  };
}

function addressesOf(url: string): readonly Address[] {
  return [parseAddress(new URL(url).origin, form)];
}

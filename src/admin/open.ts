import { hostInUrl, isLocal } from '../net/address.ts';
import { baseUrl, createHosts } from '../net/hosts.ts';
import { openHttp } from '../net/http.ts';
import { withoutProxyFor } from '../net/http-proxy.ts';
import { plainHttpWarning } from '../net/plain-http.ts';
import { createRetry, type RetryWorld } from '../net/retry.ts';
import type { Admin, AdminOptions } from './admin.ts';
import { openApi } from './api.ts';
import { openBrokerCalls } from './brokers.ts';
import { openPartitionCalls } from './partitions.ts';
import { openWaits } from './waits.ts';

/** Opens the client of the Admin API without opening a connection. */
export function openAdmin(options: AdminOptions, world: RetryWorld = options.deadline.clock): Admin {
  const { addresses, usesTls, tls, deadline, credentials, firstContact = 'stop' } = options;
  const warning = credentials && plainHttpWarning({ addresses, usesTls, key: 'admin.hosts' });
  if (warning !== undefined) options.warn(warning);
  const http = openHttp({
    api: 'admin',
    server: 'Admin API',
    addressHint: '-X admin.hosts=HOST:PORT',
    deadline,
    userAgent: options.userAgent,
    tls,
    proxyEnv: withoutProxyFor(options.env, addresses.filter(isLocal).map(hostInUrl)),
    trace: options.trace,
  });
  const hosts = createHosts({ addresses, usesTls, firstContact });
  const urls = addresses.map((address) => baseUrl(address, usesTls));
  const retry = createRetry(deadline, world);
  const api = openApi({ http, hosts, urls, retry, world, deadline, credentials });
  const brokers = openBrokerCalls(api);
  const waits = openWaits(brokers, { deadline, world });
  return { ...brokers, ...openPartitionCalls(api), ...waits, close: http.close };
}

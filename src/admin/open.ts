import type { Deadline } from '../deadline.ts';
import { hostInUrl, isLocal, parseAddress } from '../net/address.ts';
import { baseUrl, createHosts } from '../net/hosts.ts';
import { openHttp } from '../net/http.ts';
import { withoutProxyFor } from '../net/http-proxy.ts';
import { createRetry, type RetryWorld } from '../net/retry.ts';
import type { Admin, AdminOptions } from './admin.ts';
import { type Api, openApi } from './api.ts';
import { openBrokerCalls } from './brokers.ts';
import { openBundleCalls } from './bundles.ts';
import { openLicenseCalls } from './license.ts';
import { openLostCalls } from './lost-partitions.ts';
import { openMoveCalls } from './moves.ts';
import { openNodeCalls } from './node-settings.ts';
import { openPartitionCalls } from './partitions.ts';
import { openPlacementCalls } from './placement.ts';
import { createPlainWatch } from './plain-watch.ts';
import { openRoleCalls } from './roles.ts';
import { openSelfTestCalls } from './self-test.ts';
import { openStorageCalls } from './storage.ts';
import { openTopicStorageCalls } from './topic-storage.ts';
import { openTransformCalls } from './transforms.ts';
import { openUserCalls } from './users.ts';
import { openWaits } from './waits.ts';

/** Opens the client of the Admin API without opening a connection. */
export function openAdmin(options: AdminOptions, world: RetryWorld = options.deadline.clock): Admin {
  const { api, close } = connect(options, world);
  return { ...openCalls(api, options.deadline, world), close };
}

/** The calls of the client. */
export function openCalls(api: Api, deadline: Deadline, world: RetryWorld): Omit<Admin, 'close'> {
  const parts = { deadline, world };
  const brokers = openBrokerCalls(api);
  return {
    ...brokers,
    ...openWaits(brokers, parts),
    ...openPartitionCalls(api),
    ...openPlacementCalls(api),
    ...openMoveCalls(api, parts),
    ...openLostCalls(api),
    ...openTopicStorageCalls(api),
    ...openLicenseCalls(api),
    ...openSelfTestCalls(api, parts),
    ...openStorageCalls(api, parts),
    ...openTransformCalls(api),
    ...openBundleCalls(api, parts),
    ...openNodeCalls(api),
    ...openRoleCalls(api),
    ...openUserCalls(api),
  };
}

/** Opens what the calls of the client are made of, without opening a connection. */
export function connect(options: AdminOptions, world: RetryWorld): Connected {
  const { addresses, usesTls, tls, deadline, credentials, firstContact = 'stop' } = options;
  const plain = createPlainWatch(options);
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
  const api = openApi({
    http: {
      request(request) {
        plain.sending(request.url);
        return http.request(request);
      },
      stream(request) {
        plain.sending(request.url);
        return http.stream(request);
      },
    },
    warnOfPassword: plain.sendingNewPassword,
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

/** An open connection to the API. */
interface Connected {
  readonly api: Api;
  /** Closes all connections. */
  close(): void;
}

const form = { defaultPort: 9644, scheme: 'http' } as const;

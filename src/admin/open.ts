import type { Deadline } from '../deadline.ts';
import { hostInUrl, isLocal, parseAddress } from '../net/address.ts';
import { baseUrl, createHosts } from '../net/hosts.ts';
import { openHttp } from '../net/http.ts';
import { withoutProxyFor } from '../net/http-proxy.ts';
import { createRetry, type RetryWorld } from '../net/retry.ts';
import { openRoleCalls } from './access/roles.ts';
import { openUserCalls } from './access/users.ts';
import type { Admin, AdminOptions } from './admin.ts';
import { openBrokerCalls } from './brokers/brokers.ts';
import { openWaits } from './brokers/waits.ts';
import { type Api, openApi } from './client/api.ts';
import { untilFirstAnswer } from './client/first-answer.ts';
import { createPlainWatch } from './client/plain-watch.ts';
import { openConfigCalls } from './config/config.ts';
import { openBundleCalls } from './debug/bundles.ts';
import { openNodeCalls } from './debug/node-settings.ts';
import { openLicenseCalls } from './license/license.ts';
import { openLostCalls } from './partitions/lost-partitions.ts';
import { openMoveCalls } from './partitions/moves.ts';
import { openPartitionCalls } from './partitions/partitions.ts';
import { openPlacementCalls } from './partitions/placement.ts';
import { openTopicStorageCalls } from './partitions/topic-storage.ts';
import { openSelfTestCalls } from './self-test/self-test.ts';
import { openStorageCalls } from './storage/storage.ts';
import { openTransformCalls } from './transforms/transforms.ts';

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
    ...openConfigCalls(api, parts),
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
  const { announcedBrokers = async () => [] } = options;
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
  const request = untilFirstAnswer(http.request, options.whenRefused);
  const api = openApi({
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

/** An open connection to the API. */
interface Connected {
  readonly api: Api;
  /** Closes all connections. */
  close(): void;
}

const form = { defaultPort: 9644, scheme: 'http' } as const;

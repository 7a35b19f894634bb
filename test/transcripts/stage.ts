import { realClock } from '../../src/clock.ts';
import { writeLicense } from '../../src/sandbox/admin/config/license.ts';
import { freePorts } from '../../src/sandbox/ports.ts';
import { createMemoryRegistry, type Vendor } from '../commands/registry/memory-registry.ts';
import { keptCode } from '../kept-code.ts';
import { startScriptedRegistry } from '../registry/scripted-registry.ts';
import { startControlledAdmin } from '../sandbox/admin/controlled.ts';
import { fixedView } from '../sandbox/admin/fixed-view.ts';
import { startModelServer } from '../sandbox/broker/control.ts';
import { admin, startPlane } from '../sandbox/cloud/plane.ts';
import { services } from '../services/services.ts';
import { createVirtualClock } from '../simulation/virtual-clock.ts';

/** When a transcript takes place: 2030-01-01T00:00:00Z, in milliseconds since the epoch. */
export const stageTime = Date.UTC(2030, 0);

/** Simulated services for the commands of one transcript. */
export interface Stage {
  /** The variables that name the services. */
  readonly env: Readonly<Record<string, string>>;
  /** Files of the home directory that the services accept, such as a license. */
  readonly files: Readonly<Record<string, string>>;
  /** A text with the addresses of the services replaced by fixed ones of the same length. */
  shown(text: string): string;
  /** The opposite, for commands that name an address. */
  actual(text: string): string;
  close(): Promise<void>;
}

/** One service: its variables, its addresses by what is shown for them, and how it is stopped. */
interface Service {
  readonly env: Readonly<Record<string, string>>;
  readonly files?: Readonly<Record<string, string>>;
  readonly addresses: readonly (readonly [actual: string, shown: string])[];
  close(): Promise<unknown>;
}

/**
 * Starts the services that a header names: `brokers`, `brokers=3`, `kafka`, `admin`, `admin=features,spare`, `registry`,
 * `registry=redpanda`, `cloud`. For commands that need none of them there are `none`, and `port`: a free port, which
 * lines name as 29092.
 * @throws Error for an unknown service
 */
export async function openStage(names: readonly string[]): Promise<Stage> {
  const started: Service[] = [];
  try {
    for (const name of names.filter((one) => one !== 'none')) started.push(await start(name));
  } catch (error) {
    await Promise.all(started.map((one) => one.close()));
    throw error;
  }
  const addresses = started.flatMap((one) => one.addresses);
  return {
    env: Object.assign({}, ...started.map(({ env }) => env)),
    files: Object.assign({}, ...started.map(({ files }) => files)),
    shown: (text) => addresses.reduce((changed, [actual, fixed]) => changed.replaceAll(actual, fixed), text),
    actual: (text) => addresses.reduce((changed, [actual, fixed]) => changed.replaceAll(fixed, actual), text),
    close: async () => void (await Promise.all(started.map((one) => one.close()))),
  };
}

function start(name: string): Promise<Service> {
  const [service, value] = name.split('=');
  if (service === 'brokers') return startBrokers(Number(value ?? 1));
  if (service === 'kafka') return realKafka();
  if (service === 'admin') return startAdmin(value?.split(',') ?? []);
  if (service === 'registry') return startRegistry((value ?? 'confluent') as Vendor);
  if (service === 'cloud') return startCloud();
  if (service === 'port') return findPort();
  throw new Error(`there is no service ${name}`);
}

async function startBrokers(count: number): Promise<Service> {
  const wanted = Array.from({ length: count }, (_, id) => ({ id, host: '127.0.0.1', port: 0 }));
  // The same ids and the same leaders in every run.
  const clock = { ...realClock, wallTime: () => stageTime, random: createVirtualClock(1).random };
  const server = await startModelServer({
    brokers: wanted,
    settings: { replicas: Math.min(count, 3), initialRebalanceDelayMs: 0 },
    clock,
  });
  return {
    env: { WEIR_BROKERS: server.brokers.map(({ host, port }) => `${host}:${port}`).join(',') },
    addresses: server.brokers.map(({ id, port }) => [String(port), String(19092 + id)]),
    close: () => server.close(),
  };
}

/** The real Kafka of the test run, which other tests use as well. */
async function realKafka(): Promise<Service> {
  const broker = services().plaintext;
  return { env: { WEIR_BROKERS: broker }, addresses: [[broker, 'localhost:9092']], close: async () => undefined };
}

/**
 * Starts the Admin API of three brokers and, with `spare`, of a fourth without partitions; with `empty`, they have no topics. With `features`, tiered storage
 * and transforms are enabled; with `26.2`, they run this release, whose upgrade is not finalized. Work takes several requests, so that commands see it unfinished.
 */
async function startAdmin(options: readonly string[]): Promise<Service> {
  const hasFeatures = options.includes('features');
  const isNew = options.includes('26.2');
  const { api } = await startControlledAdmin({
    view: fixedView({
      ...(options.includes('spare') && { brokers: fourBrokers }),
      ...(options.includes('empty') && { topics: [] }),
    }),
    startAt: stageTime,
    settings: {
      ...{ perRequestMs: 400, moveBytesPerS: 4 << 20, migrationStepMs: 2_000, bundleMs: 60_000 },
      ...(isNew && { release: '26.2' }),
    },
    seeds: {
      ...(hasFeatures ? { config: withFeatures } : {}),
      ...(isNew && ofRelease26),
      mountable: [{ ns: 'kafka', topic: 'archive', location: 'archive/7d3f0c/12', partitions: 2 }],
    },
  });
  return {
    env: { WEIR_ADMIN_HOSTS: api.addresses.join(',') },
    files: {
      'redact.wasm': '\0asm\x01\0\0\0',
      'redpanda.license': writeLicense({ organization: 'Ana Ltd', type: 'enterprise', expires: nextYear }),
    },
    addresses: [[String(api.port), '19644']],
    close: () => api.close(),
  };
}

const fourBrokers = ['rack-a', 'rack-b', 'rack-c', 'rack-a'].map((rack, id) => ({ id, rack, alive: true }));

/** Clients, and an upgrade that waits. */
const ofRelease26 = {
  heldVersion: 18,
  config: { features_auto_finalization: false, enable_shadow_linking: true, iceberg_enabled: true },
  iceberg: {
    topics: [
      { topic: 'payments', partitions: [{}, { pending: [40, 99] }] },
      { topic: 'orders', partitions: [{ committed: 1199, pending: [1200, 1499] }, { committed: 800 }] },
      { topic: 'old', state: 'PURGED', partitions: [] },
    ],
  },
  connections: [
    { clientId: 'billing-1', user: 'billing', source: { ipAddress: '10.1.0.7', port: 40_112 }, produced: 6_300_000 },
    { clientId: 'billing-2', user: 'billing', nodeId: 1, openForMs: 7_200_000, idleMs: 90_000 },
    {
      clientId: 'orders',
      groupId: 'orders-écoute',
      nodeId: 2,
      source: { ipAddress: '2001:db8::9', port: 40_113 },
      fetched: 90_000,
    },
    { clientId: 'job', user: 'ana', isClosed: true, openForMs: 600_000, idleMs: 540_000 },
  ],
} as const;

const withFeatures = {
  cloud_storage_enabled: true,
  cloud_storage_bucket: 'archive',
  cloud_storage_region: 'eu-central-1',
  cloud_storage_access_key: 'key',
  cloud_storage_secret_key: 'secret',
  data_transforms_enabled: true,
};

/** 2031-01-01T00:00:00Z, in seconds since the epoch. */
const nextYear = Date.UTC(2031, 0) / 1000;

async function startRegistry(vendor: Vendor): Promise<Service> {
  const server = await startScriptedRegistry(createMemoryRegistry(vendor));
  return {
    env: { WEIR_REGISTRY_HOSTS: `127.0.0.1:${server.port}` },
    addresses: [[String(server.port), '18081']],
    close: async () => await server[Symbol.asyncDispose](),
  };
}

async function findPort(): Promise<Service> {
  const ports = await freePorts(1);
  return { env: keptCode, addresses: ports.map((port) => [String(port), '29092']), close: async () => {} };
}

async function startCloud(): Promise<Service> {
  const settings = { perRequestMs: 400 };
  // The digits in the name of the plugin do not depend on where this machine has Node.js.
  const plane = await startPlane({ startAt: stageTime, pluginInterpreter: '/usr/bin/env node', settings });
  return {
    env: {
      WEIR_CLOUD_API_URL: plane.url,
      WEIR_CLOUD_AUTH_URL: plane.url,
      WEIR_CLOUD_LEGACY_URL: plane.url,
      WEIR_CLOUD_AUDIENCE: 'cloudv2-sandbox.example',
      WEIR_CLOUD_CLIENT_ID: admin.clientId,
      WEIR_CLOUD_CLIENT_SECRET: admin.clientSecret,
    },
    addresses: [[new URL(plane.url).port, '18443']],
    close: () => plane.stop(),
  };
}

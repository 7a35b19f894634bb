import type { SelfTest } from '../../../admin/self-test/self-test-rows.ts';

/** How long the tests of a self-test last. */
export interface SelfTestTimes {
  readonly diskMs: number;
  readonly networkMs: number;
  readonly cloudTimeoutMs: number;
  readonly cloudBackoffMs: number;
}

const kib = 1024;

type DiskTest = readonly [name: string, sizeKib: number, parallelism: number, dsync: boolean, phases: 'w' | 'rw'];

/** Block sizes and depths of queues from those of one busy partition to those of thousands. */
const diskTests: readonly DiskTest[] = [
  ['512KB sequential r/w', 512, 4, true, 'rw'],
  ['4KB sequential r/w, low io depth', 4, 1, true, 'rw'],
  ['4KB sequential write, medium io depth', 4, 8, true, 'w'],
  ['4KB sequential write, high io depth', 4, 64, true, 'w'],
  ['4KB sequential write, very high io depth', 4, 256, true, 'w'],
  ['4KB sequential write, no dsync', 4, 64, false, 'w'],
  ['16KB sequential r/w, high io depth', 16, 64, false, 'rw'],
];

/** The tests of a self-test, or those of one kind. */
export function selfTests(times: SelfTestTimes, only?: SelfTest['type']): readonly SelfTest[] {
  const all: readonly SelfTest[] = [
    ...diskTests.map((test) => diskTest(test, times.diskMs)),
    {
      ...{ type: 'network', name: '8Kb Network Throughput Test' },
      ...{ request_size: 8 * kib, duration_ms: times.networkMs, parallelism: 10 },
    },
    {
      ...{ type: 'cloud', name: 'Cloud Storage Test' },
      ...{ timeout_ms: times.cloudTimeoutMs, backoff_ms: times.cloudBackoffMs },
    },
  ];
  return only === undefined ? all : all.filter(({ type }) => type === only);
}

function diskTest([name, sizeKib, parallelism, dsync, phases]: DiskTest, duration: number): SelfTest {
  return {
    ...{ type: 'disk', name, dsync, skip_write: false, skip_read: phases === 'w' },
    ...{ data_size: kib ** 3, request_size: sizeKib * kib, duration_ms: duration, parallelism },
  };
}

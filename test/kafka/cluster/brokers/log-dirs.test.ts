import { describe, expect, it, test } from 'vitest';
import type { LogDirAggregation, LogDirRow } from '../../../../src/kafka/cluster/brokers/log-dir-rows.ts';
import { aggregated } from '../../../../src/kafka/cluster/brokers/log-dir-sums.ts';
import { describeLogDirs } from '../../../../src/kafka/cluster/brokers/log-dirs.ts';
import { describeLogDirs as describeLogDirsApi } from '../../../../src/kafka/protocol/wire/apis/describe-log-dirs.ts';
import { answerOf } from '../../../services/answer.ts';
import { metadataAnswer } from '../../../services/scripted-answers.ts';
import { startScriptedBroker } from '../../../services/scripted-broker.ts';
import { clientOf } from '../../../services/scripted-client.ts';

const blank = {
  ...{ broker: 1, dir: null, topic: null, partition: null, size: null, offset_lag: null, is_future: null },
  ...{ total_bytes: null, usable_bytes: null, error: null },
} satisfies LogDirRow;
const failure = { code: 'X', number: 1, message: 'x', retryable: false, exit_code: 1 };
const dir = (broker: number, path: string): LogDirRow => ({
  ...{ ...blank, broker, dir: path, size: 0n },
  ...{ total_bytes: 100n, usable_bytes: 40n },
});
const replica = (broker: number, path: string, at: readonly [topic: string, partition: number, size: bigint]) => ({
  ...{ ...blank, broker, dir: path, topic: at[0], partition: at[1], size: at[2] },
  ...{ offset_lag: 0n, is_future: false },
});

const rows: readonly LogDirRow[] = [
  { ...blank, broker: 2, error: failure },
  dir(1, '/b'),
  replica(1, '/b', ['t', 10, 5n]),
  replica(1, '/b', ['t', 9, 7n]),
  replica(1, '/b', ['a', 0, 7n]),
  dir(1, '/a'),
  dir(0, '/c'),
  replica(0, '/c', ['t', 9, 30n]),
];

/** A row in one line. */
function shown({ broker, dir: path, topic, partition, size, usable_bytes: usable, error }: LogDirRow): string {
  return [broker, path, topic, partition, size, usable, error?.code].map((value) => value ?? '-').join(' ');
}

const sums: readonly (readonly [into: LogDirAggregation, sortBySize: boolean, expected: readonly string[]])[] = [
  ['partition', false, ['0 /c t 9 30 - -', '1 /b a 0 7 - -', '1 /b t 9 7 - -', '1 /b t 10 5 - -', '2 - - - - - X']],
  ['partition', true, ['0 /c t 9 30 - -', '1 /b a 0 7 - -', '1 /b t 9 7 - -', '1 /b t 10 5 - -', '2 - - - - - X']],
  ['topic', false, ['0 /c t - 30 - -', '1 /b a - 7 - -', '1 /b t - 12 - -', '2 - - - - - X']],
  ['topic', true, ['0 /c t - 30 - -', '1 /b t - 12 - -', '1 /b a - 7 - -', '2 - - - - - X']],
  ['dir', false, ['0 /c - - 30 40 -', '1 /a - - 0 40 -', '1 /b - - 19 40 -', '2 - - - - - X']],
  ['broker', true, ['0 - - - 30 - -', '1 - - - 19 - -', '2 - - - - - X']],
];

describe('log directories', () => {
  it.each(sums)('are added up per %s (sorted by size: %s)', (aggregateInto, sortBySize, expected) => {
    expect(aggregated(rows, { aggregateInto, sortBySize }).map(shown)).toEqual(expected);
  });
});

function oneDirAnswer(): Buffer {
  const results = [{ errorCode: 0, logDir: '/data', topics: [], totalBytes: 100n, usableBytes: 40n }];
  return answerOf(describeLogDirsApi, 4, { results });
}

test('a dead broker has a row with its error, without holding up the others', async () => {
  const dead = await startScriptedBroker();
  await dead.close();
  await using alive = await startScriptedBroker({
    Metadata: () =>
      metadataAnswer({
        brokers: [
          { id: 1, ...alive.address },
          { id: 2, ...dead.address },
        ],
      }),
    DescribeLogDirs: oneDirAnswer(),
  });
  await using client = clientOf([alive.address]);
  const call = { broker: undefined, topics: [], aggregateInto: 'dir', sortBySize: false } as const;
  const found = await describeLogDirs(client, call);
  expect(found.map(shown)).toEqual(['1 /data - - 0 40 -', '2 - - - - - CONNECTION_REFUSED']);
  expect(alive.of('DescribeLogDirs')).toHaveLength(1);
});

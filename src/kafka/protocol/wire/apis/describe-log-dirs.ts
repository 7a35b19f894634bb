import { api } from '../api.ts';
import { nullable, optional, since, struct } from '../fields.ts';
import { array, boolean, int16, int32, int64, string } from '../primitives.ts';

/** DescribeLogDirs (key 35) (KIP-113): each broker reports its own; an error code since v3, volume sizes since v4 (KIP-827). */
export const describeLogDirs = api({
  name: 'DescribeLogDirs',
  key: 35,
  versions: [1, 4],
  flexibleFrom: 2,
  target: 'broker',
  repeatable: true,
  request: {
    topics: nullable(
      array(
        struct({
          topic: string,
          partitions: array(int32),
        }),
      ),
    ),
  },
  response: {
    throttleTimeMs: optional(int32),
    errorCode: since(3, int16),
    results: array(
      struct({
        errorCode: int16,
        logDir: string,
        topics: array(
          struct({
            name: string,
            partitions: array(
              struct({
                partitionIndex: int32,
                partitionSize: int64,
                offsetLag: int64,
                isFutureKey: boolean,
              }),
            ),
          }),
        ),
        totalBytes: since(4, int64, -1n),
        usableBytes: since(4, int64, -1n),
      }),
    ),
  },
});

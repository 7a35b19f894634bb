import { expect, test } from 'vitest';
import { describeLogDirs } from '../../src/kafka/protocol/wire/apis/describe-log-dirs.ts';
import { producersAnswer } from '../services/access-answers.ts';
import { answerOf } from '../services/answer.ts';
import {
  committedAnswer,
  configsAnswer,
  offsetsAnswer,
  operatorVersions,
  trimmedAnswer,
} from '../services/operator-answers.ts';
import type { Script } from '../services/scripted-broker.ts';
import { act } from './operator-scenes.ts';

// A broker may use all 64 bits of an int64; a number would round it.
const high = 9_223_372_036_854_775_806n;

/** DescribeLogDirs v4: one directory with a replica of partition 0 of `foo`. */
function logDirsAnswer(): Buffer {
  const partition = { partitionIndex: 0, partitionSize: high, offsetLag: high - 1n, isFutureKey: false };
  const topics = [{ name: 'foo', partitions: [partition] }];
  const directory = { errorCode: 0, logDir: '/data', topics, totalBytes: high, usableBytes: high - 2n };
  return answerOf(describeLogDirs, 4, { errorCode: 0, results: [directory] });
}

test.each<{ line: string; script?: Script; api: string; reaction: Buffer; prints: readonly string[] }>([
  {
    line: 'group describe g --format json',
    script: { OffsetFetch: committedAnswer([0], high - 9n) },
    api: 'ListOffsets',
    reaction: offsetsAnswer([[0, 0]], high),
    prints: [`:${high - 9n},`, `:${high},`, '"lag":9'],
  },
  {
    line: 'group seek g --to end --topics foo --dry-run --format json',
    script: { OffsetFetch: committedAnswer([0], high - 1n) },
    api: 'ListOffsets',
    reaction: offsetsAnswer([[0, 0]], high),
    prints: [`${high - 1n}`, `${high}`],
  },
  {
    line: `topic trim-prefix foo -p 0 -o ${high} --yes --format json`,
    script: { ListOffsets: offsetsAnswer([[0, 0]], high) },
    api: 'DeleteRecords',
    reaction: trimmedAnswer([[0, 0]], high),
    prints: [`${high}`],
  },
  {
    line: 'topic describe foo -p --format json',
    script: { DescribeConfigs: configsAnswer([['foo', 0]], '1') },
    api: 'ListOffsets',
    reaction: offsetsAnswer([[0, 0]], high),
    prints: [`:${high},`],
  },
  {
    line: 'cluster txn describe-producers -t foo -p 0 --format json',
    api: 'DescribeProducers',
    reaction: producersAnswer([high, high + 1n]),
    prints: [`"producer_id":${high},`, `"producer_id":${high + 1n},`],
  },
  {
    line: 'cluster logdirs describe --format json',
    script: { ApiVersions: operatorVersions([[35, 4, 4]]) },
    api: 'DescribeLogDirs',
    reaction: logDirsAnswer(),
    prints: [`${high}`, `${high - 1n}`],
  },
])('weir $line is exact', async ({ line, script = {}, api, reaction, prints }) => {
  const { stdout, stderr, exitCode } = await act({ line, api, script }, [reaction]);
  expect({ stderr, exitCode }).toMatchObject({ exitCode: 0 });
  for (const text of prints) expect(stdout).toContain(text);
});

import { describe, expect, it, test } from 'vitest';
import { CliError, exitCodeOfItems } from '../../../src/errors.ts';
import {
  isRetriable,
  kafkaError,
  kafkaErrorKind,
  kafkaErrorName,
  kafkaErrorText,
  kafkaItemError,
} from '../../../src/kafka/protocol/errors.ts';
import { kafkaErrors } from '../../../src/kafka/protocol/wire/error-codes.ts';

describe('the error table', () => {
  it('has every code from -1 on once, in order', () => {
    expect(kafkaErrors.map(({ code }) => code)).toEqual(kafkaErrors.map((_, at) => at - 1));
    expect(new Set(kafkaErrors.map(({ name }) => name)).size).toBe(kafkaErrors.length);
  });

  it('describes each error in one sentence without a full stop', () => {
    for (const { sentence } of kafkaErrors) expect(sentence).toMatch(/^[a-z].*[^.]$/);
  });

  it('names codes that are newer than itself', () => {
    expect(kafkaErrorKind(999)).toMatchObject({ name: 'ERROR_999', retriable: false, exitCode: 1 });
  });

  it.each([
    ['UNKNOWN_TOPIC_OR_PARTITION', 3, 3],
    ['TOPIC_AUTHORIZATION_FAILED', 29, 4],
    ['SASL_AUTHENTICATION_FAILED', 58, 4],
    ['REQUEST_TIMED_OUT', 7, 5],
    ['TOPIC_ALREADY_EXISTS', 36, 6],
    ['NON_EMPTY_GROUP', 68, 6],
    ['INVALID_CONFIG', 40, 1],
  ])('%s has its exit code', (name, code, exitCode) => {
    expect(kafkaErrorName(code)).toBe(name);
    expect(kafkaErrorKind(code).exitCode).toBe(exitCode);
  });
});

test.each([
  ['is repeated', [3, 5, 6, 14, 15, 16, 19, 41, 51, 56, 72, 74, 75, 89], true],
  // Appended, carried out, or unknown.
  ['is not repeated', [-1, 0, 7, 13, 20, 27, 79], false],
] as const)('what must not be done twice %s after these codes', (_, codes, expected) => {
  const others = codes.filter((code) => kafkaErrorKind(code).notDone !== expected).map(kafkaErrorName);
  expect(others).toEqual([]);
});

describe('a Kafka error', () => {
  it("shows the broker's text, or our sentence if it sent none", () => {
    expect(kafkaErrorText(36, "Topic 'a' already exists.")).toBe(
      "TOPIC_ALREADY_EXISTS (36): Topic 'a' already exists.",
    );
    expect(kafkaErrorText(36, '')).toBe('TOPIC_ALREADY_EXISTS (36): a topic with this name already exists');
    const refused = 'Request Request(processor=0, buffer=java.nio.HeapByteBuffer[pos=21]) needs DESCRIBE permission.';
    expect(kafkaErrorText(31, refused)).toBe(
      'CLUSTER_AUTHORIZATION_FAILED (31): the principal needs describe on the cluster',
    );
    expect(kafkaItemError(31, refused)?.message).toBe('the principal needs describe on the cluster');
    expect(kafkaErrorText(999)).toMatch(/^ERROR_999: /);
  });

  it('is retried when the protocol says so, except for names that the cluster does not know', () => {
    expect(isRetriable(kafkaError(6, 'x'))).toBe(true);
    expect(isRetriable(kafkaError(36, 'x'))).toBe(false);
    expect(isRetriable(kafkaError(3, 'x'))).toBe(false);
    expect(isRetriable(kafkaError(3, 'x', { retryable: true }))).toBe(true);
    expect(isRetriable(new Error('a defect'))).toBe(false);
  });

  it('is a CliError with name and exit code', () => {
    const error = kafkaError(36, 'unable to create topic "a"', { target: 'a' });
    expect(error).toBeInstanceOf(CliError);
    expect(error).toMatchObject({ exitCode: 6, code: 'TOPIC_ALREADY_EXISTS', target: 'a' });
  });
});

describe('the exit code of several items', () => {
  it.each([
    [[], 0],
    [[0, 0], 0],
    [[0, 36, 36], 6],
    [[3, 3], 3],
    [[3, 36], 1],
    [[36, 40], 1],
  ])('%j exit with %d', (codes, exitCode) => {
    expect(exitCodeOfItems(codes.map((code) => kafkaItemError(code)))).toBe(exitCode);
  });
});

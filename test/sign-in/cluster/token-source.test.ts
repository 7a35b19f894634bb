import { describe, expect, test } from 'vitest';
import { usageError } from '../../../src/errors.ts';
import { givenSource } from '../../../src/sign-in/cluster/token-source.ts';

/** A token with a number, which expires at a time in milliseconds. */
function tokenOf(number: number, expiresAt: number): string {
  const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({})}.${part({ jti: number, exp: expiresAt / 1000 })}.x`;
}

/** A source with a command that gives another token each time, for 100 seconds, and a clock. */
function commandSource() {
  const state = { now: 0, runs: 0, isBroken: false };
  const warnings: string[] = [];
  const next = async (): Promise<string> => {
    state.runs += 1;
    if (state.isBroken) throw usageError('the command failed');
    return tokenOf(state.runs, state.now + 100_000);
  };
  const own = { option: 'oauth.token', origin: 'x', whenExpired: '', isAsked: true };
  const given = { ...own, read: next, renew: next, isVolatile: false };
  const source = givenSource(
    given,
    () => state.now,
    (line) => void warnings.push(line),
  );
  return { state, warnings, source };
}

describe('a token from a command', () => {
  test('is used until it expires if the command fails', async () => {
    const { state, warnings, source } = commandSource();
    const first = await source.get();
    state.isBroken = true;
    state.now = 85_000;
    expect((await source.get()).text).toBe(first.text);
    expect(warnings).toEqual(['using the present token until it expires: the command failed']);
    state.now = 99_500;
    await expect(source.get()).rejects.toThrow('the command failed');
  });

  test('is shared by connections that need it at the same time', async () => {
    const { state, source } = commandSource();
    await Promise.all(Array.from({ length: 10 }, () => source.get()));
    expect(state.runs).toBe(1);
    state.now = 85_000;
    const tokens = await Promise.all(Array.from({ length: 10 }, () => source.get()));
    expect(state.runs).toBe(2);
    expect(new Set(tokens.map(({ text }) => text)).size).toBe(1);
  });

  test('that is refused is replaced once, whoever asks', async () => {
    const { state, source } = commandSource();
    const { text } = await source.get();
    const other = await source.renew(text);
    expect((await source.renew(text))?.text).toBe(other?.text);
    expect(await source.renew(other?.text ?? '')).toBeUndefined();
    expect(state.runs).toBe(2);
  });
});

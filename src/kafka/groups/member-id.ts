import type { Clock } from '../../clock.ts';

/** Makes a random UUID (version 4) for a member that chooses its own id (KIP-848), with the clock's random numbers. */
export function newMemberId(clock: Pick<Clock, 'random'>): string {
  const digits = Array.from({ length: 32 }, () => Math.floor(clock.random() * 16));
  digits[12] = 4;
  digits[16] = 8 + ((digits[16] ?? 0) & 3);
  const hex = digits.map((digit) => digit.toString(16)).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

import { grouped } from './count.ts';

/** The maximum duration: 2^63-1 nanoseconds, as in the reference grammar. */
export const maxDuration = 9_223_372_036_854_775_807n;

const unitNanoseconds: ReadonlyMap<string, bigint> = new Map([
  ['ns', 1n],
  ['us', 1_000n],
  ['\u00b5s', 1_000n], // micro sign
  ['\u03bcs', 1_000n], // Greek mu
  ['ms', 1_000_000n],
  ['s', 1_000_000_000n],
  ['m', 60_000_000_000n],
  ['h', 3_600_000_000_000n],
]);

const component = /^(\d*)(?:(\.)(\d*))?([a-z\u00b5\u03bc]*)/i;

/**
 * Parses a duration such as `1h2m3.5s` into nanoseconds. The units are `ns us µs ms s m h`, in any order; repeated
 * units add up. A bare `0` and a leading `+` are accepted.
 * @throws Error with the reason
 */
export function parseDuration(text: string): bigint {
  if (text.startsWith('-')) throw new Error('a duration cannot be negative');
  const unsigned = text.startsWith('+') ? text.slice(1) : text;
  if (unsigned === '0') return 0n;
  if (unsigned === '') throw new Error('expected a number with a unit, for example 1m30s');
  let rest = unsigned;
  let total = 0n;
  while (rest !== '') {
    const { length, nanoseconds } = firstComponent(rest);
    total += nanoseconds;
    if (total > maxDuration) throw new Error('the duration is longer than 2562047h47m16.854775807s');
    rest = rest.slice(length);
  }
  if (total === 0n && /[1-9]/.test(text)) throw new Error('the duration is shorter than 1ns');
  return total;
}

/** The number and the unit that a text begins with. */
function firstComponent(text: string): { readonly length: number; readonly nanoseconds: bigint } {
  const [whole = '', digits = '', dot = '', fraction = '', unit = ''] = component.exec(text) ?? [];
  if (digits === '' && fraction === '') throw new Error(`expected a number at "${text}"`);
  if (unit === '') throw new Error(`missing unit after "${digits}${dot}${fraction}" (use ns, us, ms, s, m or h)`);
  const scale = unitNanoseconds.get(unit);
  if (scale === undefined) throw new Error(`unknown unit "${unit}" (use ns, us, ms, s, m or h)`);
  return { length: whole.length, nanoseconds: BigInt(digits || '0') * scale + fractionOf(fraction, scale) };
}

function fractionOf(fraction: string, scale: bigint): bigint {
  // 15 digits are more than enough for the largest unit (3.6e12 nanoseconds per hour).
  const digits = fraction.slice(0, 15);
  return digits === '' ? 0n : (BigInt(digits) * scale) / 10n ** BigInt(digits.length);
}

/** Shows nanoseconds in the shortest exact form, for example `1m30s`, `250us`, `1.5ms`, `0s`. */
export function showDuration(nanoseconds: bigint): string {
  if (nanoseconds === 0n) return '0s';
  if (nanoseconds < 1_000n) return `${nanoseconds}ns`;
  if (nanoseconds < 1_000_000n) return `${decimal(nanoseconds, 3)}us`;
  if (nanoseconds < 1_000_000_000n) return `${decimal(nanoseconds, 6)}ms`;
  const hours = nanoseconds / 3_600_000_000_000n;
  const minutes = (nanoseconds / 60_000_000_000n) % 60n;
  const seconds = decimal(nanoseconds % 60_000_000_000n, 9);
  return [hours > 0n ? `${hours}h` : '', minutes > 0n ? `${minutes}m` : '', seconds === '0' ? '' : `${seconds}s`].join(
    '',
  );
}

const dayNanoseconds = 86_400_000_000_000n;

/** The same for sentences, in days where these are whole, for example `7 days`, `1 day`, `36h`. */
export function tellDuration(nanoseconds: bigint): string {
  if (nanoseconds === 0n || nanoseconds % dayNanoseconds !== 0n) return showDuration(nanoseconds);
  return grouped(Number(nanoseconds / dayNanoseconds), 'day');
}

/** The same as `showDuration` with minutes and seconds below the largest unit, for example `1m0s` and `1h0m0s`, as rpk's tables have it. */
export function showPaddedDuration(nanoseconds: bigint): string {
  if (nanoseconds < 60_000_000_000n) return showDuration(nanoseconds);
  const hours = nanoseconds / 3_600_000_000_000n;
  const minutes = (nanoseconds / 60_000_000_000n) % 60n;
  return `${hours > 0n ? `${hours}h` : ''}${minutes}m${decimal(nanoseconds % 60_000_000_000n, 9)}s`;
}

function decimal(value: bigint, places: number): string {
  const digits = value.toString().padStart(places + 1, '0');
  const fraction = digits.slice(-places).replace(/0+$/, '');
  return digits.slice(0, -places) + (fraction === '' ? '' : `.${fraction}`);
}

/** The longest delay of a Node.js timer, in milliseconds; a longer one would fire immediately. */
export const maxTimerMs = 2_147_483_647;

/** Converts nanoseconds to whole milliseconds for timers and protocol fields: rounded up, at most `maxTimerMs`. */
export function durationToMs(nanoseconds: bigint): number {
  const milliseconds = (nanoseconds + 999_999n) / 1_000_000n;
  return milliseconds > BigInt(maxTimerMs) ? maxTimerMs : Number(milliseconds);
}

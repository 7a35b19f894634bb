import { formatNamed } from './formats.ts';
import type { Part } from './part.ts';
import { type Check, fail, ofNumber, ofString, type Run, spend } from './run.ts';

/** Adds the checks for numbers and text. */
export function addScalarChecks(part: Part): void {
  addLimits(part);
  addText(part);
}

function addLimits({ schema, draft, add }: Part): void {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  const addNumber = (expected: string, isRight: (value: number) => boolean) =>
    add([ofNumber], (value: number, run) => isRight(value) || fail(run, value, expected));
  const above = draft === 4 ? exclusiveMinimum === true && minimum : exclusiveMinimum;
  const below = draft === 4 ? exclusiveMaximum === true && maximum : exclusiveMaximum;
  if (typeof above === 'number') addNumber(`a number above ${above}`, (value) => value > above);
  if (typeof below === 'number') addNumber(`a number below ${below}`, (value) => value < below);
  if (typeof minimum === 'number') addNumber(`a number of at least ${minimum}`, (value) => value >= minimum);
  if (typeof maximum === 'number') addNumber(`a number of at most ${maximum}`, (value) => value <= maximum);
  if (typeof multipleOf === 'number')
    addNumber(`a multiple of ${multipleOf}`, (value) => isMultiple(value, multipleOf));
}

function addText({ schema, draft, patterns, add }: Part): void {
  const { minLength, maxLength, pattern, format } = schema;
  const addCheck = (check: Check<string>) => add([ofString], check);
  if (typeof minLength === 'number') {
    const expected = `text of at least ${minLength} characters`;
    addCheck((text, run) => isAsLong(text, minLength, run) || fail(run, text, expected));
  }
  if (typeof maxLength === 'number') {
    const expected = `text of at most ${maxLength} characters`;
    addCheck((text, run) => !isAsLong(text, maxLength + 1, run) || fail(run, text, expected));
  }
  if (typeof pattern === 'string') {
    const matches = patterns.compile(pattern);
    addCheck(
      (text, run) => matches(text, run) || fail(run, text, () => `text that matches ${JSON.stringify(pattern)}`),
    );
  }
  const isOfFormat = typeof format === 'string' ? formatNamed(format, draft) : undefined;
  if (isOfFormat === undefined) return;
  const expected = `the format ${format}`;
  addCheck((text, run) => {
    spend(run, text.length);
    return isOfFormat(text) || fail(run, text, expected);
  });
}

/** Checks whether text has so many characters; a pair of surrogates is one. */
function isAsLong(text: string, least: number, run: Run): boolean {
  if (text.length < least) return false;
  if (text.length >= 2 * least) return true;
  spend(run, text.length);
  let count = 0;
  for (let at = 0; at < text.length && count < least; count++) at += (text.codePointAt(at) as number) > 0xffff ? 2 : 1;
  return count >= least;
}

/**
 * Checks whether a number is a multiple of another one as they are written: 19.99 is one of 0.01, but not for the
 * arithmetic of doubles.
 */
function isMultiple(value: number, step: number): boolean {
  // A number such as 1e400 is infinite for JavaScript only.
  if (!Number.isFinite(value) || !Number.isFinite(step)) return true;
  if (Number.isSafeInteger(value) && Number.isSafeInteger(step)) return value % step === 0;
  const [digits, exponent] = decimal(value);
  const [stepDigits, stepExponent] = decimal(step);
  const shift = exponent - stepExponent;
  return shift >= 0
    ? (digits * 10n ** BigInt(shift)) % stepDigits === 0n
    : digits % (stepDigits * 10n ** BigInt(-shift)) === 0n;
}

/** Splits a number into its digits and a power of ten. */
function decimal(value: number): readonly [digits: bigint, exponent: number] {
  const [mantissa = '', exponent = '0'] = String(value).split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  return [BigInt(whole + fraction), Number(exponent) - fraction.length];
}

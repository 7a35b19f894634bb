/**
 * Checks whether a number is a multiple of another one as they are written: 19.99 is one of 0.01, but not for the
 * arithmetic of doubles.
 */
export function isMultiple(value: number, step: number): boolean {
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

/** The latest time that a date can hold, in milliseconds since the epoch (ECMA-262 §21.4.1.1). */
const latestTime = 8.64e15;

/** Whether a number is a time that a date can hold, in milliseconds since the epoch. */
export function isTime(value: number): boolean {
  return Math.abs(value) <= latestTime;
}

/** Whether a text can be sent as a token: in an HTTP header, a line break would begin another header. */
export function isTokenText(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text);
}

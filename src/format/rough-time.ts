import ms from 'ms';

/** Tells a length of time in milliseconds to people who want no more than its size: `15 minutes`, `1 hour`. */
export function tellRoughTime(milliseconds: number): string {
  return ms(Math.round(milliseconds), { long: true });
}

import ms from 'ms';

/** Shows a duration in milliseconds rounded to one unit, for example `15 minutes` or `1 hour`. */
export function tellRoughTime(milliseconds: number): string {
  return ms(Math.round(milliseconds), { long: true });
}

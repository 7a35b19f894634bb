import type { Kind } from '../../kinds.ts';

const most = 0xffff_ffff;

/** Records per second; also less than one. */
export const ratePerSecond: Kind<number> = {
  name: 'rate',
  hint: 'N',
  parse(text) {
    const parsed = /^\d+(\.\d+)?$/.test(text) ? Number(text) : 0;
    if (!(parsed > 0) || parsed > most) throw new Error('not a number of records per second (for example 1000 or 0.5)');
    return parsed;
  },
  show: String,
  json: (value) => value,
};

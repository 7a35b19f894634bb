import { type Kind, text } from '../../kinds.ts';

/** An offset or a range of offsets as typed; `weir help offsets` lists the forms. */
export const offsetText: Kind<string> = {
  ...text,
  hint: 'OFFSET',
  offers: ['start', 'end', ':end', '-10:end', '@-1h', '@-1h:end'],
};

/** The offset of one place. */
export const placeText: Kind<string> = { ...offsetText, offers: ['end', '@-24h'] };

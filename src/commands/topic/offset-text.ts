import { type Kind, text } from '../../kinds.ts';

/** An offset or a range of offsets as typed; `weir help offsets` lists the forms. */
export const offsetText: Kind<string> = { ...text, hint: 'OFFSET' };

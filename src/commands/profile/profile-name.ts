import { type Kind, text } from '../../kinds.ts';

/** The name of a stored profile. */
export const profileName: Kind<string> = { ...text, name: 'profile', hint: 'NAME', completes: 'profile' };
